import type { CapturedClick } from '@/lib/clicks/click'
import { ALL_PARTITIONS, ENTRY_FIELDS, encodeClicks, PARTITIONS, partitionKeys, toWire } from '@/lib/clicks/stream'
import { timedId } from '@/lib/tools/timed-id'
import { oneLink } from '../loads'
import { compare } from '../measure'
import { applied, clicksApplied, drained } from '../metrics'
import { paced } from '../paced'
import type { ServerProcess } from '../processes'
import { zipfDraws } from '../random'
import { comparisonRow, type Row } from '../report'
import { AGENTS, LANGUAGES, REFERRERS, ROBOTS } from '../visitors'
import { connect, forgetClicks, type Stock, type World, withRedis } from '../world'
import { withApp } from './redirects'

/** A redirect answered once its click is safe, held against the control and against one answered before. */
export async function capture(world: World): Promise<Row[]> {
  const stock = await world.large()
  const load = oneLink(world, stock.path(1))
  const comparisons = await withApp(
    world,
    'capture-safe',
    stock,
    (safe) =>
      withApp(
        world,
        'capture-fast',
        stock,
        (fast) =>
          compare(world, [
            { app: safe, load, expects: 'redirect' },
            { app: fast, load, expects: 'redirect' },
          ]),
        { ROLE: 'edge', CLICK_DURABILITY: 'fast' },
      ),
    { ROLE: 'edge' },
  )
  const [safe, fast] = comparisons
  if (!safe || !fast) throw new Error('nothing was measured')
  const ratio = safe.ratio / fast.ratio
  return [
    comparisonRow('one hot link with durable capture (`ROLE=edge`)', 0.75, safe),
    {
      title: 'the same, to `CLICK_DURABILITY=fast`',
      goal: '≥ 0.95',
      result: ratio.toFixed(2),
      met: ratio >= 0.95 && safe.wrong + fast.wrong === 0,
      note: `fast: ${Math.round(fast.rate).toLocaleString('en-US')}/s`,
      raw: { safe, fast },
    },
  ]
}

const EVERYBODY = [...AGENTS, ...ROBOTS]
const COUNTRIES = ['US', 'DE', 'FR', 'JP', 'BR', 'IN', 'GB', 'NL', 'SE', 'PL', 'CA', 'AU']

/** The i-th of many clicks that are about as alike as those of real visitors; four in five are of someone new. */
function sampleClick(linkId: string, i: number, at: number): CapturedClick {
  const visitor = Math.imul(i - (i % 5 === 0 ? 3 : 0), 2_654_435_761) >>> 0
  const pick = <T>(list: readonly T[], shift: number) => list[(visitor >>> shift) % list.length] as T
  return {
    linkId,
    at,
    visitor: visitor.toString(16).padStart(16, '0'),
    network: '',
    country: pick(COUNTRIES, 3),
    referrer: pick(REFERRERS, 7),
    userAgent: pick(EVERYBODY, 11),
    language: pick(LANGUAGES, 5),
    query: '',
    destination: '',
  }
}

/** Clicks in one entry of the stream, as a process has them that answers some 10,000 a second. */
const BATCH = 10

/** Fills the streams with clicks on `links`, popular ones more often. @returns bytes that Redis takes for one */
export function fill(stock: Stock, links: string[], count: number): Promise<number> {
  return withRedis(stock.settings, async (redis) => {
    const draws = zipfDraws(links.length, count, 3)
    const now = Date.now()
    for (let i = 0; i < count; ) {
      const pipeline = redis.pipeline()
      for (let entry = 0; entry < 200 && i < count; entry++) {
        const wires = []
        for (const end = Math.min(count, i + BATCH); i < end; i++) {
          wires.push(toWire(sampleClick(links[(draws[i] ?? 1) - 1] ?? '', i, now)))
        }
        const { stream } = partitionKeys(entry % PARTITIONS)
        pipeline.xadd(stream, '*', ENTRY_FIELDS[0], timedId(now), ENTRY_FIELDS[1], encodeClicks(wires))
      }
      await pipeline.exec()
    }
    let bytes = 0
    for (const partition of ALL_PARTITIONS) {
      bytes += (await redis.memory('USAGE', partitionKeys(partition).stream, 'SAMPLES', 0)) ?? 0
    }
    return bytes / count
  })
}

/** How fast a worker alone brings clicks to MySQL: on one link, and on a thousand. */
export async function applying(world: World): Promise<Row[]> {
  const stock = await world.large()
  const ids = await linkIds(stock, 1_000)
  const count = world.plan.quick ? 50_000 : 300_000
  const rows: Row[] = []
  let bytesPerClick = Number.NaN
  let onDisk = Number.NaN
  for (const [name, links, goal] of [
    ['one link', ids.slice(0, 1), 40_000],
    ['1,000 links, Zipf 1.0', ids, 25_000],
  ] as const) {
    await forgetClicks(stock)
    bytesPerClick = await fill(stock, links, count)
    const before = await diskOf(stock)
    const { rate, seconds } = await withApp(world, 'applying', stock, (app) => drain(app, count), { ROLE: 'worker' })
    onDisk = ((await diskOf(stock)) - before) / count
    rows.push({
      title: `clicks counted, ${name}`,
      goal: `≥ ${goal.toLocaleString('en-US')}/s`,
      result: `${Math.round(rate).toLocaleString('en-US')}/s`,
      met: rate >= goal,
      note: `${count.toLocaleString('en-US')} clicks in ${seconds.toFixed(1)} s, raw rows, visitors and rollups`,
      raw: { rate, seconds, count },
    })
  }
  const result = `${bytesPerClick.toFixed(0)} bytes`
  rows.push({ title: `a click in the stream, ${BATCH} in an entry`, goal: '', result, met: null, raw: { bytesPerClick } })
  rows.push({
    title: 'a click on disk, of those on 1,000 links',
    goal: `≤ ${DISK_GOAL} bytes`,
    result: `${onDisk.toFixed(0)} bytes`,
    met: onDisk <= DISK_GOAL,
    note: 'raw rows, visitors, rollups and all their indexes',
    raw: { onDisk },
  })
  return rows
}

/** Bytes in MySQL for each click, once it is counted. */
const DISK_GOAL = 150

/** What all tables of a stock take with their indexes, in bytes: of these, counting changes only those of clicks. */
async function diskOf(stock: Stock): Promise<number> {
  const server = await connect()
  try {
    const database = new URL(stock.settings.DATABASE_URL ?? '').pathname.slice(1)
    const isMySql = !String((await server.query('SELECT VERSION() AS v'))[0].v).includes('MariaDB')
    // MySQL remembers sizes for a day.
    if (isMySql) await server.query('SET SESSION information_schema_stats_expiry = 0')
    const tables: { name: string }[] = await server.query(
      "SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME LIKE '%Click%'",
      [database],
    )
    for (const { name } of tables) await server.query(`ANALYZE TABLE ${database}.${name}`)
    const [row]: { bytes: bigint }[] = await server.query(
      'SELECT SUM(DATA_LENGTH + INDEX_LENGTH) AS bytes FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?',
      [database],
    )
    return Number(row?.bytes ?? Number.NaN)
  } finally {
    await server.end()
  }
}

export async function linkIds(stock: Stock, count: number): Promise<string[]> {
  const server = await connect()
  try {
    const database = new URL(stock.settings.DATABASE_URL ?? '').pathname.slice(1)
    const rows: { id: string }[] = await server.query(
      `SELECT CAST(id AS CHAR) AS id FROM ${database}.Link ORDER BY id LIMIT ${count}`,
    )
    return rows.map(({ id }) => id)
  } finally {
    await server.end()
  }
}

/** The rate from when a tenth was counted to when all were: the start of the process is not what is measured. */
async function drain(app: ServerProcess, count: number): Promise<{ rate: number; seconds: number }> {
  await applied(app, count / 10)
  const [first, begun] = [await clicksApplied(app), performance.now()]
  await applied(app, count)
  const seconds = (performance.now() - begun) / 1000
  return { rate: (count - first) / seconds, seconds }
}

const LAG_RATE = 10_000
const LAG_GOAL = 2

/** How long clicks wait to be counted while one process answers 10,000 redirects a second. */
export async function lag(world: World): Promise<Row[]> {
  const stock = await world.large()
  const load = oneLink(world, stock.path(2))
  const seconds = world.plan.quick ? 4 : 15
  return await withApp(world, 'lag', stock, async (app) => {
    await paced(app.origin, load, { rate: LAG_RATE, seconds: 2 })
    await drained(app)
    const before = await lagsOf(app)
    const run = await paced(app.origin, load, { rate: LAG_RATE, seconds })
    await drained(app)
    const { p50, p99 } = bounds(before, await lagsOf(app))
    const rate = run.sent / run.seconds
    return [
      {
        title: `from redirect to counted at ${LAG_RATE.toLocaleString('en-US')} redirects/s, p99`,
        goal: `< ${LAG_GOAL} s`,
        result: `≤ ${p99} s`,
        met: p99 < LAG_GOAL && run.answered === run.sent && rate > 0.98 * LAG_RATE,
        note: `half within ${p50} s; ${Math.round(rate).toLocaleString('en-US')}/s sent, ${run.sent - run.answered} unanswered`,
        raw: { p50, p99, run },
      },
    ]
  })
}

/** How many clicks were counted within so many seconds: the app's own histogram, whose buckets hold all smaller ones. */
async function lagsOf({ origin }: ServerProcess): Promise<Map<number, number>> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const buckets = text.matchAll(/^terse_click_lag_seconds_bucket\{le="([\d.]+|\+Inf)"\} (\d+)$/gm)
  return new Map([...buckets].map(([, le, count]) => [le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), Number(count)]))
}

/** Upper bounds, in seconds, of what was counted in between. */
function bounds(before: Map<number, number>, after: Map<number, number>): { p50: number; p99: number } {
  const counts = [...after].map(([le, count]) => ({ le, count: count - (before.get(le) ?? 0) }))
  const total = counts.at(-1)?.count ?? 0
  const bound = (share: number) => counts.find(({ count }) => count >= share * total)?.le ?? Number.POSITIVE_INFINITY
  return { p50: bound(0.5), p99: bound(0.99) }
}
