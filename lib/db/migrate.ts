import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from 'mariadb'
import { withTimeout } from '@/lib/tools/timeout'
import { UnfitDatabase } from './errors'
import { isGalera, MigrationTurn } from './galera'
import { openConnection } from './open'
import { FORMER_CHECKSUMS } from './reworded-migrations'

const LOCK = 'terse_migrate'
const LOCK_SECONDS = 120
const FOLDER = 'prisma/migrations'
/** Is there from the beginning of a restore to its end. */
export const RESTORE_TABLE = '_terse_restore'

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
 * under a named lock, and in a Galera cluster a row that all nodes see, so that any number of processes may start at once. A
 * migration that was reworded (`FORMER_CHECKSUMS`) counts as applied under its former text.
 * @returns the names of the migrations applied now
 * @throws Error when an applied migration was edited, an earlier one failed half-way, or the server takes texts otherwise than
 *   the driver writes them
 */
export function migrate(databaseUrl: string, folder = FOLDER): Promise<string[]> {
  return withMigrationLock(databaseUrl, async (connection) => {
    await requireFinishedRestore(connection)
    return await applyMissing(connection, folder)
  })
}

/** @throws UnfitDatabase when a restore (lib/backup/restore.ts) began here and did not end: half of the data is there */
export async function requireFinishedRestore(connection: Pick<Connection, 'query'>): Promise<void> {
  const found = await connection.query<unknown[]>(`SHOW TABLES LIKE '${RESTORE_TABLE.replaceAll('_', '\\_')}'`)
  if (found.length > 0) throw new UnfitDatabase('a restore into this database did not end: run `npm run restore` again')
}

/** How long a process that starts waits for MySQL to say whether it is fit, and for the connection before that, in ms. */
const PATIENCE = 1_000

/**
 * For a process that does not migrate, and starts even while MySQL is away: also where it takes logins and answers no statement,
 * or refuses them all.
 * @throws UnfitDatabase when MySQL answers and is not fit to be used: as `withMigrationLock`, or a restore did not end
 */
export async function requireFitIfUp(databaseUrl: string): Promise<void> {
  const connection = await openConnection(databaseUrl, { connectTimeout: PATIENCE }).catch(() => null)
  if (!connection) return
  try {
    await withTimeout(requireFit(connection), PATIENCE, 'MySQL')
  } catch (error) {
    connection.destroy()
    if (error instanceof UnfitDatabase) throw error
  }
}

/** Ends the connection where all is well. */
async function requireFit(connection: Connection): Promise<void> {
  await requireSafeMode(connection)
  await isGalera(connection)
  await requireFinishedRestore(connection)
  await connection.end()
}

/**
 * Does `work` while no process migrates, and none that starts comes further.
 * @param work is given the connection that holds the lock, and all that are open for it
 * @throws Error when the server takes texts otherwise than the driver writes them, or is a Galera node that answers too early;
 *   what `work` throws
 */
export async function withMigrationLock<T>(
  databaseUrl: string,
  work: (connection: Connection, all: readonly Connection[]) => Promise<T>,
): Promise<T> {
  const connect = () => openConnection(databaseUrl, { multipleStatements: true, connectTimeout: 5_000 })
  const connection = await connect()
  let turn: MigrationTurn | undefined
  try {
    await requireSafeMode(connection)
    // Prisma's history is in UTC.
    await connection.query("SET time_zone = '+00:00'")
    const [lock] = await connection.query<{ ok: number | bigint | null }[]>(`SELECT GET_LOCK('${LOCK}', ${LOCK_SECONDS}) AS ok`)
    if (Number(lock?.ok) !== 1) throw new Error(`another process has been migrating for over ${LOCK_SECONDS} s`)
    if (!(await isGalera(connection))) return await work(connection, [connection])
    const beating = await connect()
    turn = new MigrationTurn(beating, () => connection.destroy())
    await turn.take(1_000 * LOCK_SECONDS)
    return await work(connection, [connection, beating])
  } finally {
    await turn?.end()
    await connection.end() // gives the lock back too
  }
}

/**
 * Two modes are not safe here. The driver writes quotes and backslashes in texts with a backslash, whatever the mode: with
 * NO_BACKSLASH_ESCAPES, texts could be SQL. Without a strict one, what is too long is cut off without an error: a destination
 * too. To set a mode for each connection takes a statement, which could be lost (lib/db/open.ts).
 * @throws UnfitDatabase
 */
export async function requireSafeMode(connection: Pick<Connection, 'query'>): Promise<void> {
  const [row] = await connection.query<{ mode: string }[]>('SELECT @@SESSION.sql_mode AS mode')
  const modes = row?.mode.split(',') ?? []
  if (modes.includes('NO_BACKSLASH_ESCAPES')) {
    throw new UnfitDatabase(
      'the database runs with the SQL mode NO_BACKSLASH_ESCAPES, which is not safe here: take it out of sql_mode',
    )
  }
  if (modes.includes('STRICT_TRANS_TABLES') || modes.includes('STRICT_ALL_TABLES')) return
  throw new UnfitDatabase(
    'the database cuts off values that are too long, without an error: add STRICT_TRANS_TABLES to its sql_mode',
  )
}

/**
 * Applies what is missing, by a connection that holds the lock.
 * @param isWanted leaves out migrations: what was made under fewer of them is filled first
 */
export async function applyMissing(
  connection: Connection,
  folder = FOLDER,
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  await connection.query(HISTORY_TABLE)
  await recogniseReworded(connection, folder)
  const history = await readHistory(connection)
  const applied: string[] = []
  for (const name of migrationNames(folder).filter(isWanted)) {
    const { sql, checksum } = readMigration(name, folder)
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
    const { checksum } = readMigration(name, folder)
    if (checksum === known.checksum) continue
    if (known.finished_at) await connection.query('UPDATE _prisma_migrations SET checksum = ? WHERE id = ?', [checksum, known.id])
    else await connection.query('UPDATE _prisma_migrations SET rolled_back_at = NOW(3) WHERE id = ?', [known.id])
  }
}

/** What the database says was applied or begun, by name. */
export async function readHistory(connection: Pick<Connection, 'query'>): Promise<Map<string, HistoryRow>> {
  const rows = await connection.query<HistoryRow[]>(
    'SELECT id, checksum, migration_name, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  return new Map(rows.map((row) => [row.migration_name, row]))
}

/** @returns the text of a migration, and its checksum as Prisma counts it */
export function readMigration(name: string, folder = FOLDER): { sql: string; checksum: string } {
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

export function migrationNames(folder = FOLDER): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
