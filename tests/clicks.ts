import http from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { dimensionNumber } from '@/lib/clicks/dimensions'
import { singleClicksWith } from '@/lib/clicks/single-clicks'
import { destination, eventually, query } from './harness'

interface Servers {
  databaseUrl: string
}

/** A browser as they are. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** How often a link was clicked, by each of the places that know; they must agree. */
export interface Counts {
  raw: number
  hours: number
  /** By day. */
  totals: number
  days: number
  link: number
  /** By destination, of a link that has several. */
  led: number
}

const SUM = 'SELECT COALESCE(SUM(ClickRollup.clicks), 0) AS n FROM ClickRollup JOIN Link ON Link.id = linkId WHERE code = ? AND'

const LED = `SELECT IF(Link.routing IS NULL, Link.clicks, (SELECT COALESCE(SUM(clicks), 0) FROM ClickRollup
  WHERE linkId = Link.id AND span = 24 AND dimension = ${dimensionNumber('destination')})) AS n FROM Link WHERE code = ?`

/** A link that is split, so that each of its clicks has a destination besides. */
export const splitLink = () => ({
  url: destination(),
  routing: { split: { variants: [70, 30].map((weight) => ({ url: destination(), weight })) } },
})

export async function countsOf(servers: Servers, code: string): Promise<Counts> {
  const one = async (sql: string) => Number((await query<{ n: unknown }>(servers.databaseUrl, sql, [code]))[0]?.n)
  return {
    raw: await one('SELECT COUNT(*) AS n FROM SingleClick JOIN Link ON Link.id = linkId WHERE code = ?'),
    hours: await one(`${SUM} dimension = 0 AND span = 1`),
    totals: await one(`${SUM} dimension = 0 AND span = 24`),
    // People only: the load is theirs.
    days: await one(`${SUM} dimension = 4 AND span = 24`),
    link: await one('SELECT Link.clicks AS n FROM Link WHERE code = ?'),
    led: await one(LED),
  }
}

/** Waits until all of them say `count`. */
export async function counted(servers: Servers, code: string, count: number, ms = 15_000): Promise<void> {
  await eventually(
    () => countsOf(servers, code),
    (counts) => Object.values(counts).every((n) => n === count),
    ms,
  )
}

/** The marks of the clicks in the raw rows, with repetitions. */
async function marksOf(servers: Servers, code: string): Promise<string[]> {
  const rows = await query<{ mark: string }>(
    servers.databaseUrl,
    `SELECT referrerUrl AS mark FROM ${singleClicksWith(['referrerUrl'])} JOIN Link ON Link.id = linkId WHERE code = ?`,
    [code],
  )
  return rows.map(({ mark }) => mark)
}

/** Between two clicks of one connection, in ms. */
const PAUSE = 4

/** Clicks on one link over several connections, each click with a mark of its own; a lost connection is opened again. */
export class Load {
  /** Marks of the redirects that were received. */
  readonly received: string[] = []
  /** Answers that were no redirect. */
  readonly wrong: string[] = []
  private stopped = false
  private readonly loops: Promise<void>[]
  private static count = 0

  constructor(
    private readonly port: () => number,
    readonly code: string,
    connections = 8,
  ) {
    this.loops = Array.from({ length: connections }, (_, i) => this.loop(BROWSER.replace('142.0.0.0', `142.0.0.${i}`)))
  }

  /** @param userAgent of a visitor of its own */
  private async loop(userAgent: string): Promise<void> {
    let agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.stopped) {
      const mark = `https://load.test/${Load.count++}`
      try {
        const { status, location } = await this.click(agent, mark, userAgent)
        if (status === 302 && location) this.received.push(mark)
        else this.wrong.push(`${status}`)
        // A steady load, that leaves the processor to those who count.
        await delay(PAUSE)
      } catch {
        // The process is gone. Whether this click was counted nobody promised.
        agent.destroy()
        agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
        await delay(10)
      }
    }
    agent.destroy()
  }

  private click(
    agent: http.Agent,
    mark: string,
    userAgent: string,
  ): Promise<{ status: number | undefined; location: string | undefined }> {
    return new Promise((resolve, reject) => {
      const headers = { referer: mark, 'user-agent': userAgent }
      const call = http.get({ host: '127.0.0.1', port: this.port(), path: `/${this.code}`, agent, headers }, (response) => {
        response.resume()
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode, location: response.headers.location }))
      })
      call.on('error', reject)
    })
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all(this.loops)
  }
}

/** How many of the redirects that were received are not counted. */
export async function uncounted(servers: Servers, load: Pick<Load, 'received' | 'code'>): Promise<number> {
  const counted = new Set(await marksOf(servers, load.code))
  return load.received.filter((mark) => !counted.has(mark)).length
}

/**
 * Waits until every redirect that was received is counted; then holds the counts against each other. Counted but
 * never received may be what was under way when a process died.
 */
export async function expectCountedOnce(
  servers: Servers,
  load: Pick<Load, 'received' | 'code'>,
  maxUnreceived = 0,
): Promise<void> {
  await eventually(
    () => uncounted(servers, load),
    (count) => count === 0,
    30_000,
  )
  await expectConsistent(servers, load.code)
  const marks = await marksOf(servers, load.code)
  expect(marks.length - load.received.length).toBeLessThanOrEqual(maxUnreceived)
}

/** Waits until the streams are empty, and expects no click twice and all counts alike. */
export async function expectConsistent(servers: Servers, code: string): Promise<number> {
  const { raw } = await eventually(
    () => countsOf(servers, code),
    (counts) => new Set(Object.values(counts)).size === 1,
  )
  const marks = await marksOf(servers, code)
  expect(new Set(marks).size).toBe(marks.length)
  return raw
}
