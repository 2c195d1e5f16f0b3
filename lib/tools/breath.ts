/** How long work may go on at a stretch, in ms: well below what visitors feel. */
const STRETCH = 10

/**
 * Lets a long loop give way to everything else that the process has to do. Ask `isDue` often, and `pause` when it is.
 */
export class Breath {
  private since = performance.now()

  get isDue(): boolean {
    return performance.now() - this.since > STRETCH
  }

  /** Ends once what waits has had its turn. */
  pause(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        this.since = performance.now()
        resolve()
      })
    })
  }
}
