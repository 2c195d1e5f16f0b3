import type { Connection } from 'mariadb'
import { ALL_LINKS, TOTAL } from '@/lib/clicks/dimensions'
import { idAt, nextId } from '@/lib/db/id'
import { LABEL_KINDS, type LabelKind } from '@/lib/labels/values'
import { DAY, DAY_HOURS } from '@/lib/tools/time'
import { CODE_LENGTH, ID_STEP, indexesOf, NUMBERS, PIECE, SCATTER, SPACE, sqlTime } from '../seed'

/** Accounts besides the admin's. */
export const ACCOUNTS = 10_000
/** Labels of the admin, by name: what they are, and of how many of the admin's links one has them. */
export const LABELS = {
  half: ['tag', 2],
  few: ['tag', 1_000],
  tenth: ['folder', 10],
} as const satisfies Record<string, [LabelKind, number]>
/** Of how many links one is the admin's. */
const ADMIN_SHARE = 10
/** Over how many days the links were created, and of how many there are clicks. */
const AGE = 300
const CLICKED_DAYS = 128
/** Links whose rollup rows one statement writes, some 50,000. */
const CLICKED_PIECE = 5_000

/** Where the generator stands, for the run that goes on with it. */
export interface Stage {
  /** Of those that begin when the one before has ended. */
  done(name: string): Promise<boolean>
  finish(name: string): Promise<void>
  /** What `of` gave when it was first asked for. */
  value<T>(name: string, of: () => T | Promise<T>): Promise<T>
}

/** Links by their place: the n-th created of `count`. */
export interface Shape {
  count: number
  /** When the first was created, and how far apart they are, in ms. */
  first: number
  spacing: number
  /** The last day with clicks, in days since 1970 UTC. */
  lastDay: number
}

export function shapeOf(count: number, now: number): Shape {
  const spacing = Math.floor((AGE * DAY) / count)
  return { count, first: now - count * spacing, spacing, lastDay: Math.floor(now / DAY) - 1 }
}

/**
 * Of a thousand links 700 were never clicked, 200 on one day, 99 on three and one on 128, each day with a row by day and one by
 * hour in eight dimensions: ten rollup rows a link on average.
 */
export function clickedDays(n: number): number {
  const place = placeOf(n)
  return place < 700 ? 0 : place < 900 ? 1 : place < 999 ? 3 : CLICKED_DAYS
}
const placeOf = (n: number) => (n * 7_919) % 1_000
const clicksADay = (n: number) => (placeOf(n) === 999 ? 1 + (Math.floor(n / 1_000) % 1_000) : 1)
/** Behind the last day, how many days its last click lies. */
const daysAgo = (n: number) => (placeOf(n) === 999 ? 0 : n % (CLICKED_DAYS - 3))

const DAYS_SQL = `(CASE WHEN place < 700 THEN 0 WHEN place < 900 THEN 1 WHEN place < 999 THEN 3 ELSE ${CLICKED_DAYS} END)`
const PER_DAY_SQL = '(CASE WHEN place = 999 THEN 1 + MOD(n DIV 1000, 1000) ELSE 1 END)'
const AGO_SQL = `(CASE WHEN place = 999 THEN 0 ELSE MOD(n, ${CLICKED_DAYS - 3}) END)`
const PLACED = `SELECT n, MOD(n * 7919, 1000) AS place FROM (${NUMBERS}) AS numbers WHERE n < ?`

/** The path of the n-th link. */
export const codeOf = (n: number) => ((BigInt(n) * SCATTER) % SPACE).toString(36).toUpperCase().padStart(CODE_LENGTH, '0')
export const idOf = ({ first, spacing }: Shape, n: number) => idAt(first, 0, 0) + BigInt(n) * BigInt(spacing) * ID_STEP

/** Accounts that own most of the links. */
export async function fillAccounts(server: Connection): Promise<void> {
  const rows = Array.from({ length: ACCOUNTS }, (_, i) => {
    const id = accountId(i)
    return [id, `Account ${i}`, `${id}@example.com`, String(20_000_000 + i), sqlTime(Date.now() - (ACCOUNTS - i) * 60_000)]
  })
  await server.batch(
    'INSERT IGNORE INTO User (id, name, email, handle, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3))',
    rows,
  )
}
const accountId = (i: number) => `bench-${String(i).padStart(6, '0')}`

/**
 * Links in order of id: a tenth of the admin's, six of ten of the accounts', the others of nobody. Their indexes are made when
 * the rows are there. Begun again, it goes on behind the last.
 */
export async function fillLinks(server: Connection, stage: Stage, shape: Shape, host: string, adminId: string): Promise<void> {
  if (await stage.done('links')) return
  const { count, first, spacing } = shape
  await server.query('INSERT IGNORE INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))', [
    host,
  ])
  const [domain]: { id: number }[] = await server.query('SELECT id FROM Domain WHERE host = ?', [host])
  // As they were at first: a run that was broken off has dropped them.
  const { drop, add } = await stage.value('indexes', () => indexesOf(server, 'Link'))
  const there = await indexesOf(server, 'Link')
  if (there.drop.length > 0 && !(await stage.done('rows'))) await server.query(`ALTER TABLE Link ${drop.join(', ')}`)
  const [held]: { last: bigint | null }[] = await server.query('SELECT MAX(id) AS last FROM Link')
  const from = held?.last == null ? 0 : Number((held.last - idOf(shape, 0)) / (BigInt(spacing) * ID_STEP)) + 1
  for (let n = from; n < count; n += PIECE) {
    await server.query(
      `INSERT INTO Link (id, domainId, code, fullShortUrl, url, urlHash, ownerId, manageTokenHash, title, clicks, createdAt, updatedAt, version)
       SELECT id, ?, code, CONCAT(?, '/', code), url, UNHEX(SHA2(url, 256)), owner, IF(owner IS NULL, UNHEX(SHA2(id, 256)), NULL),
         CONCAT('Page ', n), clicks, at, at, id FROM (
         SELECT n, ? + n * ${BigInt(spacing) * ID_STEP} AS id,
           LPAD(CONV(MOD(n * ${SCATTER}, ${SPACE}), 10, 36), ${CODE_LENGTH}, '0') AS code,
           CONCAT('https://www.site', MOD(n * 31, 3000), '.example/articles/2026/11/how-to-number-', n, '?utm_source=newsletter&utm_campaign=november') AS url,
           CASE WHEN MOD(n, ${ADMIN_SHARE}) = 0 THEN ? WHEN MOD(n, 10) < 7 THEN CONCAT('bench-', LPAD(MOD(n DIV 10, ${ACCOUNTS}), 6, '0')) END AS owner,
           ${DAYS_SQL} * ${PER_DAY_SQL} AS clicks,
           ? + INTERVAL n * ${spacing} * 1000 MICROSECOND AS at
         FROM (${PLACED}) AS placed
       ) AS links ORDER BY id`,
      [domain?.id, host, idOf(shape, 0), adminId, sqlTime(first), n, Math.min(count, n + PIECE)],
    )
    progress('links', n + PIECE, count)
  }
  await stage.finish('rows')
  if ((await indexesOf(server, 'Link')).add.length === 0) await server.query(`ALTER TABLE Link ${add.join(', ')}`)
  await server.query('ANALYZE TABLE Link')
  await stage.finish('links')
}

/** The admin's tags and folders, and which links have them. */
export async function fillLabels(server: Connection, stage: Stage, shape: Shape, adminId: string): Promise<void> {
  if (await stage.done('labels')) return
  await server.query('DELETE FROM LinkLabel')
  await server.query('DELETE FROM Label WHERE ownerId = ?', [adminId])
  for (const [name, [kind, share]] of Object.entries(LABELS)) {
    const id = nextId()
    await server.query('INSERT INTO Label (id, ownerId, kind, name, nameKey) VALUES (?, ?, ?, ?, ?)', [
      id,
      adminId,
      LABEL_KINDS[kind],
      name,
      name,
    ])
    await server.query(
      'INSERT INTO LinkLabel (labelId, linkId) SELECT ?, id FROM Link WHERE ownerId = ? AND MOD((id - ?) DIV ?, ?) = 0 ORDER BY id',
      [id, adminId, idOf(shape, 0), BigInt(shape.spacing) * ID_STEP, ADMIN_SHARE * share],
    )
  }
  await server.query('ANALYZE TABLE LinkLabel')
  await stage.finish('labels')
}

/**
 * The rollups of all links' clicks, in order of their key, and those of all links together. Begun again, it goes on behind the
 * last.
 */
export async function fillRollups(server: Connection, stage: Stage, shape: Shape): Promise<void> {
  if (await stage.done('rollups')) return
  const { count, spacing, lastDay } = shape
  await smallTables(server)
  const [held]: { last: bigint | null }[] = await server.query('SELECT MAX(linkId) AS last FROM ClickRollup WHERE linkId > 0')
  const last = held?.last == null ? -1 : Number((held.last - idOf(shape, 0)) / (BigInt(spacing) * ID_STEP))
  const from = Math.floor(Math.max(0, last) / CLICKED_PIECE) * CLICKED_PIECE
  if (last >= 0) await server.query('DELETE FROM ClickRollup WHERE linkId >= ?', [idOf(shape, from)])
  for (let n = from; n < count; n += CLICKED_PIECE) {
    await server.query(
      `INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews)
       SELECT STRAIGHT_JOIN l.id, d.dimension, s.span, (l.firstDay + y.i) * ${DAY_HOURS} + IF(s.span = 1, MOD(l.n, 24), 0),
         IF(d.dimension = ${TOTAL}, '', CONCAT(d.name, MOD(l.n + y.i, d.variety))), l.perDay, l.perDay, 0, 0
       FROM (SELECT n, ? + n * ${BigInt(spacing) * ID_STEP} AS id, ${DAYS_SQL} AS days, ${PER_DAY_SQL} AS perDay,
               ? - ${AGO_SQL} - ${DAYS_SQL} + 1 AS firstDay
             FROM (SELECT n + ? AS n, MOD((n + ?) * 7919, 1000) AS place FROM terse_bench_n WHERE n < ?) AS placed
             WHERE place >= 700 ORDER BY n LIMIT ${CLICKED_PIECE}) AS l
       STRAIGHT_JOIN terse_bench_dimensions AS d STRAIGHT_JOIN terse_bench_spans AS s
       STRAIGHT_JOIN terse_bench_days AS y ON y.i < l.days`,
      [idOf(shape, 0), lastDay, n, n, Math.min(CLICKED_PIECE, count - n)],
    )
    if (n % (100 * CLICKED_PIECE) === 0) progress('rollups of links', n, count)
  }
  await fillTotals(server, shape)
  await server.query('ANALYZE TABLE ClickRollup')
  await stage.finish('rollups')
}

/** The clicks of all links together, by day. */
async function fillTotals(server: Connection, { count, lastDay }: Shape): Promise<void> {
  const days = new Map<number, number>()
  for (let n = 0; n < count; n++) {
    const last = lastDay - daysAgo(n)
    for (let day = last - clickedDays(n) + 1; day <= last; day++) days.set(day, (days.get(day) ?? 0) + clicksADay(n))
  }
  await server.batch(
    `INSERT IGNORE INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews) VALUES (${ALL_LINKS}, ${TOTAL}, ${DAY_HOURS}, ?, '', ?, ?, 0, 0)`,
    [...days].map(([day, clicks]) => [day * DAY_HOURS, clicks, clicks]),
  )
}

/** What the statement above joins, of this connection alone. */
async function smallTables(server: Connection): Promise<void> {
  const table = async (name: string, columns: string, rows: unknown[][]) => {
    await server.query(`CREATE TEMPORARY TABLE ${name} (${columns})`)
    await server.batch(`INSERT INTO ${name} VALUES (${rows[0]?.map(() => '?').join()})`, rows)
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, i) => [i])
  await table('terse_bench_n', 'n INT PRIMARY KEY', upTo(CLICKED_PIECE))
  await table('terse_bench_days', 'i INT PRIMARY KEY', upTo(CLICKED_DAYS))
  await table('terse_bench_spans', 'span INT PRIMARY KEY', [[1], [DAY_HOURS]])
  const dimensions = [
    [0, '', 1],
    [1, 'www.referrer.example', 40],
    [2, 'C', 10],
    [3, 'City of ', 300],
    [4, 'Browser ', 6],
    [5, 'System ', 5],
    [6, 'device', 3],
    [7, 'language', 9],
  ]
  await table('terse_bench_dimensions', 'dimension INT PRIMARY KEY, name VARCHAR(40), variety INT', dimensions)
}

export function progress(what: string, done: number, of: number): void {
  console.log(
    `  ${new Date().toISOString().slice(11, 19)} ${what}: ${Math.min(done, of).toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`,
  )
}
