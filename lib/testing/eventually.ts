import { setTimeout as delay } from 'node:timers/promises'
import { vi } from 'vitest'

type Check<T> = () => T | Promise<T>

/**
 * Waits until `check` throws no longer, for as long as a test may take: how fast this machine is decides nothing.
 * @returns what it returned then
 */
export function eventually<T>(check: Check<T>, interval = 20): Promise<T> {
  return vi.waitFor(check, { timeout: 25_000, interval })
}

/**
 * The same for what is promised within a time. That is counted in turns of a timer of 10 ms: where the machine is too busy to
 * call it in time, it is too busy for what is waited for as well, and the time is as much longer.
 */
export async function within<T>(ms: number, check: Check<T>): Promise<T> {
  for (let turn = 0; ; turn++) {
    try {
      return await check()
    } catch (error) {
      if (turn >= ms / 10) throw error
      await delay(10)
    }
  }
}
