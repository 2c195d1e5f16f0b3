import { join } from 'node:path'
import type { Connection } from 'mariadb'
import { filterSettings } from '@/lib/codes/rebuild'
import type { Config } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { applyMissing, RESTORE_TABLE, withMigrationLock } from '@/lib/db/migrate'
import { createIds } from '@/lib/ids/ids'
import { errorWords } from '@/lib/log'
import { rebuildCodes } from '@/lib/redirect/trust'
import { buildRedirects } from '@/lib/redirect-runtime'
import { RedisGateway } from '@/lib/redis/gateway'
import { type Checked, checkBackup, openBackup } from './file'
import { spoolClicks } from './pending-clicks'
import { requireRoom } from './room'
import { statements } from './statements'
import { dropBefore, isFilled, moveAside, putBack } from './tables'

/** Characters of INSERTs in one transaction. */
const TRANSACTION = 16_000_000
/** Lines, and their characters, of one file of the spool; a longer line has one to itself. */
const SPOOLED = 10_000
const SPOOLED_TEXT = 16_000_000
/** How long Redis may take to answer at first, in ms. */
const PATIENCE = 3_000

/** Where the app has its secret from: it has to be that of the backup. */
export interface SecretPlace {
  /** Asked before anything is written. @throws Error when it is another one, and not ours to change */
  check: (appSecret: string) => void
  /** Called once all else is there. */
  keep: (appSecret: string) => void
}

export interface RestoreOptions {
  file: string
  passphrase: string
  /** Whether data in the database may be deleted for it. */
  overwrite: boolean
  /** Where the app has its secret from. */
  secret: SecretPlace
  /** Hears of each step. */
  tell: (text: string) => void
}

export interface Restored {
  rows: bigint
  /** Of links, and of deleted ones that rest. */
  codes: number
  /** Batches of clicks that the app counts once it runs. */
  batches: number
}

/**
 * Puts a backup into a database of any engine, and tells Redis. Until all is done, no process starts on that database. The tables
 * of before are kept until all rows are in, and put back where that fails.
 * @throws UnreadableBackup, or Error with what to do, before anything is written; Error that says what became of the database
 */
export async function restore(config: Config, options: RestoreOptions): Promise<Restored> {
  const { file, passphrase, overwrite, secret, tell } = options
  tell('Checking the file…')
  const checked = await checkBackup(file, passphrase)
  const { manifest } = checked
  secret.check(manifest.appSecret)
  await requireRedis(config.REDIS_URL)
  return await withMigrationLock(config.DATABASE_URL, async (connection, own) => {
    await requireRoom(connection, own, overwrite)
    await requireLongStatements(connection, checked.longest)
    tell(`Restoring the backup of ${manifest.madeAt}, from ${manifest.engine}…`)
    const rows = await orPutBack(connection, () => fill(connection, checked, options))
    try {
      await dropBefore(connection)
      const batches = await spoolBatches(join(config.DATA_DIR, 'spool'), checked, options)
      tell('Telling Redis…')
      const codes = await tellRedis({ ...config, APP_SECRET: manifest.appSecret, LOG_LEVEL: 'silent' })
      secret.keep(manifest.appSecret)
      await connection.query(`DROP TABLE ${RESTORE_TABLE}`)
      return { rows, codes, batches }
    } catch (error) {
      throw new Error(`${errorWords(error)}. ${NOT_WHOLE}`, { cause: error })
    }
  })
}

const NOT_WHOLE = 'The restore did not end, and Terse does not start on this database before one does: run it again'

/**
 * Does `work` on a database without tables of Terse. Where it fails, those of before are put back.
 * @throws Error with what failed, and what became of the database
 */
async function orPutBack<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await connection.query(`CREATE TABLE IF NOT EXISTS ${RESTORE_TABLE} (startedAt DATETIME(3) NOT NULL PRIMARY KEY)`)
  // Then what is put back is what that one made, and what came after its rows is still to be done.
  const isUnended = await isFilled(connection)
  try {
    await moveAside(connection)
    return await work()
  } catch (cause) {
    const why = errorWords(cause)
    try {
      await connection.rollback()
      await putBack(connection)
      if (isUnended) throw new Error('it is gone since a restore before this one, whose rows are there again')
      await connection.query(`DROP TABLE ${RESTORE_TABLE}`)
    } catch (error) {
      throw new Error(`${why}. What was there before could not be put back: ${errorWords(error)}. ${NOT_WHOLE}`, { cause })
    }
    throw new Error(`${why}. Nothing was restored: the database is as it was before`, { cause })
  }
}

/** @throws Error when the server does not take a statement of so many bytes */
async function requireLongStatements(connection: Connection, longest: number): Promise<void> {
  const [row] = await connection.query<{ most: bigint | number }[]>('SELECT @@max_allowed_packet AS most')
  // A packet has a byte of its own, and the server takes those that are shorter than its bound.
  if (longest + 1 < Number(row?.most)) return
  throw new Error(`the backup has a statement of ${longest} bytes, and the server takes ${row?.most}: raise max_allowed_packet`)
}

/** Before anything is written: what Redis holds has to give way to what MySQL will hold. @throws Error when it does not answer */
async function requireRedis(url: string): Promise<void> {
  const redis = new RedisGateway(url)
  try {
    if (!(await redis.connected(PATIENCE)))
      throw new Error('Redis does not answer. It has to learn what MySQL holds from now on: start it first')
  } finally {
    redis.close()
  }
}

/**
 * Has what MySQL holds now take the place of what Redis holds, be it nothing, older or newer. Numbers that Redis has issued and
 * MySQL does not know stay issued.
 * @returns how many codes there are
 */
async function tellRedis(config: Config): Promise<number> {
  const runtime = await buildRedirects(config, new DatabaseGateway(config.DATABASE_URL, 4), null)
  try {
    if (!(await runtime.redis.connected(PATIENCE))) throw new Error('Redis does not answer any more')
    const nothing = () => {}
    const { done } = await rebuildCodes({ ...runtime, settings: filterSettings(config) }, nothing, nothing)
    const { handles, spoken, references, jobs } = createIds(config, runtime.redis, runtime.db)
    for (const system of [handles, spoken, references, jobs]) await system.resync()
    return done
  } finally {
    await runtime.close()
  }
}

type Opened = Pick<RestoreOptions, 'file' | 'passphrase'>

/** Makes the tables of a backup, fills them, and brings them to this version. @returns how many rows */
async function fill(connection: Connection, { manifest, tables }: Checked, { file, passphrase }: Opened): Promise<bigint> {
  const made = new Set(manifest.migrations)
  await applyMissing(connection, undefined, (name) => made.has(name))
  // What migrations filled is in the backup too.
  for (const table of tables.keys()) await connection.query(`TRUNCATE TABLE \`${table}\``)
  await connection.query("SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,STRICT_ALL_TABLES'")
  const { parts } = await openBackup(file, passphrase)
  let rows = 0n
  let length = 0
  await connection.beginTransaction()
  for await (const part of statements(parts, tables)) {
    if ('clicks' in part) continue
    const { affectedRows } = await connection.query<{ affectedRows: number | bigint }>(part.sql)
    rows += BigInt(affectedRows)
    length += part.sql.length
    if (length < TRANSACTION) continue
    await connection.commit()
    await connection.beginTransaction()
    length = 0
  }
  await connection.commit()
  await applyMissing(connection)
  return rows
}

/** Once the rows are in: clicks that are counted into other rows would be wrong. @returns how many batches went to the spool */
async function spoolBatches(spool: string, { tables }: Checked, { file, passphrase }: Opened): Promise<number> {
  const { parts } = await openBackup(file, passphrase)
  let batches = 0
  let lines: string[] = []
  let length = 0
  for await (const part of statements(parts, tables)) {
    // They come before all rows.
    if (!('clicks' in part)) break
    batches += 1
    lines.push(part.clicks)
    length += part.clicks.length
    if (lines.length < SPOOLED && length < SPOOLED_TEXT) continue
    await spoolClicks(spool, lines)
    lines = []
    length = 0
  }
  await spoolClicks(spool, lines)
  return batches
}
