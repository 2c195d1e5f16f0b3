import { createConnection } from 'mariadb'
import { parseDatabaseUrl } from '../../lib/tools/database-url'
import { appSettings } from './settings'

/** Runs a statement on the app's database: for what no visitor can bring about, such as time that has passed. */
export async function query(sql: string, values: unknown[] = []): Promise<void> {
  const connection = await createConnection({ ...parseDatabaseUrl(appSettings().DATABASE_URL ?? ''), timezone: 'Z' })
  try {
    await connection.query(sql, values)
  } finally {
    await connection.end()
  }
}
