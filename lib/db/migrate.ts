import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, createConnection } from 'mariadb'
import { parseDatabaseUrl } from './address'
import { FORMER_CHECKSUMS } from './reworded-migrations'

const LOCK = 'terse_migrate'
const LOCK_SECONDS = 120

/** As Prisma's own CLI makes it, so that `prisma migrate status` and `deploy` agree with what is applied here. */
const HISTORY_TABLE = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         DATETIME(3),
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      DATETIME(3),
  started_at          DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  applied_steps_count INTEGER UNSIGNED NOT NULL DEFAULT 0
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`

interface HistoryRow {
  id: string
  checksum: string
  migration_name: string
  finished_at: Date | null
}

/**
 * Applies the migrations of `prisma/migrations` that the database does not have yet, in order of name,
 * under a named lock, so that any number of processes may start at once. A migration that was reworded (`FORMER_CHECKSUMS`)
 * counts as applied under its former text.
 * @returns the names of the migrations applied now
 * @throws Error when an applied migration was edited, an earlier one failed half-way, or the server takes texts otherwise than
 *   the driver writes them
 */
export async function migrate(databaseUrl: string, folder = 'prisma/migrations'): Promise<string[]> {
  const connection = await createConnection({
    ...parseDatabaseUrl(databaseUrl),
    multipleStatements: true,
    connectTimeout: 5_000,
    timezone: 'Z',
    allowPublicKeyRetrieval: true,
  })
  try {
    await requireEscapes(connection)
    const [lock] = await connection.query<{ ok: number | bigint | null }[]>(`SELECT GET_LOCK('${LOCK}', ${LOCK_SECONDS}) AS ok`)
    if (Number(lock?.ok) !== 1) throw new Error(`another process has been migrating for over ${LOCK_SECONDS} s`)
    return await applyMissing(connection, folder)
  } finally {
    await connection.end() // gives the lock back too
  }
}

/** The driver writes quotes and backslashes in texts with a backslash, whatever the mode: in this one, texts could be SQL. */
export async function requireEscapes(connection: Pick<Connection, 'query'>): Promise<void> {
  const [row] = await connection.query<{ mode: string }[]>('SELECT @@SESSION.sql_mode AS mode')
  if (!row?.mode.split(',').includes('NO_BACKSLASH_ESCAPES')) return
  throw new Error('the database runs with the SQL mode NO_BACKSLASH_ESCAPES, which is not safe here: take it out of sql_mode')
}

async function applyMissing(connection: Connection, folder: string): Promise<string[]> {
  await connection.query(HISTORY_TABLE)
  await recogniseReworded(connection, folder)
  const history = await readHistory(connection)
  const applied: string[] = []
  for (const name of migrationNames(folder)) {
    const { sql, checksum } = readMigration(folder, name)
    const known = history.get(name)
    if (!known) {
      await apply(connection, name, sql, checksum)
      applied.push(name)
    } else if (!known.finished_at) {
      throw new Error(`migration ${name} failed earlier; mend the database, then mark it with \`prisma migrate resolve\``)
    } else if (known.checksum !== checksum) {
      throw new Error(`migration ${name} was edited after it had been applied`)
    }
  }
  return applied
}

/**
 * Records a migration that was applied under a former text as applied under today's, so that Prisma's CLI sees no edit either,
 * and marks one that failed under a former text as rolled back, so that today's is applied.
 */
async function recogniseReworded(connection: Connection, folder: string): Promise<void> {
  const history = await readHistory(connection)
  for (const name of migrationNames(folder)) {
    const known = history.get(name)
    if (!known || !FORMER_CHECKSUMS[name]?.includes(known.checksum)) continue
    const { checksum } = readMigration(folder, name)
    if (checksum === known.checksum) continue
    if (known.finished_at) await connection.query('UPDATE _prisma_migrations SET checksum = ? WHERE id = ?', [checksum, known.id])
    else await connection.query('UPDATE _prisma_migrations SET rolled_back_at = NOW(3) WHERE id = ?', [known.id])
  }
}

/** What the database says was applied or begun, by name. */
async function readHistory(connection: Connection): Promise<Map<string, HistoryRow>> {
  const rows = await connection.query<HistoryRow[]>(
    'SELECT id, checksum, migration_name, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  return new Map(rows.map((row) => [row.migration_name, row]))
}

/** @returns the text of a migration, and its checksum as Prisma counts it */
function readMigration(folder: string, name: string): { sql: string; checksum: string } {
  const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
  return { sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

async function apply(connection: Connection, name: string, sql: string, checksum: string): Promise<void> {
  const id = randomUUID()
  await connection.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES (?, ?, ?)', [id, checksum, name])
  try {
    await connection.query(sql)
  } catch (error) {
    await connection.query('UPDATE _prisma_migrations SET logs = ? WHERE id = ?', [String(error), id])
    throw error
  }
  await connection.query('UPDATE _prisma_migrations SET finished_at = NOW(3), applied_steps_count = 1 WHERE id = ?', [id])
}

function migrationNames(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
