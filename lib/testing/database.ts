import { randomBytes } from 'node:crypto'
import { type Connection, createConnection } from 'mariadb'
import { parseDatabaseUrl } from '@/lib/db/address'
import { migrate } from '@/lib/db/migrate'
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
export function connectTo(url: string): Promise<Connection> {
  return createConnection({
    ...parseDatabaseUrl(url),
    timezone: 'Z',
    allowPublicKeyRetrieval: true,
    connectAttributes: UNRECORDED,
  })
}

/** An empty database that is dropped when the file's tests are done. */
export async function emptyDatabase(): Promise<string> {
  const server = new URL(serverUrl())
  const name = `terse_t_${randomBytes(6).toString('hex')}`
  const { database: _none, ...address } = parseDatabaseUrl(server.href)
  const admin = await createConnection({ ...address, allowPublicKeyRetrieval: true })
  // Another default collation than the server's own: no table may lean on it.
  await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`)
  atEnd(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${name}`)
    await admin.end()
  })
  server.pathname = `/${name}`
  if (process.env.TEST_STATEMENTS) recordStatements(server.href, process.env.TEST_STATEMENTS)
  return server.href
}

/** A migrated database of this test file's own, dropped when its tests are done. Call it at the top level. */
export async function testDatabase(): Promise<TestDatabase> {
  const url = await emptyDatabase()
  await migrate(url)
  const connection = await connectTo(url)
  atEnd(() => connection.end())
  return { url, connection }
}
