import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Config } from '@/lib/config'
import { isOutage } from '@/lib/db/sql-gateway'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { UNFINISHED } from '@/lib/jobs/queue'
import type { JobKind } from '@/lib/jobs/runner'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobContext, type JobMaker, toJobView } from '@/lib/jobs/store'
import { isRedisAway, type RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'
import { type FilterSettings, filterSettings, type RebuildProgress } from './rebuild'
import { FilterLostError } from './registry'

/** Held while it is looked whether there is a rebuild, and one is queued if not. */
const REQUEST_LOCK = 'terse:rebuild:request'
/** How often a request asks for what another holds, in ms. */
const PAUSE = 100
/** How often a request asks before it is given up. */
const ATTEMPTS = 50

type Context = JobContext & { redis: RedisGateway }

/**
 * Queues a rebuild of the Bloom filter, unless one waits or runs already.
 * @returns the job, and whether it is new
 * @throws TerseError 'unavailable'
 */
export async function queueRebuild(ctx: Context, by: JobMaker): Promise<{ job: JobView; isNew: boolean }> {
  const lock = new RedisLock(ctx.redis, REQUEST_LOCK)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const look = async () => {
      const known = await unfinished(ctx)
      return { job: known ?? (await createRebuild(ctx, by)), isNew: known === null }
    }
    const looked = await lock.exclusively(look).catch(refuse)
    if (looked) return looked.value
    await delay(PAUSE)
  }
  throw new TerseError('unavailable', say('api.system.rebuildAsked'), { retryAfter: 2 })
}

const createRebuild = (ctx: Context, by: JobMaker) =>
  createJob(ctx, by, { kind: 'rebuild', title: say('api.job.rebuild'), input: {}, total: 0 })

async function unfinished({ db }: Context): Promise<JobView | null> {
  const where = { kind: 'rebuild', state: { in: UNFINISHED } }
  const row = await db.read((client) => client.job.findFirst({ where, orderBy: { id: 'asc' } }))
  return row && toJobView(row)
}

/**
 * Rebuilds the filter from MySQL, and tells how many codes are in it. Begun again, it goes on where it was.
 * @param rebuild brings records up to date too, which stand above this room (lib/redirect/trust.ts)
 */
export function rebuildKind<Stores extends Context & { config: Config }>(
  rebuild: (
    stores: Stores & { settings: FilterSettings },
    onProgress: (progress: RebuildProgress) => Promise<void>,
    onWait: () => Promise<void>,
  ) => Promise<unknown>,
): JobKind<Stores, object> {
  return {
    input: z.object({}),
    isWhole: true,
    async run(ctx, job) {
      let total = -1
      const onProgress = async (progress: RebuildProgress) => {
        if (total !== progress.total) await job.total(progress.total)
        total = progress.total
        await job.advance(progress.done - job.done)
      }
      const stores = { ...ctx, settings: filterSettings(ctx.config) }
      await rebuild(stores, onProgress, () => job.advance(0)).catch(refuse)
    },
  }
}

/** What a caller, or a job, is told of what went wrong; what has nothing to do with Redis and MySQL is thrown as it is. */
function refuse(error: unknown): never {
  if (error instanceof FilterLostError) {
    throw new TerseError('conflict', say('api.system.rebuildLost'), { cause: error })
  }
  if (isTerseError(error) || !(isRedisAway(error) || isOutage(error))) throw error
  throw new TerseError('unavailable', say('api.system.either'), {
    retryAfter: 2,
    cause: error,
  })
}
