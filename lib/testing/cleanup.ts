import { afterAll, onTestFinished } from 'vitest'

/** Runs `work` at the end of the test under way, or else of the file. */
export function atEnd(work: () => unknown): void {
  const clean = async () => {
    await work()
  }
  try {
    onTestFinished(clean)
  } catch {
    afterAll(clean) // not in a test: vitest says so by throwing
  }
}
