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

const STEP = 100

/**
 * Lets `ms` pass on vitest's faked clock, in steps of 100 ms between which promises settle. The event loop does not turn
 * meanwhile, as it does with `vi.advanceTimersByTimeAsync`: what other files left in this process gets no turn to set timers of
 * its own, which would be counted with those of the test.
 */
export async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP) {
    vi.advanceTimersByTime(Math.min(STEP, ms - passed))
    await settled()
  }
}

/** Resolves once the promises that follow from others have settled, streams' among them. */
async function settled(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise<void>((resolve) => process.nextTick(resolve))
}
