import { Breath } from './breath'

/** Lines that are handed over together. */
const SOME = 500

/**
 * The lines of a text, without their ends, some at a time and in short stretches.
 * @param longest characters of a line; the rest of a longer one is dropped
 */
export async function* linesOf(text: string, longest: number): AsyncGenerator<string[], void> {
  const breath = new Breath()
  for (let at = 0; at <= text.length; ) {
    const lines: string[] = []
    while (lines.length < SOME && at <= text.length) {
      const found = text.indexOf('\n', at)
      const end = found === -1 ? text.length : found
      lines.push(text.slice(at, Math.min(end, at + longest)).replace(/\r$/, ''))
      at = end + 1
    }
    yield lines
    if (breath.isDue) await breath.pause()
  }
}
