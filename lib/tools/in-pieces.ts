import { Breath } from './breath'

/** Characters of a piece. */
const PIECE = 65_536

/** The texts of many things, one behind another, in pieces of some 64 kB and in short stretches: one may be long. */
export async function* inPieces<T>(things: Iterable<T>, textOf: (thing: T) => string): AsyncGenerator<string, void> {
  const breath = new Breath()
  let piece = ''
  for (const thing of things) {
    piece += textOf(thing)
    if (piece.length >= PIECE) {
      yield piece
      piece = ''
    }
    if (breath.isDue) await breath.pause()
  }
  if (piece !== '') yield piece
}
