/**
 * `npm run bench [-- --quick] [--only <case>]`: measures Terse against the goals it has set itself. Starts no
 * server but the app and its control: scripts/bench.mjs provides the others, and a fresh build.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { backlog, sustained } from './cases/backlog'
import { applying, capture, lag } from './cases/clicks'
import { edge, resident, soak, start } from './cases/footprint'
import { ids } from './cases/ids'
import { lists } from './cases/lists'
import { nginx } from './cases/machine'
import { create, imports } from './cases/making'
import { pages } from './cases/pages'
import { cold, hot, memory, mysql, redis, routed, size, tenMillion, unknown } from './cases/redirects'
import { statistics } from './cases/statistics'
import { runLarge } from './large/run'
import { describeMachine, findBacking } from './machine'
import { killOthers, startControl } from './processes'
import { withFigures } from './readme'
import { type Row, textTable, writeJson, writeMarkdown } from './report'
import { createWorld, type Plan, type World } from './world'

type Case = (world: World) => Promise<Row[]>

/** In the order of the table. */
const CASES = {
  nginx,
  hot,
  routed,
  memory,
  cold,
  redis,
  mysql,
  unknown,
  size,
  'ten-million': tenMillion,
  create,
  imports,
  resident,
  soak,
  edge,
  start,
  capture,
  applying,
  backlog,
  sustained,
  lag,
  statistics,
  ids,
  lists,
  pages,
} satisfies Record<string, Case>

type CaseName = keyof typeof CASES

/**
 * In the order of running: pages first, of a machine at rest; then ids, before MySQL has anything to clear up; those that MySQL
 * has to clear up after, or that empty Redis, behind those that lean on them; create and what follows last, since these add links.
 */
const RUN_FIRST: readonly CaseName[] = [
  'pages',
  'ids',
  'nginx',
  'hot',
  'routed',
  'memory',
  'cold',
  'redis',
  'unknown',
  'size',
  'capture',
]
const RUN_LAST: readonly CaseName[] = ['mysql', 'create', 'imports', 'statistics', 'lists', 'ten-million']
const isNamed = (name: CaseName) => RUN_FIRST.includes(name) || RUN_LAST.includes(name)
const ORDER = [...RUN_FIRST, ...(Object.keys(CASES) as CaseName[]).filter((name) => !isNamed(name)), ...RUN_LAST]

/** Those that take so long that they run only when they are named. */
const ON_REQUEST = new Set<CaseName>(['soak', 'ten-million'])

const FULL: Plan = {
  quick: false,
  links: 1_000_000,
  fewLinks: 10_000,
  seconds: 10,
  rounds: 2,
  control: 4,
  window: 5,
  leadIn: 2,
  paceSeconds: 8,
  profiles: null,
}
const QUICK: Plan = {
  ...FULL,
  quick: true,
  links: 100_000,
  fewLinks: 1_000,
  seconds: 2,
  control: 1,
  window: 1,
  leadIn: 1,
  paceSeconds: 2,
}

/** How long a case may take, in ms: one that hangs loses its servers, and so fails. */
const CASE_LIMIT = 15 * 60_000

/** The raw numbers of the last whole run. */
const LATEST = 'bench/results/latest.json'

const USAGE = `npm run bench -- [options], or \`npm run bench -- large --help\` for ten million links that are kept
  --quick           2 seconds a case, a tenth of the links: whether it works, not how fast it is
  --only <case>     one of ${Object.keys(CASES).join(', ')}; may be repeated. Only on request: ${[...ON_REQUEST].join(', ')}
  --write           write the results of a quick or partial run too
  --profile <dir>   leave processor profiles of the app there (figures suffer)`

async function main(): Promise<void> {
  const [first, ...others] = process.argv.slice(2)
  if (first === 'large') return runLarge(others, FULL)
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const stranger = values.only.find((name) => !(name in CASES))
  if (values.help || stranger !== undefined) {
    if (stranger !== undefined) process.exitCode = 1
    return console.log(USAGE)
  }
  const plan: Plan = { ...(values.quick ? QUICK : FULL), profiles: values.profile ?? null }
  const chosen = ORDER.filter((name) => (values.only.length === 0 ? !ON_REQUEST.has(name) : values.only.includes(name)))
  const machine = await describeMachine()
  const rows = await runAll(plan, chosen)
  console.log(`\n${textTable(rows)}\n`)
  if (values.write || (!values.quick && values.only.length === 0 && !plan.profiles)) {
    writeJson(LATEST, machine, plan, rows)
    // Of the file, whose numbers are rounded: so a test can hold the pages to it.
    const { cases } = JSON.parse(readFileSync(LATEST, 'utf8')) as { cases: Row[] }
    writeMarkdown('docs/benchmarks.md', machine, plan, cases)
    writeFileSync('README.md', withFigures(readFileSync('README.md', 'utf8'), machine, cases))
    console.log(`Written to ${LATEST}, docs/benchmarks.md and README.md.`)
  }
}

async function runAll(plan: Plan, chosen: readonly CaseName[]): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'terse-bench-run-'))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  const world = createWorld(dir, plan, await startControl(dir), await findBacking())
  const results = new Map<string, Row[]>()
  try {
    for (const name of chosen) results.set(name, await runOne(name, world))
  } finally {
    await world.close()
    await world.control.stop()
  }
  return Object.keys(CASES).flatMap((name) => results.get(name) ?? [])
}

/** One case that fails does not take the others with it. */
async function runOne(name: CaseName, world: World): Promise<Row[]> {
  const begun = performance.now()
  const limit = setTimeout(() => killOthers(world.control), CASE_LIMIT)
  const rows = await CASES[name](world).catch((error: unknown): Row[] => {
    console.error(error)
    process.exitCode = 1
    return [{ title: name, goal: '', result: 'FAILED', met: false, raw: { error: String(error) } }]
  })
  clearTimeout(limit)
  await world.tidy().catch((error: unknown) => console.error(error))
  const results = rows.map((row) => `${row.result}${row.met === false ? ' ✗' : ''}`).join(' · ')
  console.log(`  ${name.padEnd(10)}${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${results}`)
  return rows
}

// Connections that a failed case left open must not keep the process.
main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error)
    process.exit(1)
  },
)
