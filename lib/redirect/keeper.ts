import { Lock } from '@/lib/redis/lock'
import { bringUpToDate, type CodeStores, KEEPER_LOCK, shardStates } from './trust'
import { Upkeep } from './upkeep'

const INTERVAL = 1_000

/**
 * Keeps Redis worth believing: beats for the shards that are whole, and has those that are not brought up to date. One process
 * at a time does the latter.
 */
export class Keeper {
  private timer: NodeJS.Timeout | undefined
  private closed = false
  private following = false
  private readonly lock: Lock
  private readonly upkeep: Upkeep

  constructor(private readonly stores: CodeStores) {
    this.lock = new Lock(stores.redis, KEEPER_LOCK)
    this.upkeep = new Upkeep(stores)
  }

  async start(): Promise<void> {
    try {
      await this.check()
    } catch (error) {
      this.stores.log.debug({ err: error }, 'keeper: Redis or MySQL away')
    }
    if (!this.closed) this.timer = setTimeout(() => void this.start(), INTERVAL)
  }

  /** Looks once, and mends what is wrong. @throws when MySQL or Redis fails */
  async check(now = Date.now()): Promise<void> {
    const states = await shardStates(this.stores.redis)
    const follows = states.some((state) => state.verdict === 'replica')
    if (follows && !this.following) this.stores.log.warn('REDIS_URL leads to a replica: nothing there is believed')
    this.following = follows
    if (follows) return
    if (states.some((state) => state.verdict !== 'ok')) {
      await this.lock.exclusively(async () => {
        await bringUpToDate(this.stores, false)
      })
    } else if (this.upkeep.isDue(now)) {
      await this.lock.exclusively(() => this.upkeep.run(now))
    }
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
  }
}
