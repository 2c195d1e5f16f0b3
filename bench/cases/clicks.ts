import { setTimeout as delay } from 'node:timers/promises'
import type { CapturedClick } from '@/lib/clicks/click'
import { ALL_PARTITIONS, ENTRY_FIELDS, encodeClicks, PARTITIONS, partitionKeys, toWire } from '@/lib/clicks/stream'
import { timedId } from '@/lib/clicks/timed-id'
import { compare } from '../measure'
import { paced } from '../paced'
import type { ServerProcess } from '../processes'
import { zipfDraws } from '../random'
import { comparisonRow, type Row } from '../report'
import { connect, forgetClicks, type Stock, type World, withRedis } from '../world'
import { withApp } from './redirects'

/** A redirect answered once its click is safe, held against the control and against one answered before. */
export async function capture(world: World): Promise<Row[]> {
  const stock = await world.large()
  const load = () => ({ path: stock.paths[1] ?? '/' })
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
            { name: 'safe', app: safe, load, expects: 'redirect' },
            { name: 'fast', app: fast, load, expects: 'redirect' },
          ]),
        { ROLE: 'edge', CLICK_DURABILITY: 'fast' },
      ),
    { ROLE: 'edge' },
  )
  await forgetClicks(stock)
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

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
]
const REFERRERS = [
  '',
  '',
  'https://www.google.com/',
  'https://news.example.com/story/4711',
  'https://t.co/abcdefghij',
  'https://m.example.org/',
]
const LANGUAGES = ['en-US,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.8', 'fr-FR', 'ja', 'pt-BR,pt;q=0.9']
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
    userAgent: pick(AGENTS, 11),
    language: pick(LANGUAGES, 5),
    query: '',
  }
}

/** Clicks in one entry of the stream, as a process has them that answers some 10,000 a second. */
const BATCH = 10

/** Fills the streams with clicks on `links`, popular ones more often. @returns bytes that Redis takes for one */
function fill(stock: Stock, links: string[], count: number): Promise<number> {
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
  for (const [name, links] of [
    ['one link', ids.slice(0, 1)],
    ['1,000 links, Zipf 1.0', ids],
  ] as const) {
    await forgetClicks(stock)
    bytesPerClick = await fill(stock, links, count)
    const { rate, seconds } = await withApp(world, 'applying', stock, (app) => drain(app, count), { ROLE: 'worker' })
    rows.push({
      title: `clicks counted, ${name}`,
      goal: '≥ 25,000/s',
      result: `${Math.round(rate).toLocaleString('en-US')}/s`,
      met: rate >= 25_000,
      note: `${count.toLocaleString('en-US')} clicks in ${seconds.toFixed(1)} s, raw rows, visitors and rollups`,
      raw: { rate, seconds, count },
    })
  }
  const result = `${bytesPerClick.toFixed(0)} bytes`
  rows.push({ title: `a click in the stream, ${BATCH} in an entry`, goal: '', result, met: null, raw: { bytesPerClick } })
  return rows
}

async function linkIds(stock: Stock, count: number): Promise<string[]> {
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
  let first: { at: number; applied: number } | null = null
  for (;;) {
    const applied = await counter(app, 'terse_clicks_applied_total')
    const at = performance.now()
    if (first === null && applied >= count / 10) first = { at, applied }
    if (first && applied >= count) {
      const seconds = (at - first.at) / 1000
      return { rate: (applied - first.applied) / seconds, seconds }
    }
    await delay(50)
  }
}

async function counter({ origin }: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

const LAG_RATE = 10_000
const LAG_GOAL = 2

/** How long clicks wait to be counted while one process answers 10,000 redirects a second. */
export async function lag(world: World): Promise<Row[]> {
  const stock = await world.large()
  const headers = `User-Agent: ${AGENTS[0]}\r\nAccept-Language: ${LANGUAGES[0]}\r\nReferer: ${REFERRERS[3]}\r\n`
  const seconds = world.plan.quick ? 4 : 15
  await forgetClicks(stock)
  return await withApp(world, 'lag', stock, async (app) => {
    const warmUp = await paced(app.origin, stock.paths[2] ?? '/', headers, LAG_RATE, 2)
    await applied(app, warmUp.sent)
    const before = await lagsOf(app)
    const load = await paced(app.origin, stock.paths[2] ?? '/', headers, LAG_RATE, seconds)
    await applied(app, warmUp.sent + load.sent)
    const { p50, p99 } = bounds(before, await lagsOf(app))
    const rate = load.sent / load.seconds
    return [
      {
        title: `from redirect to counted at ${LAG_RATE.toLocaleString('en-US')} redirects/s, p99`,
        goal: `< ${LAG_GOAL} s`,
        result: `≤ ${p99} s`,
        met: p99 < LAG_GOAL && load.answered === load.sent && rate > 0.98 * LAG_RATE,
        note: `half within ${p50} s; ${Math.round(rate).toLocaleString('en-US')}/s sent, ${load.sent - load.answered} unanswered`,
        raw: { p50, p99, ...load },
      },
    ]
  })
}

/** Waits until an app has counted so many clicks. */
async function applied(app: ServerProcess, count: number): Promise<void> {
  while ((await counter(app, 'terse_clicks_applied_total')) < count) await delay(100)
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
