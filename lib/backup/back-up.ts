import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Connection } from 'mariadb'
import type { Config } from '@/lib/config'
import { migrationNames, readHistory, requireFinishedRestore } from '@/lib/db/migrate'
import { openConnection } from '@/lib/db/open'
import { RedisGateway } from '@/lib/redis/gateway'
import { TimeoutError, withTimeout } from '@/lib/tools/timeout'
import { dumpRows } from './dump'
import { writeBackup } from './file'
import { pendingClicks } from './pending-clicks'
import { tablesOf } from './tables'

/** How long Redis may take to answer at first, in ms. */
const PATIENCE = 3_000
/** How long the database may take for an answer, in ms: one that falls silent would keep the backup for ever. */
const SILENCE = 60_000

/** What is asked of the database beside the dump. */
type Asked = Pick<Connection, 'query'>

export interface BackupOptions {
  file: string
  passphrase: string
  /** `mariadb-dump` or `mysqldump` */
  program: string
  /** Hears of what is missing from the backup. */
  warn: (text: string) => void
  /** Ends it. */
  signal?: AbortSignal
  /** How long the database may take for an answer, in ms. */
  patience?: number
}

/**
 * Writes all that Terse cannot make again into one encrypted file: the rows of MySQL as they are at one moment, clicks that were
 * not counted by then, and the secret. The app may run meanwhile.
 * @returns how many batches of clicks waited
 * @throws Error with what to do; then there is no file
 */
export async function backUp(config: Config, options: BackupOptions): Promise<number> {
  const { signal, patience = SILENCE } = options
  const connection = await openConnection(config.DATABASE_URL)
  const redis = new RedisGateway(config.REDIS_URL)
  const stop = () => connection.destroy()
  signal?.addEventListener('abort', stop)
  try {
    signal?.throwIfAborted()
    const batches = await write(config, options, patient(connection, patience), redis)
    await connection.end()
    return batches
  } catch (error) {
    connection.destroy()
    // What it was doing when it was told to stop failed by that.
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    redis.close()
  }
}

/** The same connection. @throws Error from `query`, when there is no answer for `ms` */
const patient = (connection: Connection, ms: number): Asked => ({
  query: (...asked: Parameters<Connection['query']>) =>
    withTimeout(connection.query(...asked), ms, 'MySQL').catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error
      throw new Error(`the database gave no answer for ${ms / 1_000} s`)
    }),
})

async function write(config: Config, options: BackupOptions, connection: Asked, redis: RedisGateway): Promise<number> {
  const { file, passphrase, program, warn, signal } = options
  await requireFinishedRestore(connection)
  const migrations = await appliedMigrations(connection)
  const [facts] = await connection.query<{ engine: string }[]>('SELECT VERSION() AS engine')
  const answers = await redis.connected(PATIENCE)
  if (!answers) warn('Redis does not answer. The clicks that wait there to be counted are not in this backup.')

  let batches = 0
  async function* clicks() {
    for await (const line of pendingClicks(join(config.DATA_DIR, 'spool'), answers ? redis : null)) {
      signal?.throwIfAborted()
      batches += 1
      yield line
    }
  }
  async function* rows() {
    yield* dumpRows(program, config.DATABASE_URL, await tablesOf(connection), signal)
    // Rows of tables that changed meanwhile would not fit those that the restore makes.
    if ((await appliedMigrations(connection)).join() !== migrations.join())
      throw new Error('another process migrated the database meanwhile. Run it again')
  }

  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const manifest = {
    format: 1 as const,
    madeAt: new Date().toISOString(),
    engine: facts?.engine ?? '',
    migrations,
    appSecret: config.APP_SECRET,
    redis: answers,
  }
  await writeBackup(file, passphrase, { manifest, clicks: clicks(), sql: rows() })
  return batches
}

/** @throws Error where the tables are not those that this version of Terse knows */
async function appliedMigrations(connection: Asked): Promise<string[]> {
  const [table] = await connection.query<unknown[]>("SHOW TABLES LIKE '\\_prisma\\_migrations'")
  const history = table ? [...(await readHistory(connection)).values()] : []
  if (history.length === 0) throw new Error('the database is empty: Terse never ran on it')
  const known = new Set(migrationNames())
  const unknown = history.find(({ migration_name }) => !known.has(migration_name))
  if (unknown) throw new Error('the database belongs to a newer version of Terse. Use that version to back it up')
  const unfinished = history.find(({ finished_at }) => !finished_at)
  if (unfinished) throw new Error(`the migration ${unfinished.migration_name} has not ended. Start Terse first`)
  return history.map(({ migration_name }) => migration_name).sort()
}
