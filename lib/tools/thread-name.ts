import { writeFileSync } from 'node:fs'

/** Names the calling thread for `top -H` and the benchmark, in 15 characters at most. Only Linux can. */
export function nameThread(name: string): void {
  try {
    // Synchronous, so that it is written by the thread itself and not by one of the pool.
    writeFileSync('/proc/thread-self/comm', name)
  } catch {
    // Nothing depends on it.
  }
}
