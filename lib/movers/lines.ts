import { Breath } from '@/lib/tools/breath'

/** A line of a file, from 1. */
export interface Line {
  line: number
  text: string
}

/** Characters of a line that are kept. */
const LONGEST = 20_000

/** Lines, and characters of lines, that are handed over together: what is made of them takes a few ms. */
const SOME = { lines: 200, characters: LONGEST }

/** The lines of a file as it comes, without their ends, some at a time and in short stretches. Holds one line and one piece. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line[], void> {
  const breath = new Breath()
  let rest = ''
  let line = 1
  for await (const piece of pieces) {
    const parts = (rest + (line === 1 && rest === '' ? piece.replace(/^\uFEFF/, '') : piece)).split('\n')
    rest = (parts.pop() ?? '').slice(0, LONGEST)
    for (let at = 0; at < parts.length; ) {
      const some: Line[] = []
      for (let left = SOME.characters; left > 0 && some.length < SOME.lines && at < parts.length; at++) {
        const text = (parts[at] ?? '').slice(0, LONGEST).replace(/\r$/, '')
        some.push({ line: line++, text })
        left -= text.length
      }
      yield some
      if (breath.isDue) await breath.pause()
    }
    if (breath.isDue) await breath.pause()
  }
  if (rest !== '') yield [{ line, text: rest.replace(/\r$/, '') }]
}

/** Words of a line as configuration files have them: in quotes, or between spaces. */
export const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"?|'([^']*)'?|(\S+)/gs)].map(
    ([, double, single, bare]) => double?.replace(/\\(["\\])/g, '$1') ?? single ?? bare ?? '',
  )
