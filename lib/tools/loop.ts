export interface LoopOptions {
  /** What is done again and again. */
  run: () => unknown
  /** From the beginning of one run to that of the next, in ms; after a long run a quarter of it is left. */
  every: number
  /** The same after a run that failed. */
  retry?: number
  /** The share of each pause, 0 to 1, that chance takes away, so that processes do not keep step. */
  jitter?: number
  /** Told why a run failed: once, until a run fails in another way, or ends well. */
  onFailure?: (error: unknown) => void
}

/** Does something again and again, one run at a time. A run that fails ends nothing, and no loop keeps its process alive. */
export class Loop {
  /** Since `stop`: for a long run, which asks whether to go on. */
  isStopped = false
  private repeats = false
  private running: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private failure = ''

  constructor(private readonly options: LoopOptions) {}

  /** Runs at once, and from then on. Resolves when the first run has ended, well or not. */
  start(): Promise<void> {
    this.repeats = true
    return this.wake()
  }

  /** The same with a pause before the first run. */
  startLater(): void {
    this.repeats = true
    if (!this.running && !this.timer) this.wait(this.options.every)
  }

  /** Runs now rather than later, or joins the run under way. */
  async wake(): Promise<void> {
    if (this.isStopped) return
    clearTimeout(this.timer)
    this.running ??= this.round().then((pause) => {
      this.running = undefined
      if (this.repeats) this.wait(pause)
    })
    await this.running
  }

  /** No run begins until the next start. */
  pause(): void {
    this.repeats = false
    clearTimeout(this.timer)
    this.timer = undefined
  }

  /** No run begins ever again, even if it is started or woken. Resolves when the run under way has ended. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.pause()
    await this.running
  }

  /** Runs again and again, first after a pause, while `work` goes on. @returns what that does */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.startLater()
    try {
      return await work()
    } finally {
      void this.stop()
    }
  }

  /** Runs once. @returns the pause that follows, in ms */
  private async round(): Promise<number> {
    const { run, every, retry = every, onFailure } = this.options
    const begunAt = performance.now()
    let pause = every
    try {
      await run()
      this.failure = ''
    } catch (error) {
      pause = retry
      const failure = String(error)
      if (failure !== this.failure) onFailure?.(error)
      this.failure = failure
    }
    const rest = begunAt + pause - performance.now()
    return Math.min(Math.max(rest, pause / 4), pause)
  }

  private wait(pause: number): void {
    if (this.isStopped) return
    const { jitter = 0 } = this.options
    this.timer = setTimeout(() => void this.wake(), pause * (1 - jitter * Math.random())).unref()
  }
}

/** A part that does something again and again from `start` to `close`. */
export abstract class Background {
  protected abstract readonly loop: Loop

  /** Waits for the first time. */
  start(): Promise<void> {
    return this.loop.start()
  }

  close(): void {
    void this.loop.stop()
  }
}
