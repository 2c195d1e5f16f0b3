import type { Config } from '@/lib/config'
import { requireFitIfUp } from '@/lib/db/migrate'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { buildRedirects } from '@/lib/redirect-runtime'

/** How long Redis may take to answer at first, in ms. */
const PATIENCE = 3_000

/**
 * For a command that works on what a running app has.
 * @throws Error with what to do: half of the data is there, or Redis does not answer
 */
export async function openRedirects<Db extends SqlGateway>(config: Config, db: Db) {
  // A filter that is rebuilt from half of the links would be trusted, and deny the others.
  await requireFitIfUp(config.DATABASE_URL)
  const runtime = await buildRedirects(config, db, null)
  if (!(await runtime.redis.connected(PATIENCE))) throw new Error('Redis does not answer')
  return runtime
}
