import type { Connection } from 'mariadb'
import { Prisma } from '@/lib/db/generated/client'
import { RESTORE_TABLE } from '@/lib/db/migrate'

/** Names of all tables of Terse. */
export const OUR_TABLES: ReadonlySet<string> = new Set(Object.keys(Prisma.ModelName))

/** Begins the names of the tables of before, while a restore fills new ones. */
const BEFORE = '_terse_before_'
/** The same once the new ones are filled: nothing goes back to them. */
const GONE = '_terse_gone_'
const HISTORY = '_prisma_migrations'

/** Names of the tables of Terse that are in the database, sorted; others in it are none of our business. */
export async function tablesOf(connection: Pick<Connection, 'query'>): Promise<string[]> {
  return (await allTables(connection)).filter((name) => OUR_TABLES.has(name)).sort()
}

/**
 * Moves all tables of Terse out of the way, in one statement: all of them or none. Where those of before are out of the way
 * already, as of a restore that was killed, what it made is dropped.
 */
export async function moveAside(connection: Connection): Promise<void> {
  const all = await allTables(connection)
  const ours = all.filter((name) => OUR_TABLES.has(name) || name === HISTORY)
  if (all.some((name) => name.startsWith(BEFORE))) await drop(connection, ours)
  else await rename(connection, ours, (name) => BEFORE + name)
}

/** Puts the tables of before in the place of those that were made since; where there were none, there are none again. */
export async function putBack(connection: Connection): Promise<void> {
  const all = await allTables(connection)
  const ours = all.filter((name) => OUR_TABLES.has(name) || name === HISTORY)
  await drop(connection, ours)
  const before = all.filter((name) => name.startsWith(BEFORE))
  await rename(connection, before, (name) => name.slice(BEFORE.length))
}

/**
 * Deletes the tables of before. First all of them get another name, in one step: of some of them, a restore that is killed here
 * leaves none that the next one could take for all.
 */
export async function dropBefore(connection: Connection): Promise<void> {
  const before = (await allTables(connection)).filter((name) => name.startsWith(BEFORE))
  await rename(connection, before, (name) => GONE + name.slice(BEFORE.length))
  await noteFilled(connection)
  await dropGone(connection)
}

/**
 * Whether a restore that did not end had filled its tables: what was there before it is gone. Deletes what it left of that.
 * @param connection to a database with the marker of a restore
 */
export async function isFilled(connection: Connection): Promise<boolean> {
  if (await dropGone(connection)) return true
  return (await connection.query<unknown[]>(`SELECT 1 FROM ${RESTORE_TABLE}`)).length > 0
}

/** @returns whether there were some */
async function dropGone(connection: Connection): Promise<boolean> {
  const gone = (await allTables(connection)).filter((name) => name.startsWith(GONE))
  if (gone.length > 0) await noteFilled(connection)
  await drop(connection, gone)
  return gone.length > 0
}

/** In the marker of the restore, which is empty until then. */
const noteFilled = (connection: Connection) =>
  connection.query(`INSERT IGNORE INTO ${RESTORE_TABLE} (startedAt) VALUES (UTC_TIMESTAMP(3))`)

async function drop(connection: Connection, names: readonly string[]): Promise<void> {
  for (const name of names) await connection.query(`DROP TABLE \`${name}\``)
}

async function rename(connection: Connection, names: readonly string[], to: (name: string) => string): Promise<void> {
  if (names.length === 0) return
  await connection.query(`RENAME TABLE ${names.map((name) => `\`${name}\` TO \`${to(name)}\``).join(', ')}`)
}

async function allTables(connection: Pick<Connection, 'query'>): Promise<string[]> {
  const tables = await connection.query<{ name: string }[]>(
    "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'",
  )
  return tables.map(({ name }) => name)
}
