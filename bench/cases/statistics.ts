import { DIMENSIONS, dimensionNumber, TOTAL } from '@/lib/clicks/dimensions'
import type { ServerProcess } from '../processes'
import { createRandom } from '../random'
import type { Row } from '../report'
import { connect, type Stock, type World } from '../world'
import { withApp } from './redirects'

/** How many values a link's clicks have in each dimension; those of a link that is known the world over. */
const VALUES: Partial<Record<(typeof DIMENSIONS)[number], number>> = {
  referrer: 300,
  country: 60,
  city: 500,
  browser: 12,
  os: 8,
  device: 4,
  language: 30,
  utm_source: 10,
  utm_medium: 5,
  utm_campaign: 20,
}
const DAYS = 90
const HOUR = 3_600_000
const REQUESTS = 100

interface Asked {
  p50: number
  p95: number
}

/** The statistics of one link as the page asks for them, over ten million clicks and over one. */
export async function statistics(world: World): Promise<Row[]> {
  const stock = await world.small()
  const [many, few] = world.plan.quick ? [1_000_000, 100_000] : [10_000_000, 1_000_000]
  return await withApp(world, 'statistics', stock, async (app) => {
    const fewLink = await clickedLink(app, stock, few)
    const manyLink = await clickedLink(app, stock, many)
    const slow: Asked[] = []
    const fast: Asked[] = []
    // In turn, since a machine is not equally fast from one minute to the next.
    for (let round = 0; round < world.plan.rounds; round++) {
      fast.push(await ask(app, fewLink))
      slow.push(await ask(app, manyLink))
    }
    const p95 = Math.max(...slow.map((asked) => asked.p95))
    const ratio = p95 / Math.max(...fast.map((asked) => asked.p95))
    const millions = (n: number) => n.toLocaleString('en-US')
    return [
      {
        title: `statistics of one link over ${millions(many)} clicks, p95`,
        goal: '< 100 ms',
        result: `${p95.toFixed(0)} ms`,
        met: p95 < 100,
        note: `${DAYS} days; through the API, one at a time; the slowest of ${slow.length} rounds`,
        raw: slow,
      },
      {
        title: `the same, to ${millions(few)} clicks`,
        goal: '≤ 1.5',
        result: ratio.toFixed(2),
        met: ratio <= 1.5,
        raw: fast,
      },
    ]
  })
}

interface ClickedLink {
  code: string
  manageToken: string
}

/** A link with rollup rows as the consumer writes them for so many clicks. */
async function clickedLink(app: ServerProcess, stock: Stock, clicks: number): Promise<ClickedLink> {
  const answer = await fetch(`${app.origin}/api/v1/links`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: `https://example.com/${clicks}` }),
  })
  const link = (await answer.json()) as ClickedLink
  const server = await connect()
  try {
    await server.query(`USE ${new URL(stock.settings.DATABASE_URL ?? '').pathname.slice(1)}`)
    const [row]: { id: bigint }[] = await server.query('SELECT id FROM Link WHERE code = ?', [link.code])
    const insert = 'INSERT INTO ClickRollup (linkId, dimension, span, hour, value, clicks, visitors, bots, previews)'
    for (const rows of pieces(rollups(row?.id ?? 0n, clicks), 20_000)) {
      await server.batch(`${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, rows)
    }
    await server.query('UPDATE Link SET clicks = ?, createdAt = ? WHERE id = ?', [
      clicks,
      new Date(Date.now() - DAYS * 24 * HOUR).toISOString().slice(0, 19),
      row?.id,
    ])
    await server.query('ANALYZE TABLE ClickRollup')
  } finally {
    await server.end()
  }
  return link
}

type RollupValues = (bigint | number | string)[]

function* rollups(linkId: bigint, clicks: number): Generator<RollupValues> {
  const random = createRandom(clicks)
  const lastHour = Math.floor(Date.now() / HOUR)
  const firstHour = Math.ceil((lastHour - DAYS * 24) / 24) * 24
  const each = clicks / (lastHour - firstHour)
  for (let hour = firstHour; hour < lastHour; hour++) {
    const count = Math.round(each)
    yield [linkId, TOTAL, 1, hour, '', count, Math.ceil(count * 0.8), Math.round(count * 0.05), Math.round(count * 0.01)]
  }
  for (const dimension of DIMENSIONS) {
    const shares = zipfShares(VALUES[dimension] ?? 0)
    for (const [rank, share] of shares.entries()) {
      for (let day = firstHour; day < lastHour; day += 24) {
        let ofDay = 0
        for (let hour = day; hour < Math.min(day + 24, lastHour); hour++) {
          const expected = each * share
          const count = Math.floor(expected + random())
          if (count === 0) continue
          ofDay += count
          yield [linkId, dimensionNumber(dimension), 1, hour, `value ${rank}`, count, Math.ceil(count * 0.8), 0, 0]
        }
        if (ofDay > 0) {
          yield [linkId, dimensionNumber(dimension), 24, day, `value ${rank}`, ofDay, Math.ceil(ofDay * 0.8), 0, 0]
        }
      }
    }
  }
}

function zipfShares(n: number): number[] {
  const weights = Array.from({ length: n }, (_, i) => 1 / (i + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}

function* pieces<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let piece: T[] = []
  for (const item of items) {
    piece.push(item)
    if (piece.length < size) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/** Asks as the page does for its widest view, one request after the other. In ms. */
async function ask(app: ServerProcess, { code, manageToken }: ClickedLink): Promise<Asked> {
  const from = new Date(Date.now() - DAYS * 24 * HOUR).toISOString()
  const url = `${app.origin}/api/v1/links/${code}/stats?from=${from}&interval=day&timezone=Europe%2FBerlin`
  const times: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const begun = performance.now()
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${manageToken}` } })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(REQUESTS * 0.5)] ?? Number.NaN, p95: times[Math.floor(REQUESTS * 0.95)] ?? Number.NaN }
}
