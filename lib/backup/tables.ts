import type { Connection } from 'mariadb'
import { Prisma } from '@/lib/db/generated/client'

/** Names of all tables of Terse. */
export const OUR_TABLES: ReadonlySet<string> = new Set(Object.keys(Prisma.ModelName))

/** Begins the names of the tables of before, while a restore fills new ones. */
const BEFORE = '_terse_before_'
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

/** Deletes the tables of before. */
export async function dropBefore(connection: Connection): Promise<void> {
  const all = await allTables(connection)
  await drop(
    connection,
    all.filter((name) => name.startsWith(BEFORE)),
  )
}

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
