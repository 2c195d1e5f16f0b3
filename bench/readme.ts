import type { Machine } from './machine'
import { ALL_GOAL, number, type Row, THREAD_GOAL } from './report'

/** A line of README's table: which rows of the whole table it shows, by how their titles begin. */
interface Line {
  name: string
  of: readonly string[]
}

const HOT = 'one hot link, its clicks kept and counted by the same process'
const LINES: readonly Line[] = [
  {
    name: 'one link with five rules; one that passes on its query; one that adds a click ID',
    of: ['one link with five rules', 'one link that passes on a query', 'one link that tells its destination'],
  },
  { name: '1,000,000 links compared with 10,000, Zipf over all', of: ['1,000,000 links compared'] },
  { name: '100,000 links, Zipf 1.0', of: ['100,000 links'] },
  { name: 'found in Redis only', of: ['found in Redis only'] },
  { name: 'found in MySQL only, cold', of: ['found in MySQL only'] },
  { name: 'unknown codes', of: ['unknown codes'] },
  { name: 'create through the API', of: ['create through the API'] },
  { name: 'import of 100,000 rows of CSV', of: ['import of 100,000 rows'] },
  { name: 'import of a YOURLS dump, 100,000 links that keep their codes', of: ['import of 100,000 links with codes'] },
  { name: 'clicks counted in MySQL, one link; 1,000 links', of: ['clicks counted, one link', 'clicks counted, 1,000 links'] },
  { name: 'a click on disk, 1,000 links', of: ['a click on disk'] },
  { name: 'redirects and their counting for 120 s: clicks that wait at the end', of: ['redirects at 20,000/s'] },
  { name: '`ROLE=edge` under load', of: ['`ROLE=edge` process'] },
  { name: 'memory of a process after 1,000,000 redirects over 1,000,000 links', of: ['resident memory'] },
  { name: '`npm start` on a warm clone', of: ['`npm start`'] },
  { name: 'statistics of a link over 10,000,000 clicks, p95', of: ['statistics of one link'] },
  {
    name: 'list of 1,000,000 links, 1,000th page; search inside words, p95',
    of: ['dashboard list at 1,000,000', 'admin search over 1,000,000'],
  },
  {
    name: 'handles; spoken numbers; references; job numbers',
    of: ['handles, one connection', 'spoken numbers', 'references', 'job numbers'],
  },
]

/** The sentences of README about one hot link, and its table: each between two comments. */
const PARTS = { figures: sentences, 'figures-table': table }

/**
 * README.md with the figures of a run.
 * @param rows all of it; what is missing was not run
 * @throws Error when the page lacks a pair of comments, or the rows lack the hot link
 */
export function withFigures(page: string, machine: Machine, rows: readonly Row[]): string {
  return Object.entries(PARTS).reduce((text, [name, write]) => {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
    const [before, rest] = [text.split(begin)[0], text.split(begin)[1]?.split(end)]
    if (before === undefined || rest?.[1] === undefined) throw new Error(`README.md lacks ${begin} or ${end}`)
    return before + begin + write(machine, rows) + end + rest[1]
  }, page)
}

function hotOf(rows: readonly Row[]) {
  const { result, rate, p99, steadyP99, cost, goal, met } = rows.find(({ title }) => title === HOT) ?? {}
  if (rate === undefined || typeof p99 !== 'number' || typeof steadyP99 !== 'number' || !cost)
    throw new Error(`no figures of ${HOT}`)
  return { result, rate, p99, steadyP99, cost, goal, met }
}

function sentences({ cores }: Machine, rows: readonly Row[]): string {
  const { result, rate, cost } = hotOf(rows)
  return [
    `one hot link reaches\n  ${result} of the rate of a bare \`node:http\` server in the same run (${number(rate)} redirects/s for ten seconds, on ${cores} cores shared with the load`,
    'generator, MariaDB and Redis), with every click\n  stored before its redirect is answered, and counted by the same process, if need be a little later. Its redirecting thread takes',
    `${cost.thread.toFixed(2)} times the processor time of that server;\n  all processes together, counting included, ${cost.all.toFixed(2)} times.`,
    '[All figures](docs/benchmarks.md), including the goals it misses',
  ].join(' ')
}

function table({ cores, cpu, date }: Machine, rows: readonly Row[]): string {
  const { result, rate, p99, steadyP99, cost, goal, met } = hotOf(rows)
  const on = new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const goals = rows.filter((row) => row.met !== null)
  const missed = goals.filter((row) => row.met === false)
  const mark = (isMet: boolean | null | undefined) => (isMet === true ? '✓' : isMet === false ? '✗' : '')
  const inAll = `${cost.thread.toFixed(2)}; ${cost.all.toFixed(2)}`
  const paced = `p99 ${p99.toFixed(1)} ms as fast as wrk gets answers, ${steadyP99.toFixed(0)} ms at a steady 70 % of that`
  const lines = [
    [HOT, goal, `${result}, ${number(rate)}/s; ${paced}`, mark(met)],
    [
      'the same, processor time a request to the control’s: redirecting thread; all processes',
      `≤ ${THREAD_GOAL}; ≤ ${ALL_GOAL}`,
      inAll,
      mark(cost.thread <= THREAD_GOAL && cost.all <= ALL_GOAL),
    ],
    ...LINES.map(({ name, of }) => {
      const shown = of.map((title) => rows.find((row) => row.title.startsWith(title)))
      const known = shown.filter((row) => row !== undefined)
      return [
        name,
        [...new Set(known.map((row) => row.goal))].join('; '),
        shown.map((row) => (row === undefined ? 'not run' : resultOf(row))).join('; '),
        known.length === 0 ? '' : mark(known.every((row) => row.met)),
      ]
    }),
  ]
  return `
\`npm run bench\` on ${cores} cores (${cpu}, ${on}), which the load generator, MariaDB and Redis share with the app. Each ratio compares with a bare
\`node:http\` server that answers 302, measured in the same run with a browser's headers. Another machine gives other ratios. ✗ marks a goal that is missed.
The rows are a choice: [all of them](docs/benchmarks.md) have ${goals.length} goals, of which ${missed.length} are missed, with what bounds most of these.

| case | goal | result | |
| --- | --- | --- | --- |
${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`
}

/** Rows that are held against the control have a rate beside their ratio. */
const resultOf = ({ result, rate, control }: Row) =>
  rate === undefined || control === undefined ? result : `${result}, ${number(rate)}/s`
