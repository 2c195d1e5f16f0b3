import type { Connection } from 'mariadb'
import { settleStep } from '@/lib/clicks/account-settling'
import { filterSettings } from '@/lib/codes/rebuild'
import { type Config, readConfig } from '@/lib/config'
import { countStep } from '@/lib/counts/counter'
import { DatabaseGateway } from '@/lib/db/gateway'
import { idAt } from '@/lib/db/id'
import { migrate } from '@/lib/db/migrate'
import { type CodeStores, rebuildCodes } from '@/lib/redirect/trust'
import { buildRedirects } from '@/lib/redirect-runtime'

/** Odd, so that a product modulo a power of two tells its factor: codes are scattered, and none comes twice. */
export const SCATTER = 22_695_477n
export const SPACE = 2n ** 35n
/** A prime: the r-th most popular link is not the r-th that was created. */
const STEP = 7_368_787
export const CODE_LENGTH = 7
/** Rows of a statement. */
export const PIECE = 50_000
/** Links of a block of the search index; what it holds of them is of no matter here, but an app at work on it is. */
const BLOCK = 16_384
/** How long ago the last link was created, in ms. */
const AGE = 600_000
export const ID_STEP = idAt(1, 0, 0) - idAt(0, 0, 0)

/** The path of the link with this rank, of so many that were seeded. */
export function seededPath(rank: number, count: number): string {
  const scattered = (BigInt((rank * STEP) % count) * SCATTER) % SPACE
  return `/${scattered.toString(36).toUpperCase().padStart(CODE_LENGTH, '0')}`
}

/**
 * Migrates an empty database and puts `count` links into it, without the app: the goals of creating links are other cases.
 * Then has the app's own code make the filter from them.
 */
export async function seed(server: Connection, settings: Record<string, string>, count: number): Promise<void> {
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error', ...settings })
  await migrate(config.DATABASE_URL)
  const db = new DatabaseGateway(config.DATABASE_URL, 4)
  const runtime = await buildRedirects(config, db, null)
  try {
    await server.query(`USE ${new URL(config.DATABASE_URL).pathname.slice(1)}`)
    await insertLinks(server, runtime.domains.resolve(undefined), count)
    await fillFilter(config, { ...runtime, db })
    await settle(db)
  } finally {
    await runtime.close()
  }
}

/** What an app at rest has done long ago, and else would do in the background while it is measured. */
async function settle(db: DatabaseGateway): Promise<void> {
  while (await countStep(db));
  while (await settleStep(db));
}

export async function fillFilter(config: Config, stores: Omit<CodeStores, 'settings'>): Promise<void> {
  if (!(await stores.redis.connected(3_000))) throw new Error('Redis does not answer')
  const nothing = () => {}
  const { done } = await rebuildCodes({ ...stores, settings: filterSettings(config) }, nothing, nothing)
  if (done === 0) throw new Error('the filter is empty')
}

/** Its indexes are made when the rows are there: by sorting, not by looking each place up. */
async function insertLinks(server: Connection, host: string, count: number): Promise<void> {
  const { drop, add } = await indexesOf(server, 'Link')
  await server.query('INSERT IGNORE INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))', [
    host,
  ])
  const [domain]: { id: number }[] = await server.query('SELECT id FROM Domain WHERE host = ?', [host])
  const first = Date.now() - AGE - count
  const firstId = idAt(first, 0, 0)
  await server.query(`ALTER TABLE Link ${drop.join(', ')}`)
  for (let from = 0; from < count; from += PIECE) {
    const rows = Math.min(PIECE, count - from)
    await server.query(
      `INSERT INTO Link (id, domainId, code, fullShortUrl, url, urlHash, manageTokenHash, createdAt, updatedAt, version)
       SELECT id, ?, code, CONCAT(?, '/', code), url, UNHEX(SHA2(url, 256)), UNHEX(SHA2(id, 256)), at, at, id FROM (
         SELECT ? + n * ${ID_STEP} AS id,
           LPAD(CONV(MOD(n * ${SCATTER}, ${SPACE}), 10, 36), ${CODE_LENGTH}, '0') AS code,
           CONCAT('https://www.example.com/articles/2026/11/how-to-number-', n, '?utm_source=newsletter&utm_campaign=november') AS url,
           ? + INTERVAL n * 1000 MICROSECOND AS at
         FROM (${NUMBERS}) AS numbers WHERE n < ?
       ) AS links ORDER BY id`,
      [domain?.id, host, firstId, sqlTime(first), from, from + rows],
    )
  }
  await server.query(`ALTER TABLE Link ${add.join(', ')}`)
  const at = (n: number) => [sqlTime(first + n), firstId + BigInt(n) * ID_STEP]
  const blocks = Array.from({ length: Math.ceil(count / BLOCK) }, (_, i) => {
    const [from, to] = [i * BLOCK - 1, Math.min(count, (i + 1) * BLOCK) - 1]
    const begin = i === 0 ? ['1970-01-01 00:00:00', 0n] : at(from)
    return [i + 1, ...begin, ...at(to), to - from, to - from, 0, firstId + BigInt(from + 1) * ID_STEP, at(to)[1]]
  })
  await server.batch('INSERT INTO SearchBlock VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', blocks)
  await server.query('ANALYZE TABLE Link')
}

/** PIECE numbers from `?` on, in the SQL of both databases. */
const DIGITS = `(${Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')})`
export const NUMBERS = `SELECT ? + a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n
  FROM ${DIGITS} a, ${DIGITS} b, ${DIGITS} c, ${DIGITS} e, ${DIGITS} f WHERE f.d < 5`

export const sqlTime = (time: number) => new Date(time).toISOString().slice(0, 23).replace('T', ' ')

/** The clauses that drop the secondary indexes of a table, and make them again. */
export async function indexesOf(server: Connection, table: string): Promise<{ drop: string[]; add: string[] }> {
  const rows: { name: string; isPlain: unknown; columns: string }[] = await server.query(
    `SELECT INDEX_NAME AS name, MAX(NON_UNIQUE) AS isPlain, GROUP_CONCAT(CONCAT('\`', COLUMN_NAME, '\`') ORDER BY SEQ_IN_INDEX) AS columns
     FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND INDEX_NAME <> 'PRIMARY' GROUP BY INDEX_NAME`,
    [table],
  )
  return {
    drop: rows.map(({ name }) => `DROP INDEX \`${name}\``),
    add: rows.map(({ name, isPlain, columns }) => `ADD ${Number(isPlain) ? '' : 'UNIQUE '}INDEX \`${name}\` (${columns})`),
  }
}
