import type { Config } from '@/lib/config'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { keyedHash } from '@/lib/tools/hash'

/** Derived, so that every process and every start has the same; good only while there is no admin. */
export const setupToken = (config: Pick<Config, 'APP_SECRET'>) =>
  keyedHash(config.APP_SECRET, 'setup of the first admin').toString('base64url')

/**
 * Where the first admin is made; null once there is one.
 * @throws TerseError 'unavailable'
 */
export async function setupUrl(config: Pick<Config, 'APP_SECRET' | 'BASE_URL'>, db: SqlGateway): Promise<string | null> {
  const admins = await db.rows("SELECT 1 FROM User WHERE role = 'admin' LIMIT 1")
  return admins.length > 0 ? null : `${config.BASE_URL}/setup?token=${setupToken(config)}`
}
