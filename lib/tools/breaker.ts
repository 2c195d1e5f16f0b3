/** A dependency was not asked, because it failed a moment ago. */
export class BreakerOpenError extends Error {
  override readonly name = 'BreakerOpenError'
}

export type BreakerState = 'closed' | 'open' | 'half-open'

export interface BreakerOptions {
  /** Consecutive failures after which it opens. */
  failures: number
  /** How long it stays open before one call is let through, in ms. */
  cooldown: number
  /** Whether an error says that the dependency is unwell, rather than that it refused this call. Default: always. */
  isFailure?: (error: unknown) => boolean
  now?: () => number
}

/**
 * A circuit breaker (M. Nygard, "Release It!"): after some failures in a row calls fail at once, until a
 * single probe succeeds.
 */
export class Breaker {
  private consecutive = 0
  private openedAt = 0
  private probing = false

  constructor(private readonly options: BreakerOptions) {}

  private now(): number {
    return (this.options.now ?? performance.now.bind(performance))()
  }

  get state(): BreakerState {
    if (this.consecutive < this.options.failures) return 'closed'
    return this.now() - this.openedAt < this.options.cooldown ? 'open' : 'half-open'
  }

  /**
   * Runs `work`, or refuses to.
   * @throws BreakerOpenError without running it; else whatever `work` throws
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const state = this.state
    if (state === 'open' || (state === 'half-open' && this.probing))
      throw new BreakerOpenError('not asked: it failed a moment ago')
    this.probing = state === 'half-open'
    try {
      const result = await work()
      this.consecutive = 0
      return result
    } catch (error) {
      if (this.options.isFailure?.(error) ?? true) {
        this.consecutive += 1
        this.openedAt = this.now()
      } else {
        this.consecutive = 0
      }
      throw error
    } finally {
      this.probing = false
    }
  }
}
