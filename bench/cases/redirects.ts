import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Comparison, compare, type Subject } from '../measure'
import { type ServerProcess, startApp } from '../processes'
import { comparisonRow, type Row } from '../report'
import { connect, countQueries, forgetClicks, forgetRecords, type Queries, type Stock, type World, zipfLoad } from '../world'
import type { Load } from '../wrk'

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
  load: Subject['load'],
  settings: Record<string, string> = {},
): Promise<Comparison> {
  const work = (app: ServerProcess) => compare(world, [{ name, app, load, expects: 'redirect' }])
  const stock = await world.large()
  const [comparison] = await withApp(world, name, stock, work, settings)
  await forgetClicks(stock)
  if (!comparison) throw new Error('nothing was measured')
  return comparison
}

export async function hot(world: World): Promise<Row[]> {
  const { paths } = await world.large()
  const comparison = await redirects(world, 'hot', () => ({ path: paths[0] ?? '/' }))
  return [comparisonRow('one hot link, its clicks kept and counted by the same process', 0.8, comparison)]
}

/** How many links the cases in memory and in Redis ask for. */
const SOME = 100_000

export async function memory(world: World): Promise<Row[]> {
  const stock = await world.large()
  const comparison = await redirects(world, 'memory', zipfLoad(world, stock, Math.min(SOME, stock.paths.length)), NOT_COUNTING)
  return [comparisonRow('100,000 links, Zipf 1.0 (in memory)', 0.7, comparison)]
}

/** So few that the warm-up asks for each, after which Redis has it. */
const IN_REDIS = 10_000

/** All links equally often, so that requests for one link seldom come together and share one question to Redis. */
export async function redis(world: World): Promise<Row[]> {
  const load = slices(world, await world.large(), IN_REDIS)(0)
  return [comparisonRow('found in Redis only (L1 off)', 0.35, await redirects(world, 'redis', () => load, NO_MEMORY))]
}

/** Each link is asked for once at most, and Redis has none of them, though its filter knows all. */
export async function mysql(world: World): Promise<Row[]> {
  const stock = await world.large()
  const forgotten = await forgetRecords(stock)
  const slice = Math.floor(stock.paths.length / (2 * world.plan.rounds + 1))
  const comparison = await redirects(world, 'mysql', slices(world, stock, slice), NO_MEMORY)
  const row = comparisonRow('found in MySQL only (cold)', 0.12, comparison)
  return [{ ...row, raw: { ...comparison, forgotten } }]
}

/** Each run asks for the next `size` links of the stock in turn, from the start again after the last. */
function slices(world: World, { paths }: Stock, size: number): (run: number) => Load {
  const count = Math.max(1, Math.floor(paths.length / size))
  return (run) => {
    const index = run % count
    const file = join(world.dir, `slice-${size}-${index}.paths`)
    writeFileSync(file, `${paths.slice(index * size, (index + 1) * size).join('\n')}\n`)
    return { script: 'paths', args: [file, '-', '0'] }
  }
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
      const load = (run: number): Load => ({ script: 'unknown', args: [String(run + 1)] })
      let comparison: Comparison | undefined
      const loaded = await counted(server, async () => {
        comparison = (await compare(world, [{ name: 'unknown', app, load, expects: 'not-found' }]))[0]
      })
      return { idle, loaded, comparison }
    })
    const { idle, loaded, comparison } = measured
    if (!comparison) throw new Error('nothing was measured')
    const excess = Math.round(loaded.questions - (idle.questions / idle.seconds) * loaded.seconds)
    const row = comparisonRow('unknown codes, filter trusted', 0.3, comparison)
    const asked = (comparison.answers['not-found/mysql'] ?? 0) === 0 && excess <= CHANCE ? 0 : Math.max(excess, 1)
    return [
      {
        ...row,
        goal: '≥ 0.3, 0 queries',
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

/**
 * The same app over many links and over few, in turn. Asked for are all links of each; and then, for
 * information, equally many of both, which leaves nothing but the size of the database.
 */
export async function size(world: World): Promise<Row[]> {
  const [many, few] = [await world.large(), await world.small()]
  return await withApp(
    world,
    'size-many',
    many,
    (manyApp) =>
      withApp(
        world,
        'size-few',
        few,
        async (fewApp) => {
          const all = await against(
            world,
            manyApp,
            fewApp,
            zipfLoad(world, many, many.paths.length),
            zipfLoad(world, few, few.paths.length),
          )
          const same = await against(
            world,
            manyApp,
            fewApp,
            zipfLoad(world, many, few.paths.length),
            zipfLoad(world, few, few.paths.length),
          )
          await Promise.all([many, few].map(forgetClicks))
          return [
            sizeRow(`${links(many)} links compared with ${links(few)}, Zipf 1.0 over all`, 0.9, all),
            sizeRow(`the same, Zipf 1.0 over ${links(few)} of each`, null, same),
          ]
        },
        NOT_COUNTING,
      ),
    NOT_COUNTING,
  )
}

const links = ({ paths }: Stock) => paths.length.toLocaleString('en-US')

type Pair = [many: Comparison, few: Comparison]

async function against(
  world: World,
  manyApp: ServerProcess,
  fewApp: ServerProcess,
  many: Subject['load'],
  few: Subject['load'],
): Promise<Pair> {
  const [first, second] = await compare(world, [
    { name: 'many', app: manyApp, load: many, expects: 'redirect' },
    { name: 'few', app: fewApp, load: few, expects: 'redirect' },
  ])
  if (!first || !second) throw new Error('nothing was measured')
  return [first, second]
}

function sizeRow(title: string, goal: number | null, [many, few]: Pair): Row {
  const ratio = many.ratio / few.ratio
  const row = comparisonRow(title, goal, many)
  return {
    ...row,
    result: ratio.toFixed(2),
    met: goal === null ? null : ratio >= goal && many.wrong + few.wrong === 0,
    note: `${row.note}; few: ${Math.round(few.rate).toLocaleString('en-US')}/s`,
    raw: { many, few },
  }
}
