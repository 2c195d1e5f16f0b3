import type { Config } from '@/lib/config'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { normaliseHost } from '@/lib/net/host'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Handles } from './handles'
import { JobNumbers } from './jobs'
import { References } from './references'
import { SpokenCodes } from './spoken'

/** The four kinds of numbers that Redis gives. */
export interface Ids {
  handles: Handles
  spoken: SpokenCodes
  references: References
  jobs: JobNumbers
}

export function createIds(config: Config, redis: RedisGateway, db: SqlGateway): Ids {
  return {
    handles: new Handles(redis, db, config.CODE_REUSE_AFTER),
    spoken: new SpokenCodes(redis, db, config.APP_SECRET, config.SPOKEN_GRACE, normaliseHost(new URL(config.BASE_URL).host)),
    references: new References(redis, db),
    jobs: new JobNumbers(redis, db, config.JOB_COUNTER_DAYS),
  }
}
