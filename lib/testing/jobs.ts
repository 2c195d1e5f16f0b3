import { afterEach, beforeAll } from 'vitest'
import type { Job } from '@/lib/db/generated/client'
import { takeJob } from '@/lib/jobs/queue'
import { keepAccount } from './accounts'
import { testDatabase } from './database'
import { testRedis } from './redis'
import { settled, testRuntime } from './runtime'

/**
 * A process that takes no jobs by itself, and Alice, an admin, whose jobs are cancelled after each test. Call it at the top
 * level.
 */
export async function testJobs() {
  const { url, connection } = await testDatabase()
  const redis = await testRedis()
  const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
  ctx.jobs.close()
  beforeAll(() => keepAccount(ctx.db, 'alice', 'admin'))
  beforeAll(() => settled(ctx))
  afterEach(async () => {
    await connection.query("UPDATE Job SET state = 'cancelled'")
  })
  /** The next turn. */
  const take = async (): Promise<Job> => {
    const row = await takeJob(ctx.db, ['links', 'import', 'export', 'blocklist'])
    if (!row) throw new Error('there is no job to take')
    return row
  }
  /** As when a process was silent for longer than its lease. */
  const runOut = (id: bigint) =>
    connection.query('UPDATE Job SET leaseUntil = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = ?', [id])
  return { ctx, connection, by: { account: { id: 'alice' }, address: null }, take, runOut }
}
