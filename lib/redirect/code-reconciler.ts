import { RedisLock } from '@/lib/redis/lock'
import { Background, Loop } from '@/lib/tools/loop'
import { FilterUpkeep } from './filter-upkeep'
import { bringUpToDate, type CodeStores, RECONCILER_LOCK, shardStates } from './trust'

const INTERVAL = 1_000

/**
 * Keeps Redis worth believing: beats for the shards that are whole, and has those that are not brought up to date. One process
 * at a time does the latter.
 */
export class CodeReconciler extends Background {
  protected readonly loop = new Loop({
    every: INTERVAL,
    run: () => this.check(),
    onFailure: (err) => this.stores.log.debug({ err }, 'reconciler: Redis or MySQL away'),
  })
  private following = false
  private readonly lock: RedisLock
  private readonly upkeep: FilterUpkeep

  constructor(private readonly stores: CodeStores) {
    super()
    this.lock = new RedisLock(stores.redis, RECONCILER_LOCK)
    this.upkeep = new FilterUpkeep(stores)
  }

  /** Looks once, and mends what is wrong. @throws when MySQL or Redis fails */
  async check(now = Date.now()): Promise<void> {
    const states = await shardStates(this.stores.redis)
    const follows = states.some((state) => state.verdict === 'replica')
    if (follows && !this.following) this.stores.log.warn('REDIS_URL leads to a replica: nothing there is believed')
    this.following = follows
    if (follows) return
    if (states.some((state) => state.verdict !== 'ok')) {
      await this.lock.exclusively(() => bringUpToDate(this.stores, false))
    } else if (this.upkeep.isDue(now)) {
      await this.lock.exclusively(() => this.upkeep.run(now))
    }
  }
}
