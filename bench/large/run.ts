import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine, findBacking } from '../machine'
import { startControl } from '../processes'
import { type Row, textTable, writeJson, writeMarkdown } from '../report'
import { connect, createWorld, type Plan } from '../world'
import { answers } from './answers'
import { holdings } from './holdings'
import { rebuild } from './rebuild'
import { redirects } from './redirects'
import { retention } from './retention'
import { settle, start } from './start'
import { keptStock } from './stock'

const USAGE = `npm run bench -- large [options]
  --links <n>       how many; ten times as many rollup rows (default 10,000,000; 100,000 to try it)
  --folder <dir>    where servers and data are kept for the next run (default: in the system's folder for temporary files)
  --only <part>     settle, start, answers, rebuild, redirects, holdings or retention; may be repeated
  --fill            only make the data
  --write           write the table into docs/scale.md`

const PARTS = ['settle', 'holdings', 'start', 'answers', 'rebuild', 'redirects', 'retention'] as const

/** Measures a deployment of ten million links and a hundred million rollup rows, which are kept and used again. */
export async function runLarge(args: string[], plan: Plan): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      links: { type: 'string', default: '10000000' },
      folder: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      fill: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const count = Number(values.links)
  const isWrong = !(Number.isInteger(count) && count >= 10_000) || values.only.some((part) => !PARTS.includes(part as never))
  if (values.help || isWrong) {
    if (isWrong) process.exitCode = 1
    return console.log(USAGE)
  }
  const dir = mkdtempSync(join(tmpdir(), 'terse-bench-run-'))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  const many = await keptStock(dir, count, 0, true)
  const few = await keptStock(dir, Math.round(count / 10), 1, false)
  if (values.fill) return
  const machine = await describeMachine()
  const control = await startControl(dir)
  const world = createWorld(dir, plan, control, await findBacking())
  const server = await connect()
  const rows: Row[] = []
  const isChosen = (part: (typeof PARTS)[number]) => values.only.length === 0 || values.only.includes(part)
  const measure = async (part: (typeof PARTS)[number], work: () => Promise<Row[]>) => {
    if (!isChosen(part)) return
    const found = await work().catch((error: unknown): Row[] => {
      console.error(error)
      process.exitCode = 1
      return [{ title: part, goal: '', result: 'FAILED', met: false, raw: { error: String(error) } }]
    })
    for (const { title, result, met, note } of found)
      console.log(`  ${met === false ? '✗' : ' '} ${title}: ${result}; ${note ?? ''}`)
    rows.push(...found)
  }
  try {
    await measure('settle', () => settle(world, many, server))
    await measure('holdings', () => holdings(server, many))
    await measure('start', () => start(world, many))
    await measure('answers', () => answers(world, many))
    await measure('rebuild', () => rebuild(world, many))
    await measure('redirects', () => redirects(world, many, few))
    await measure('retention', retention)
  } finally {
    await server.end()
    await control.stop()
  }
  console.log(`\n${textTable(rows)}\n`)
  if (!values.write) return
  writeJson('bench/results/large.json', machine, plan, rows)
  writeMarkdown('docs/scale.md', machine, plan, rows)
  console.log('Written to bench/results/large.json and docs/scale.md.')
}
