import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { connectTo, emptyDatabase } from '@/lib/testing/database'
import { serverPrograms, startServers } from '@/scripts/servers.mjs'
import { migrate, requireFitIfUp, requireSafeMode } from './migrate'
import { tablesMadeBy } from './migration-texts'
import { FORMER_CHECKSUMS } from './reworded-migrations'

const FOLDER = 'prisma/migrations'
const NAMES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()

const DAILY_TOTALS = '20261124000700_daily_totals'
/** As MariaDB applied it, and MySQL refused it, by the way in which it is grouped. */
const FORMER_DAILY_TOTALS = readFileSync('lib/testing/fixtures/daily-totals-before.sql', 'utf8')

const root = mkdtempSync(join(tmpdir(), 'terse-migrations-'))
afterAll(() => rmSync(root, { recursive: true }))
let copies = 0

/** A copy of the migrations, to be changed, with further ones. */
function copyOfMigrations(further: Record<string, string> = {}): string {
  const folder = join(root, String(copies++))
  cpSync(FOLDER, folder, { recursive: true })
  for (const [name, sql] of Object.entries(further)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'migration.sql'), sql)
  }
  return folder
}

async function query<T>(url: string, sql: string): Promise<T[]> {
  const connection = await connectTo(url)
  try {
    return await connection.query<T[]>(sql)
  } finally {
    await connection.end()
  }
}

interface Row {
  id: string
  checksum: string
  migration_name: string
  started_at: Date
  finished_at: Date | null
  rolled_back_at: Date | null
  logs: string | null
  applied_steps_count: number
}
/** All columns and indexes there are, as lines. */
const columnsAndIndexes = async (url: string) =>
  (
    await query<{ line: string }>(
      url,
      `SELECT CONCAT_WS(' ', TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT) AS line
         FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()
       UNION ALL SELECT CONCAT_WS(' ', TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME)
         FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()`,
    )
  )
    .map(({ line }) => line)
    .sort()
const history = (url: string) => query<Row>(url, 'SELECT * FROM _prisma_migrations ORDER BY started_at, migration_name')

describe('migrations', () => {
  it('are applied once each, in order, when several processes start at once', async () => {
    const url = await emptyDatabase()
    const folder = copyOfMigrations({
      '29990101000000_a': 'CREATE TABLE Later (id INT PRIMARY KEY); INSERT INTO Later VALUES (1);',
      '29990102000000_b': 'INSERT INTO Later VALUES (2);',
    })
    const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(url, folder)))
    expect(applied.filter((names) => names.length > 0)).toEqual([[...NAMES, '29990101000000_a', '29990102000000_b']])
    expect(await query(url, 'SELECT id FROM Later ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }])
    expect(await history(url)).toHaveLength(NAMES.length + 2)
    expect(await migrate(url, folder)).toEqual([])
  })

  it('that come with a later release are applied, and no others again', async () => {
    const url = await emptyDatabase()
    expect(await migrate(url)).toEqual(NAMES)
    const tables = await query<{ name: string }>(
      url,
      'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
    )
    const made = tablesMadeBy(NAMES)
    expect(new Set([...made.keys(), '_prisma_migrations'])).toEqual(new Set(tables.map(({ name }) => name)))
    const columns = await query<{ name: string }>(
      url,
      `SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME) AS name FROM information_schema.COLUMNS
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME <> '_prisma_migrations'`,
    )
    // A later migration dropped it.
    const dropped = ['Link.searchText']
    const said = [...made].flatMap(([table, names]) => [...names].map((name) => `${table}.${name}`))
    expect(said.filter((name) => !dropped.includes(name)).sort()).toEqual(columns.map(({ name }) => name).sort())
    const folder = copyOfMigrations({ '29990101000000_later': 'CREATE TABLE Later (id INT PRIMARY KEY)' })
    expect(await migrate(url, folder)).toEqual(['29990101000000_later'])
  })

  it('are recorded as Prisma records them', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    const rows = await history(url)
    expect(rows.map((row) => row.migration_name)).toEqual(NAMES)
    for (const row of rows) {
      const sql = readFileSync(join(FOLDER, row.migration_name, 'migration.sql'))
      expect(row).toMatchObject({ logs: null, rolled_back_at: null, applied_steps_count: 1 })
      expect(row.checksum).toBe(createHash('sha256').update(sql).digest('hex'))
      expect(row.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(row.finished_at?.getTime()).toBeGreaterThanOrEqual(row.started_at.getTime())
    }
    const columns = await query<{ name: string; type: string; nullable: string }>(
      url,
      `SELECT COLUMN_NAME AS name, COLUMN_TYPE AS type, IS_NULLABLE AS nullable FROM information_schema.COLUMNS
       WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '_prisma_migrations' ORDER BY ORDINAL_POSITION`,
    )
    // prisma-engines, sql-schema-connector, flavour/mysql: create_migrations_table
    expect(columns.map(({ name, type, nullable }) => `${name} ${type.replace('int(10)', 'int')} ${nullable}`)).toEqual([
      'id varchar(36) NO',
      'checksum varchar(64) NO',
      'finished_at datetime(3) YES',
      'migration_name varchar(255) NO',
      'logs text YES',
      'rolled_back_at datetime(3) YES',
      'started_at datetime(3) NO',
      'applied_steps_count int unsigned NO',
    ])
  })

  it('that were edited after they had been applied are refused by name, and nothing more is applied', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    const folder = copyOfMigrations({ '29990101000000_later': 'CREATE TABLE Later (id INT PRIMARY KEY)' })
    const edited = NAMES[0] ?? ''
    appendFileSync(join(folder, edited, 'migration.sql'), '\n-- harmless?\n')
    await expect(migrate(url, folder)).rejects.toThrow(`migration ${edited} was edited`)
    expect(await query(url, "SHOW TABLES LIKE 'Later'")).toEqual([])
  })

  it('that failed half-way are recorded with their error, and stop every later start', async () => {
    const url = await emptyDatabase()
    const folder = copyOfMigrations({
      '29990101000000_bad': 'CREATE TABLE Half (id INT PRIMARY KEY); INSERT INTO Nowhere VALUES (1);',
      '29990102000000_next': 'CREATE TABLE Next (id INT PRIMARY KEY)',
    })
    await expect(migrate(url, folder)).rejects.toThrow('Nowhere')
    const row = (await history(url)).find(({ migration_name }) => migration_name === '29990101000000_bad')
    expect(row).toMatchObject({ finished_at: null, rolled_back_at: null, applied_steps_count: 0 })
    expect(row?.logs).toContain('Nowhere')
    await expect(migrate(url, folder)).rejects.toThrow('29990101000000_bad failed earlier')
    expect(await query(url, "SHOW TABLES LIKE 'Next'")).toEqual([])
  })

  it('that were marked as rolled back are applied again', async () => {
    const url = await emptyDatabase()
    const folder = copyOfMigrations({ '29990101000000_bad': 'INSERT INTO Nowhere VALUES (1)' })
    await expect(migrate(url, folder)).rejects.toThrow('Nowhere')
    await query(url, 'UPDATE _prisma_migrations SET rolled_back_at = NOW(3) WHERE finished_at IS NULL')
    writeFileSync(join(folder, '29990101000000_bad', 'migration.sql'), 'CREATE TABLE Nowhere (id INT PRIMARY KEY)')
    expect(await migrate(url, folder)).toEqual(['29990101000000_bad'])
  })

  it('that were reworded are not applied again, and are recorded as they read now', async () => {
    const url = await emptyDatabase()
    await migrate(url)
    const former = createHash('sha256').update(FORMER_DAILY_TOTALS).digest('hex')
    await query(url, `UPDATE _prisma_migrations SET checksum = '${former}' WHERE migration_name = '${DAILY_TOTALS}'`)
    expect(await migrate(url)).toEqual([])
    const sql = readFileSync(join(FOLDER, DAILY_TOTALS, 'migration.sql'))
    const row = (await history(url)).find(({ migration_name }) => migration_name === DAILY_TOTALS)
    expect(row).toMatchObject({ checksum: createHash('sha256').update(sql).digest('hex'), rolled_back_at: null })
    expect(row?.finished_at).not.toBeNull()
  })

  it('whose former wording failed are applied as they read now', async () => {
    const url = await emptyDatabase()
    const folder = copyOfMigrations()
    writeFileSync(join(folder, DAILY_TOTALS, 'migration.sql'), FORMER_DAILY_TOTALS)
    // With all of its default modes, MySQL refuses its GROUP BY. What fails on every engine:
    const earlier = copyOfMigrations()
    for (const name of NAMES.slice(NAMES.indexOf(DAILY_TOTALS))) rmSync(join(earlier, name), { recursive: true })
    await migrate(url, earlier)
    await query(url, 'RENAME TABLE ClickRollup TO Elsewhere')
    await expect(migrate(url, folder)).rejects.toThrow('ClickRollup')
    await query(url, 'RENAME TABLE Elsewhere TO ClickRollup')
    expect(await migrate(url)).toEqual(NAMES.slice(NAMES.indexOf(DAILY_TOTALS)))
    const rows = (await history(url)).filter(({ migration_name }) => migration_name === DAILY_TOTALS)
    expect(rows.filter((row) => row.finished_at !== null)).toHaveLength(1)
    expect(rows.filter((row) => row.finished_at === null && row.rolled_back_at === null)).toEqual([])
    expect(await migrate(url)).toEqual([])
  })

  it.each(['', 'ANSI_QUOTES'])('are refused by a server that cuts off what is too long, with the sql_mode "%s"', async (mode) => {
    const connection = await connectTo(await emptyDatabase())
    try {
      await connection.query('SET SESSION sql_mode = ?', [mode])
      await connection.query('CREATE TEMPORARY TABLE Short (text VARCHAR(3))')
      await connection.query("INSERT INTO Short VALUES ('longer')")
      expect(await connection.query('SELECT text FROM Short')).toEqual([{ text: 'lon' }])
      await expect(requireSafeMode(connection)).rejects.toThrow('add STRICT_TRANS_TABLES to its sql_mode')
      await connection.query("SET SESSION sql_mode = 'STRICT_ALL_TABLES'")
      await requireSafeMode(connection)
    } finally {
      await connection.end()
    }
  })

  it('are refused by a server on which a text could become SQL', async () => {
    const connection = await connectTo(await emptyDatabase())
    try {
      await requireSafeMode(connection)
      await connection.query("SET SESSION sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')")
      await expect(requireSafeMode(connection)).rejects.toThrow('NO_BACKSLASH_ESCAPES')
    } finally {
      await connection.end()
    }
  })

  it('and a process that does not migrate are refused by a server with an unsafe mode; one that is away refuses nobody', async () => {
    const programs = { ...(await serverPrograms()), mariadbArgs: ['--sql-mode=NO_ENGINE_SUBSTITUTION'], mariadbQuery: '' }
    const servers = await startServers({ dir: join(root, 'unsafe'), sync: false, programs })
    try {
      await expect(migrate(servers.databaseUrl)).rejects.toThrow('add STRICT_TRANS_TABLES')
      await expect(requireFitIfUp(servers.databaseUrl)).rejects.toThrow('add STRICT_TRANS_TABLES')
    } finally {
      await servers.stop()
    }
    await requireFitIfUp(servers.databaseUrl)
  })

  describe.each(NAMES.filter((name) => name >= '20261125'))('%s', (name) => {
    it('can be gone on with after attempts that ended at each of its steps, once they are marked as rolled back', async () => {
      const [whole, url] = [await emptyDatabase(), await emptyDatabase()]
      await migrate(whole)
      const sql = readFileSync(join(FOLDER, name, 'migration.sql'), 'utf8')
      const steps = sql.trim().split(/(?<=;)\n+(?!PREPARE|EXECUTE|DEALLOCATE)/)
      // Each attempt comes one step further than the one before, over all that it left.
      for (let done = 0; done <= steps.length; done++) {
        const folder = copyOfMigrations()
        writeFileSync(join(folder, name, 'migration.sql'), `${steps.slice(0, done).join('\n')} INSERT INTO Nowhere VALUES (1);`)
        await expect(migrate(url, folder)).rejects.toThrow('Nowhere')
        await query(url, 'UPDATE _prisma_migrations SET rolled_back_at = NOW(3) WHERE finished_at IS NULL')
      }
      expect(await migrate(url)).toEqual(NAMES.slice(NAMES.indexOf(name)))
      expect(await columnsAndIndexes(url)).toEqual(await columnsAndIndexes(whole))
    })
  })

  it.each(Object.entries(FORMER_CHECKSUMS))('%s is not applied again where a former text of it was', async (name, formers) => {
    for (const former of formers) {
      const url = await emptyDatabase()
      await migrate(url)
      await query(url, `UPDATE _prisma_migrations SET checksum = '${former}' WHERE migration_name = '${name}'`)
      expect(await migrate(url)).toEqual([])
    }
  })

  it('sum the clicks of each day, whatever an earlier attempt left behind', async () => {
    const url = await emptyDatabase()
    const before = copyOfMigrations()
    for (const name of NAMES.slice(NAMES.indexOf(DAILY_TOTALS))) rmSync(join(before, name), { recursive: true })
    await migrate(url, before)
    const day = 24 * 20_000
    const row = (link: number, span: number, hour: number, clicks: number) =>
      `(${link}, 0, ${span}, ${hour}, '', ${clicks}, 1, 0, 0)`
    await query(
      url,
      `INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews) VALUES
       ${[row(1, 1, day, 3), row(1, 1, day + 23, 4), row(1, 1, day + 24, 5), row(2, 1, day + 1, 6), row(1, 24, day, 99)].join(', ')}`,
    )
    await migrate(url)
    const sums = 'SELECT linkId, hour, clicks, visitors FROM ClickRollup WHERE dimension = 0 AND span = 24 ORDER BY linkId, hour'
    expect((await query<Record<string, bigint>>(url, sums)).map((sum) => Object.values(sum).map(Number))).toEqual([
      [0, day, 13, 3],
      [0, day + 24, 5, 1],
      [1, day, 7, 2],
      [1, day + 24, 5, 1],
      [2, day, 6, 1],
    ])
  })
})
