import { Breath } from './breath'

/** Lines between two looks at the time. */
const LOOK = 500

/**
 * The lines of a text, in short stretches, without their ends.
 * @param longest characters of a line; the rest of a longer one is dropped
 */
export async function* linesOf(text: string, longest: number): AsyncGenerator<string, void> {
  const breath = new Breath()
  let count = 0
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    if (++count % LOOK === 0 && breath.isDue) await breath.take()
    yield text.slice(at, Math.min(end, at + longest)).replace(/\r$/, '')
    at = end + 1
  }
}
