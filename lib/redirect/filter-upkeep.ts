import { pruneFreed, readFilter } from '@/lib/codes/fill'
import { capacityFor, countCodes } from '@/lib/codes/rebuild'
import { HOUR } from '@/lib/tools/time'
import { bringUpToDate, type CodeStores } from './trust'

/** How often it is looked how full everything is, in ms. */
const INTERVAL = 60_000
/** The same of a filter that cannot be helped: the codes are counted each time. */
const HELPLESS_INTERVAL = HOUR
/** Share of its codes from which on a filter is made larger, while there is still room for those that come meanwhile. */
const NEARLY_FULL = 0.8
/** A filter that holds this many times as many codes as there are is made again to be rid of the others. */
const STALE = 1.5

/** Keeps what grows from growing over: the filter beyond what it was made for, and the freed codes beyond what helps. */
export class FilterUpkeep {
  private dueAt = 0
  private fillDueAt = 0

  constructor(private readonly stores: CodeStores) {}

  isDue(now: number): boolean {
    return now >= this.dueAt
  }

  /** The caller holds RECONCILER_LOCK, and every shard is whole. @throws when MySQL or Redis fails */
  async run(now: number): Promise<void> {
    this.dueAt = now + INTERVAL
    const { redis, registry, log } = this.stores
    const pruned = await pruneFreed(redis, registry.quarantineBegin(now))
    if (pruned > 0) log.info({ codes: pruned }, 'freed codes forgotten, whose quarantine is over or which are too many')
    if (now >= this.fillDueAt) await this.makeRoom(now)
  }

  private async makeRoom(now: number): Promise<void> {
    const { redis, db, settings, log } = this.stores
    const { codes, capacity } = await readFilter(redis, settings)
    if (codes < NEARLY_FULL * capacity) return
    const { links, deleted } = await countCodes(db)
    const wanted = capacityFor(links + deleted, settings)
    if (wanted <= capacity && codes < STALE * (links + deleted)) {
      this.fillDueAt = now + HELPLESS_INTERVAL
      log.warn({ codes, capacity }, 'the Bloom filter is full and may not grow: raise BLOOM_MAX_CAPACITY')
      return
    }
    log.info({ codes, capacity, wanted }, 'the Bloom filter is nearly full: making it again')
    await bringUpToDate(this.stores, true)
  }
}
