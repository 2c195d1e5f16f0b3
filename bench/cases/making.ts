import { setTimeout as delay } from 'node:timers/promises'
import { signIn, WITH_ADMIN } from '../admin'
import type { ServerProcess } from '../processes'
import { notes, type Row, wrongAnswers } from '../report'
import type { World } from '../world'
import { wrk } from '../wrk'
import { withApp } from './redirects'

/** Links made through the API, each over HTTP, to a destination of its own. */
export async function create(world: World): Promise<Row[]> {
  const { plan } = world
  const stock = await world.large()
  return await withApp(world, 'create', stock, async (app) => {
    await wrk(app.origin, { name: 'create', args: ['warm-up'] }, plan.window)
    const measured = await wrk(app.origin, { name: 'create', args: ['run'] }, plan.seconds)
    const { rate, p50, p99, refused, socketErrors } = measured
    const wrong = refused + socketErrors
    return [
      {
        title: 'create through the API',
        goal: '≥ 1,500/s, p99 < 40 ms',
        result: `${Math.round(rate).toLocaleString('en-US')}/s, p99 ${p99.toFixed(0)} ms`,
        met: rate >= 1_500 && p99 < 40 && wrong === 0,
        rate,
        p50,
        p99,
        note: wrong === 0 ? '' : `${wrongAnswers(wrong)}: ${refused} refused, ${socketErrors} over 2 s or broken off`,
        raw: measured,
      },
    ]
  })
}

/** Rows that are imported, and how soon all are to be links. */
const IMPORTED = 100_000
const IMPORT_TIME = 15
const IMPORT_RATE = 15_000
/** How soon links that come with codes are here. */
const MOVE_TIME = 30
/** A list in CSV, from its upload to when the job is done. */
export async function imports(world: World): Promise<Row[]> {
  const count = world.plan.quick ? IMPORTED / 10 : IMPORTED
  const stock = await world.small()
  const rows = Array.from(
    { length: count },
    (_, i) => `https://www.example.com/articles/2026/11/how-to-import-${i}?utm_source=newsletter\n`,
  )
  return await withApp(
    world,
    'imports',
    stock,
    async (app) => {
      const ask = await asAdmin(app)
      await doneJob(ask, await ask('POST', '/links/import', 'url\nhttps://example.com/first\n')) // opens connections
      const begun = performance.now()
      const job = await doneJob(ask, await ask('POST', '/links/import', `url\n${rows.join('')}`))
      const seconds = (performance.now() - begun) / 1000
      const links = job.done - job.failed
      const rate = links / seconds
      return [
        {
          title: `import of ${count.toLocaleString('en-US')} rows of CSV through the API, until done`,
          goal: `< ${IMPORT_TIME} s, ≥ ${IMPORT_RATE.toLocaleString('en-US')} links/s`,
          result: `${seconds.toFixed(1)} s, ${Math.round(rate).toLocaleString('en-US')} links/s`,
          met: seconds < IMPORT_TIME && rate >= IMPORT_RATE && links === count,
          note: notes('with a result for each row', links === count ? '' : `${count - links} LINKS MISSING`),
          raw: { seconds, rate, job },
        },
        await movedLinks(ask, count),
      ]
    },
    WITH_ADMIN,
  )
}

/** A dump of YOURLS, whose links keep their codes, from its upload to when the job is done. */
async function movedLinks(ask: Ask, count: number): Promise<Row> {
  const values = Array.from(
    { length: count },
    (_, i) => `('m${i.toString(36)}','https://www.example.com/${i}','Page ${i}','2026-01-02 03:04:05','10.0.0.1',${i % 90})`,
  )
  const statements: string[] = []
  for (let at = 0; at < count; at += 1_000)
    statements.push(`INSERT INTO \`yourls_url\` VALUES ${values.slice(at, at + 1_000)};\n`)
  const begun = performance.now()
  const job = await doneJob(ask, await ask('POST', '/links/import?from=yourls', `-- MySQL dump\n${statements.join('')}`))
  const seconds = (performance.now() - begun) / 1000
  const links = job.done - job.failed
  return {
    title: `import of ${count.toLocaleString('en-US')} links with codes from a dump of YOURLS, until done`,
    goal: `< ${MOVE_TIME} s`,
    result: `${seconds.toFixed(1)} s, ${Math.round(links / seconds).toLocaleString('en-US')} links/s`,
    met: seconds < MOVE_TIME && links === count,
    note: notes('each keeps its code', links === count ? '' : `${count - links} LINKS MISSING`),
    raw: { seconds, job },
  }
}

interface Answer {
  number: string
  state: string
  done: number
  failed: number
  error: string
}

type Ask = (method: string, path: string, body?: string) => Promise<Answer>

async function asAdmin(app: ServerProcess): Promise<Ask> {
  const admin = await signIn(app)
  return async (method, path, body) => {
    const headers = { ...admin, ...(body === undefined ? {} : { 'Content-Type': 'text/csv' }) }
    const answer = await fetch(`${app.origin}/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
}

async function doneJob(ask: Ask, { number }: Answer): Promise<Answer> {
  for (;;) {
    const job = await ask('GET', `/jobs/${number}`)
    if (job.state === 'done') return job
    if (job.state === 'failed' || job.state === 'cancelled') throw new Error(`import ${job.state}: ${job.error}`)
    await delay(100)
  }
}
