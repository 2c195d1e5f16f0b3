import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepClicks } from '@/lib/testing/clicks'
import { connectTo } from '@/lib/testing/database'
import { App, eventually, privateServers, query, type Servers } from './harness'

let servers: Servers
let app: App

beforeAll(async () => {
  // A database server of its own: what it reads in all is counted.
  servers = await privateServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

type Link = Awaited<ReturnType<App['create']>>

const makeLink = () => app.create({ url: 'https://example.com/' })

async function addClicks(link: Link, clicks: Parameters<typeof keepClicks>[2]) {
  const [row] = await query<{ id: bigint }>(servers.databaseUrl, 'SELECT CAST(id AS CHAR) AS id FROM Link WHERE code = ?', [
    link.code,
  ])
  const connection = await connectTo(servers.databaseUrl)
  try {
    await keepClicks(connection, BigInt(row?.id ?? 0), clicks)
    await connection.query('UPDATE Link SET clicks = clicks + ? WHERE code = ?', [clicks.length, link.code])
  } finally {
    await connection.end()
  }
}

/** How many connections watch a link. */
const watching = async () => Number(/^terse_live_watchers (\d+)/m.exec((await app.get('/metrics')).body)?.[1])

/** An answer that is read as it comes. */
function open(
  link: Link,
  suffix: string,
  localAddress = '127.0.0.1',
): Promise<{ response: http.IncomingMessage; text: () => string; leave: () => void }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${link.manageToken}` }
    const path = `/api/v1/links/${link.code}${suffix}`
    const call = http.get({ host: '127.0.0.1', port: app.port, path, headers, localAddress, agent: false }, (response) => {
      let text = ''
      response.on('error', () => {})
      resolve({ response, text: () => text, leave: () => call.destroy() })
      if (suffix !== '/live') return
      response.on('data', (chunk: Buffer) => {
        text += chunk
      })
    })
    call.on('error', reject)
  })
}

const READS = ['/stats', '/stats.csv', '/clicks', '/clicks.csv', '/live']

describe('what can be read of clicks', () => {
  test.each(READS)('%s needs the manage token, a link that is there, and GET', async (suffix) => {
    const [link, other] = [await makeLink(), await makeLink()]
    expect((await app.api('GET', `/links/${link.code}${suffix}`)).status).toBe(401)
    expect((await app.manage('GET', { ...link, manageToken: other.manageToken }, undefined, suffix)).status).toBe(404)
    expect((await app.manage('GET', { ...link, code: 'no-such-code' }, undefined, suffix)).status).toBe(404)
    const posted = await app.manage('POST', link, undefined, suffix)
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(await app.manage('HEAD', link, undefined, suffix)).toMatchObject({ status: 200, body: '' })
    await app.manage('DELETE', link)
    expect((await app.manage('GET', link, undefined, suffix)).status).toBe(410)
  })

  test.each(READS)('%s refuses parameters that it does not know, or is given twice', async (suffix) => {
    const link = await makeLink()
    for (const parameters of ['?colour=red', '?domain=localhost&domain=localhost']) {
      const answer = await app.manage('GET', link, undefined, suffix + parameters)
      expect(JSON.parse(answer.body)).toMatchObject({ status: 422, errors: [{ path: expect.any(String) }] })
    }
  })

  test('codes with a slash, and texts of strangers in any form', async () => {
    const link = await app.create({ url: 'https://example.com/', code: 'team/März' })
    const referrer = `<script>'"\\ =1+1 🌍`
    await addClicks(link, [{ at: Date.now() - 60_000, referrer, userAgent: '=cmd()', country: 'DE' }])
    const stats = JSON.parse((await app.manage('GET', link, undefined, '/stats?timezone=Asia/Kathmandu')).body)
    expect(stats).toMatchObject({
      totals: { clicks: 1 },
      timezone: 'Asia/Kathmandu',
      breakdown: { referrer: [{ value: referrer }] },
    })
    const page = JSON.parse((await app.manage('GET', link, undefined, `/clicks?referrer=${encodeURIComponent(referrer)}`)).body)
    expect(page).toMatchObject({ clicks: [{ referrer, userAgent: '=cmd()' }], nextCursor: null })
    const csv = await app.manage('GET', link, undefined, '/clicks.csv')
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="team-M-rz-clicks.csv"',
      'cache-control': 'no-store',
    })
    expect(csv.body).toContain(`,"'=cmd()",`)
    expect((await app.manage('GET', link, undefined, '/stats.csv')).body).toContain('"country","DE",1,1,')
  })

  test('a range that ends before it begins is refused, also where a file is asked for', async () => {
    const link = await makeLink()
    for (const suffix of ['/stats', '/stats.csv', '/clicks', '/clicks.csv']) {
      const { status } = await app.manage('GET', link, undefined, `${suffix}?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`)
      expect([suffix, status]).toEqual([suffix, 422])
    }
    expect(app.log).not.toContain('broke off')
  })

  test('an export stops when its reader leaves', async () => {
    const link = await makeLink()
    const userAgent = 'x'.repeat(500)
    const clicks = Array.from({ length: 20_000 }, (_, index) => ({ at: Date.now() - 60_000 - index, visitor: index, userAgent }))
    await addClicks(link, clicks)
    const reads = async () => {
      const [row] = await query<{ Value: string }>(servers.databaseUrl, "SHOW GLOBAL STATUS LIKE 'Handler_read_prev'")
      return Number(row?.Value)
    }
    const before = await reads()
    const { response, leave } = await open(link, '/clicks.csv')
    response.once('data', () => response.pause())
    await eventually(reads, (now) => now > before)
    leave()
    let [last, same] = [0, 0]
    const isStill = (now: number) => {
      same = now === last ? same + 1 : 0
      last = now
      return same === 10
    }
    // Whole, it would have read every click.
    expect((await eventually(reads, isStill)) - before).toBeLessThan(clicks.length)
  })
})

describe('watching live', () => {
  test('tells the number at once and when it grows, and forgets who leaves', async () => {
    const link = await makeLink()
    const { response, text, leave } = await open(link, '/live')
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' })
    await eventually(text, (read) => read === 'event: clicks\ndata: {"clicks":0}\n\n')
    await addClicks(link, [{ at: Date.now() }, { at: Date.now(), kind: 'bot' }])
    await eventually(text, (read) => read.endsWith('event: clicks\ndata: {"clicks":2}\n\n'))
    expect(await watching()).toBe(1)
    leave()
    await eventually(watching, (count) => count === 0)
  })

  test('of a client that opens many the newest take the places of its oldest, and others are let in', async () => {
    const link = await makeLink()
    const all: Awaited<ReturnType<typeof open>>[] = []
    for (let i = 0; i < 25; i++) all.push(await open(link, '/live'))
    const ended = (texts: typeof all) => texts.filter(({ text }) => text().endsWith('event: replaced\ndata: {}\n\n')).length
    await eventually(
      async () => ended(all),
      (count) => count === 5,
    )
    expect(ended(all.slice(0, 5))).toBe(5)
    const other = await open(link, '/live', '127.0.0.2')
    expect(other.response.statusCode).toBe(200)
    expect(await watching()).toBe(21)
    for (const { leave } of [...all, other]) leave()
    await eventually(watching, (count) => count === 0)
  })

  test('ends when the link is deleted', async () => {
    const link = await makeLink()
    const { response } = await open(link, '/live')
    const ended = new Promise((resolve) => response.once('end', resolve))
    await app.manage('DELETE', link)
    await ended
    expect(await watching()).toBe(0)
  })

  // The last one: it stops the app.
  test('does not keep the process from stopping', async () => {
    const { response } = await open(await makeLink(), '/live')
    const ended = new Promise((resolve) => response.once('end', resolve))
    const begun = Date.now()
    expect(await app.stop()).toBe(0)
    await ended
    expect(Date.now() - begun).toBeLessThan(5_000)
  })
})
