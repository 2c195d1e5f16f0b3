import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inTurn, type Load, oneLink, unknownCodes, zipf } from '../loads'
import { type Comparison, compare, type Subject } from '../measure'
import { answersOf } from '../metrics'
import { type ServerProcess, startApp } from '../processes'
import { comparisonRow, costRows, notes, type Row, tiers } from '../report'
import { connect, countQueries, forgetRecords, makeStock, type Queries, type Stock, type World } from '../world'
import { wrk } from '../wrk'

/** Starts the app over a stock for as long as `work` takes. */
export async function withApp<T>(
  { dir, plan }: World,
  name: string,
  stock: Pick<Stock, 'settings'>,
  work: (app: ServerProcess) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const nodeOptions = plan.profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(plan.profiles, name)}`]
  const app = await startApp(dir, { ...stock.settings, ...settings }, { nodeOptions })
  try {
    return await work(app)
  } finally {
    await app.stop()
  }
}

/**
 * What is measured is the finding of links: clicks are kept before each answer, and counted by nobody meanwhile. That
 * is what the cases of clicks are for.
 */
const NOT_COUNTING = { ROLE: 'edge' }
const NO_MEMORY = { ...NOT_COUNTING, CACHE_MB: '0' }

async function redirects(
  world: World,
  name: string,
  load: Load,
  settings: Record<string, string> = {},
  counts = false,
): Promise<Comparison> {
  const work = (app: ServerProcess) => compare(world, [{ app, load, expects: 'redirect', counts }])
  const [comparison] = await withApp(world, name, await world.large(), work, settings)
  if (!comparison) throw new Error('nothing was measured')
  return comparison
}

export async function hot(world: World): Promise<Row[]> {
  const stock = await world.large()
  const comparison = await redirects(world, 'hot', oneLink(world, stock.path(0)), {}, true)
  const title = 'one hot link, its clicks kept and counted by the same process'
  return [comparisonRow(title, 0.7, comparison), ...costRows('the same', comparison)]
}

/** Links that do not lead everyone to the same place, and what share of the control they are to keep. */
const ROUTED = [
  {
    name: 'rules',
    title: 'one link with five rules, of which the last holds',
    routing: {
      rules: [
        { when: [{ of: 'os', in: ['iOS'] }], url: 'https://www.example.com/ios' },
        { when: [{ of: 'os', in: ['Android'] }], url: 'https://www.example.com/android' },
        { when: [{ of: 'language', in: ['fr', 'es'] }], url: 'https://www.example.com/south' },
        { when: [{ of: 'query', name: 'ref' }], url: 'https://www.example.com/ref' },
        { when: [{ of: 'device', in: ['desktop', 'mobile'] }], url: 'https://www.example.com/here' },
      ],
    },
    query: '',
  },
  {
    name: 'forwarded',
    title: 'one link that passes on a query',
    routing: { query: 'forward' },
    query: '?utm_source=mail&q=a+b%2B',
  },
  {
    name: 'click-ids',
    title: 'one link that tells its destination the ID of each click',
    routing: { clickId: { parameter: 'click' } },
    query: '',
  },
]
const ROUTED_SHARE = 0.6

export async function routed(world: World): Promise<Row[]> {
  const stock = await world.large()
  const rows: Row[] = []
  for (const { name, title, routing, query } of ROUTED) {
    const comparison = await withApp(world, name, stock, async (app) => {
      const answer = await fetch(`${app.origin}/api/v1/links`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ url: 'https://www.example.com/everyone', routing }),
      })
      if (answer.status !== 201) throw new Error(`the link was not made: ${answer.status} ${await answer.text()}`)
      const { code } = (await answer.json()) as { code: string }
      const load = oneLink(world, `/${code}${query}`)
      return (await compare(world, [{ app, load, expects: 'redirect', counts: true }]))[0]
    })
    if (!comparison) throw new Error('nothing was measured')
    rows.push(comparisonRow(title, ROUTED_SHARE, comparison), ...costRows('the same', comparison))
  }
  return rows
}

/** How many links the cases in memory ask for. */
const SOME = 100_000

export async function memory(world: World): Promise<Row[]> {
  const load = zipf(world, await world.large(), SOME)
  const comparison = await redirects(world, 'memory', load, NOT_COUNTING)
  return [comparisonRow('100,000 links, Zipf 1.0 (in memory)', 0.75, comparison)]
}

/** The first seconds of a process, which has nothing in memory yet, between two runs of the control. */
export async function cold(world: World): Promise<Row[]> {
  const { control, plan } = world
  const stock = await world.large()
  const load = zipf(world, stock, SOME)
  return await withApp(
    world,
    'cold',
    stock,
    async (app) => {
      const before = await wrk(control.origin, load.script(0), plan.control)
      const run = await wrk(app.origin, load.script(0), plan.window)
      const after = await wrk(control.origin, load.script(0), plan.control)
      const mean = (before.rate + after.rate) / 2
      const answers = await answersOf(app)
      const { rate, p50, p99 } = run
      return [
        {
          title: `the same, the first ${plan.window} s of a process`,
          goal: '',
          result: (rate / mean).toFixed(2),
          met: null,
          rate,
          p50,
          p99,
          control: mean,
          note: tiers(answers),
          raw: { before, run, after, answers },
        },
      ]
    },
    NOT_COUNTING,
  )
}

/** So few that the warm-up asks for each, after which Redis has it. */
const IN_REDIS = 10_000

/** All links equally often, so that requests for one link seldom come together and share one question to Redis. */
export async function redis(world: World): Promise<Row[]> {
  const stock = await world.large()
  const load = inTurn(world, 'redis', first(stock, IN_REDIS))
  return [comparisonRow('found in Redis only (L1 off)', 0.45, await redirects(world, 'redis', load, NO_MEMORY))]
}

const first = (stock: Stock, count: number) => Array.from({ length: count }, (_, i) => stock.path(i))

/** Each link is asked for once at most, and Redis has none of them, though its filter knows all. */
export async function mysql(world: World): Promise<Row[]> {
  const stock = await world.large()
  const forgotten = await forgetRecords(stock)
  const comparison = await redirects(world, 'mysql', inTurn(world, 'mysql', first(stock, stock.count)), NO_MEMORY)
  const row = comparisonRow('found in MySQL only (cold)', 0.15, comparison)
  return [{ ...row, raw: { ...comparison, forgotten } }]
}

/** Over how many seconds the statements of an idle app are counted. */
const IDLE_SECONDS = 15
/**
 * The idle app asks some times a second, at its own times, and what was counted is scaled up to the load's time: so much
 * may it be off by chance. Of the half million requests, a share that reached MySQL would be far more.
 */
const CHANCE = 12

export async function unknown(world: World): Promise<Row[]> {
  const stock = await world.large()
  const server = await connect()
  try {
    const measured = await withApp(world, 'unknown', stock, async (app) => {
      await delay(1_000) // what starts in the background has started
      const idle = await counted(server, () => delay(IDLE_SECONDS * 1_000))
      const load = unknownCodes(world)
      let comparison: Comparison | undefined
      const loaded = await counted(server, async () => {
        comparison = (await compare(world, [{ app, load, expects: 'not-found' }]))[0]
      })
      return { idle, loaded, comparison }
    })
    const { idle, loaded, comparison } = measured
    if (!comparison) throw new Error('nothing was measured')
    const excess = Math.round(loaded.questions - (idle.questions / idle.seconds) * loaded.seconds)
    const row = comparisonRow('unknown codes, filter trusted', 0.45, comparison)
    const asked = (comparison.answers['not-found/mysql'] ?? 0) === 0 && excess <= CHANCE ? 0 : Math.max(excess, 1)
    return [
      {
        ...row,
        goal: '≥ 0.45, 0 queries',
        result: `${row.result}, ${asked} queries`,
        met: row.met === true && asked === 0,
        note: `${row.note}; ${loaded.questions} MySQL statements in ${loaded.seconds.toFixed(0)} s, ${excess} beyond the idle rate`,
        raw: { ...comparison, idle, loaded, excess },
      },
    ]
  } finally {
    await server.end()
  }
}

async function counted(
  server: Awaited<ReturnType<typeof connect>>,
  work: () => Promise<unknown>,
): Promise<Queries & { seconds: number }> {
  const before = await countQueries(server)
  const begun = performance.now()
  await work()
  const after = await countQueries(server)
  return {
    // Counting is a statement too.
    questions: after.questions - before.questions - 1,
    selects: after.selects - before.selects,
    seconds: (performance.now() - begun) / 1000,
  }
}

/** The same app over many links and over few, in turn, each asked for all of its links. */
export async function size(world: World): Promise<Row[]> {
  const [many, few] = [await world.large(), await world.small()]
  return [await compareSizes(world, many, few, 0.75)]
}

const HUGE = 10_000_000

/** As `size`, with ten times as many. */
export async function tenMillion(world: World): Promise<Row[]> {
  const huge = await makeStock('huge', world.plan.quick ? HUGE / 20 : HUGE)
  return [await compareSizes(world, huge, await world.small(), 0.6)]
}

async function compareSizes(world: World, many: Stock, few: Stock, goal: number): Promise<Row> {
  const subject = (app: ServerProcess, stock: Stock): Subject => ({ app, load: zipf(world, stock), expects: 'redirect' })
  const both = (work: (manyApp: ServerProcess, fewApp: ServerProcess) => Promise<Comparison[]>) =>
    withApp(
      world,
      'size-many',
      many,
      (manyApp) => withApp(world, 'size-few', few, (fewApp) => work(manyApp, fewApp), NOT_COUNTING),
      NOT_COUNTING,
    )
  const [ofMany, ofFew] = await both((manyApp, fewApp) => compare(world, [subject(manyApp, many), subject(fewApp, few)]))
  if (!ofMany || !ofFew) throw new Error('nothing was measured')
  const ratio = ofMany.ratio / ofFew.ratio
  const links = ({ count }: Stock) => count.toLocaleString('en-US')
  const row = comparisonRow(`${links(many)} links compared with ${links(few)}, Zipf 1.0 over all`, goal, ofMany)
  return {
    ...row,
    result: ratio.toFixed(2),
    met: ratio >= goal && ofMany.wrong + ofFew.wrong === 0,
    note: notes(row.note ?? '', `few: ${Math.round(ofFew.rate).toLocaleString('en-US')}/s`),
    raw: { many: ofMany, few: ofFew },
  }
}
