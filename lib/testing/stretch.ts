import { readFileSync } from 'node:fs'

/** Processor time of the main thread so far, in ms. Neither others on the machine count, nor this process's other threads. */
const computed = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1_000_000

/** The longest that the main thread computed within one turn of its event loop while `work` went on, in ms. */
export async function longestStretch(work: () => Promise<unknown>): Promise<number> {
  let [longest, isOver] = [0, false]
  let before = computed()
  const turn = () => {
    const now = computed()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  await new Promise(setImmediate)
  return longest
}
