import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'
import { Background, Loop } from '@/lib/tools/loop'
import type { Ids } from './ids'
import type { IdSystem } from './system'

const INTERVAL = 1_000
/** How often what has had its time is put back or removed, in ms. */
const CLEANING = 10 * 60_000

/**
 * Keeps the id systems in step with MySQL: tells Redis what it lacks after it was lost, restored from an old copy or away,
 * and cleans up. One process at a time does either.
 */
export class IdReconciler extends Background {
  protected readonly loop = new Loop({ every: INTERVAL, run: () => this.check() })
  private cleanAt = 0
  private readonly systems: IdSystem[]
  private readonly locks: Map<IdSystem, RedisLock>
  private readonly cleaning: RedisLock

  constructor(
    redis: RedisGateway,
    private readonly ids: Ids,
    private readonly log: Logger,
  ) {
    super()
    this.systems = [ids.handles, ids.spoken, ids.references, ids.jobs]
    this.locks = new Map(this.systems.map((system) => [system, new RedisLock(redis, `terse:ids:${system.name}`)]))
    this.cleaning = new RedisLock(redis, 'terse:ids:cleaning')
  }

  /** Looks once, and mends what is wrong. Never throws: what fails is tried again the next time. */
  async check(now = Date.now()): Promise<void> {
    await Promise.all(this.systems.map((system) => this.attempt(`${system.name} numbers`, () => this.mend(system))))
    if (now < this.cleanAt) return
    this.cleanAt = now + CLEANING
    await this.attempt('cleaning', () => this.clean(now))
  }

  private async mend(system: IdSystem): Promise<void> {
    if (!(await system.isStale())) return
    await this.locks.get(system)?.exclusively(async () => {
      const begun = Date.now()
      await system.resync()
      this.log.info({ system: system.name, ms: Date.now() - begun }, 'ids in Redis are in step with MySQL')
    })
  }

  private async clean(now: number): Promise<void> {
    await this.cleaning.exclusively(async () => {
      const [handles, counters] = await Promise.all([this.ids.handles.sweepFreed(now), this.ids.jobs.cleanUp(new Date(now))])
      if (handles + counters > 0) this.log.info({ handles, counters }, 'freed handles given back, old counters of jobs removed')
    })
  }

  private async attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.log.debug({ err: error }, `${what}: Redis or MySQL away`)
    }
  }
}
