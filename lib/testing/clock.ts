import { vi } from 'vitest'

/**
 * Lets `performance.now()`, by which caches and breakers measure, be set forward; it goes on from there.
 * Timers and the servers keep their own time. Undone after each test.
 */
export function shiftableClock(): { forward: (ms: number) => void } {
  const now = performance.now.bind(performance)
  let shift = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + shift)
  return {
    forward: (ms) => {
      shift += ms
    },
  }
}
