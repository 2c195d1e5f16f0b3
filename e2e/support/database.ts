import { createConnection } from 'mariadb'
import { parseDatabaseUrl } from '../../lib/tools/database-url'
import { appSettings } from './settings'

/**
 * Runs a statement on the app's database: for what no visitor can bring about, such as time that has passed, or see.
 * @returns the rows of a query
 */
export async function query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const connection = await createConnection({ ...parseDatabaseUrl(appSettings().DATABASE_URL ?? ''), timezone: 'Z' })
  try {
    return await connection.query<Row[]>(sql, values)
  } finally {
    await connection.end()
  }
}
