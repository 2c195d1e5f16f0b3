import { beforeAll, expect, it } from 'vitest'
import { DIMENSIONS } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { pieces } from '@/lib/db/pieces'
import { insertLinks } from '@/lib/links/insert'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { linkRow, SILENT } from '@/lib/testing/links'
import { DAY } from '@/lib/tools/time'
import { ScopeCounter } from './counting'
import { ScopeStatsQuery } from './schemas'
import { getScopeStats, MOST_ROWS, type ScopeStatsContext } from './stats'

const { url, connection } = await testDatabase()
const gateway = openGateway(url)
const scopeCounting = new ScopeCounter(gateway, SILENT)

const [LINKS, DAYS, TAGGED, BUSY] = [1_000, 16, 80, 100]
const TODAY = Math.floor(Date.now() / DAY)
const OWNER = 'owner of many'
const links = Array.from({ length: LINKS }, () => linkRow({ ownerId: OWNER, clicks: BigInt(DAYS) }))

beforeAll(async () => {
  for (const some of pieces(links, 500)) await insertLinks(gateway.client, some)
  // An hour and its day for each link, dimension and day: 416,000 rows.
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => `SELECT ${i} AS n`).join(' UNION ALL ')
  await connection.query(
    `INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews)
     SELECT Link.id, dimension.n, span.n, (${TODAY} - day.n) * 24, IF(dimension.n = 0, '', MOD(Link.id, 7)), 1, 1, 0, 0
       FROM Link JOIN (${numbers(DIMENSIONS.length + 1)}) AS dimension JOIN (SELECT 1 AS n UNION ALL SELECT 24) AS span
       JOIN (${numbers(DAYS)}) AS day`,
  )
  const [tagged, busy, wide] = [nextId(), nextId(), nextId()]
  await connection.batch('INSERT INTO Label (id, ownerId, kind, name, nameKey) VALUES (?, ?, 1, ?, ?)', [
    [tagged, OWNER, 'few', 'few'],
    [busy, OWNER, 'busy', 'busy'],
    [wide, OWNER, 'wide', 'wide'],
  ])
  const held = [...links.map(({ id }) => [wide, id]), ...links.slice(0, BUSY).map(({ id }) => [busy, id])]
  await connection.batch('INSERT INTO LinkLabel VALUES (?, ?)', [
    ...held,
    ...links.slice(0, TAGGED).map(({ id }) => [tagged, id]),
  ])
  await connection.query('ANALYZE TABLE ClickRollup, Link, LinkLabel')
}, 120_000)

/** A context whose statements are sent by the test's connection, one after another, so that what they read is counted. */
function counted() {
  let last: Promise<unknown> = Promise.resolve()
  const query = <Row>(sql: string, ...values: unknown[]) => {
    const next = last.then(() => connection.query<Row[]>(sql, values))
    last = next.catch(() => undefined)
    return next
  }
  const rows = { rows: query, scan: <Row>(select: string, ...values: unknown[]) => query<Row>(`SELECT ${select}`, ...values) }
  const db = new Proxy(gateway, {
    get: (target, name) => {
      const value: unknown = Reflect.get({ ...rows, [name]: Reflect.get(rows, name) ?? Reflect.get(target, name) }, name)
      return typeof value === 'function' && !(name in rows) ? value.bind(target) : value
    },
  }) as DatabaseGateway
  return {
    db,
    domains: {},
    config: { CLICK_RETENTION_DAYS: 90 },
    scopeCounting: { wake: () => undefined },
  } as unknown as ScopeStatsContext
}

async function reads(): Promise<number> {
  const rows = await connection.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
}

async function ask(query: Record<string, string>) {
  const before = await reads()
  const ctx = counted()
  const stats = await getScopeStats(
    { ...ctx, domains: { shortUrl: () => '', isSpoken: () => false } as never },
    OWNER,
    ScopeStatsQuery.parse(query),
  )
  return { stats, rows: (await reads()) - before }
}

it('reads no more rows than its budget allows, however many links there are', async () => {
  const few = await ask({ tag: 'few' })
  expect(few.stats).toMatchObject({ links: TAGGED, countedAt: null, totals: { clicks: TAGGED * DAYS } })
  expect((await ask({ tag: 'few', country: '3' })).rows).toBeLessThan(3 * MOST_ROWS)
  expect(few.rows).toBeLessThan(3 * MOST_ROWS)

  // As few links, with more rows than are read. Of some days of them there are fewer.
  const { stats: busy, rows } = await ask({ tag: 'busy' })
  expect([busy, rows < 2 * MOST_ROWS]).toEqual([{ counted: 0 }, true])
  const some = await ask({ tag: 'busy', from: new Date(Date.now() - 5.3 * DAY).toISOString(), timezone: 'Asia/Kolkata' })
  expect(some.stats).toMatchObject({ links: BUSY, countedAt: null })
  expect(some.rows).toBeLessThan(3 * MOST_ROWS)

  for (const query of [{}, { tag: 'wide' }] as Record<string, string>[]) {
    const first = await ask(query)
    expect(first.stats).toEqual({ counted: 0 })
    expect(first.rows).toBeLessThan(5_000)
    await scopeCounting.run()
    for (const filter of [{}, { country: '3' }, { kind: 'bot' }] as Record<string, string>[]) {
      const { stats, rows } = await ask({ ...query, ...filter })
      expect(stats).toMatchObject({ links: LINKS })
      expect(rows).toBeLessThan(MOST_ROWS)
    }
  }
}, 120_000)
