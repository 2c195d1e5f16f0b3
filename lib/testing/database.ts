import { randomBytes } from 'node:crypto'
import { type Connection, type ConnectionConfig, createConnection } from 'mariadb'
import { migrate } from '@/lib/db/migrate'
import { parseDatabaseUrl } from '@/lib/tools/database-url'
import { atEnd } from './cleanup'
import { recordStatements, UNRECORDED } from './statements'

export interface TestDatabase {
  url: string
  /** A connection of the test's own, to look behind the back of what is tested. */
  connection: Connection
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is not set; run the tests with `npm test -- unit`')
  return url
}

/** Another connection to the database at `url`; close it. */
export function connectTo(url: string, options: ConnectionConfig = {}): Promise<Connection> {
  return createConnection({
    ...parseDatabaseUrl(url),
    ...options,
    timezone: 'Z',
    allowPublicKeyRetrieval: true,
    connectAttributes: UNRECORDED,
  })
}

interface OwnDatabase {
  url: string
  drop: () => Promise<void>
}

async function createDatabase(): Promise<OwnDatabase> {
  const server = new URL(serverUrl())
  const name = `terse_t_${randomBytes(6).toString('hex')}`
  const { database: _none, ...address } = parseDatabaseUrl(server.href)
  const admin = await createConnection({ ...address, allowPublicKeyRetrieval: true })
  // Another default collation than the server's own: no table may lean on it.
  await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`)
  server.pathname = `/${name}`
  return {
    url: server.href,
    drop: async () => {
      await admin.query(`DROP DATABASE IF EXISTS ${name}`)
      await admin.end()
    },
  }
}

/** An empty database that is dropped when the file's tests are done. */
export async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createDatabase()
  atEnd(drop)
  if (process.env.TEST_STATEMENTS) recordStatements(url, process.env.TEST_STATEMENTS)
  return url
}

/** A migrated database of this test file's own, dropped when its tests are done. Call it at the top level. */
export async function testDatabase(): Promise<TestDatabase> {
  const url = await emptyDatabase()
  const connection = await connectTo(url)
  atEnd(() => connection.end())
  await makeTables(url, connection)
  return { url, connection }
}

/** A migrated database for the built app, whose statements are not noted. */
export async function appDatabase(): Promise<OwnDatabase> {
  const database = await createDatabase()
  const connection = await connectTo(database.url)
  await makeTables(database.url, connection).finally(() => connection.end())
  return database
}

/** What the migrations make, once this process has run them: to make it again by its outcome takes a third of the time. */
let migrated: Table[] | undefined

async function makeTables(url: string, connection: Connection): Promise<void> {
  if (migrated === undefined) {
    await migrate(url)
    migrated = await readTables(connection)
  } else {
    for (const table of migrated) await makeTable(connection, table)
  }
}

interface Table {
  name: string
  create: string
  rows: Record<string, unknown>[]
}

async function readTables(connection: Connection): Promise<Table[]> {
  const tables = await connection.query<{ name: string }[]>(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
  )
  return Promise.all(
    tables.map(async ({ name }) => {
      const [made] = await connection.query<{ 'Create Table': string }[]>(`SHOW CREATE TABLE \`${name}\``)
      return { name, create: made?.['Create Table'] ?? '', rows: await connection.query(`SELECT * FROM \`${name}\``) }
    }),
  )
}

async function makeTable(connection: Connection, { name, create, rows }: Table): Promise<void> {
  await connection.query(create)
  for (const row of rows) {
    const columns = Object.keys(row)
    const insert = `INSERT INTO \`${name}\` (${columns.join()}) VALUES (${columns.map(() => '?').join()})`
    await connection.query(insert, Object.values(row))
  }
}
