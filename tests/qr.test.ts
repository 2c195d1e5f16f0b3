import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCode } from '@/lib/testing/qr'
import { App, destination, eventually, ownServers, query, type Servers, unknownCode } from './harness'

/** The built server draws QR codes in a thread of its own, and gives them out ahead of the pages. */

let servers: Servers
let env: Record<string, string>
let app: App

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
  await query(servers.databaseUrl, 'UPDATE Domain SET qrCodes = true')
  const { code } = await app.create({ url: destination() })
  await eventually(
    async () => (await app.get(`/${code}.qr`)).status,
    (status) => status === 200,
  )
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

describe('QR codes of the built server', () => {
  it('say the short link, at their own address and by the API', async () => {
    const link = await app.create({ url: destination(), code: `春天-${unknownCode()}` })
    const path = new URL(link.shortUrl).pathname
    const shown = await app.get(`${path}.qr`)
    expect(shown.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=300' })
    expect(await readCode(Buffer.from(shown.body))).toBe(link.shortUrl)
    expect((await app.get(`${path}.qr`, { 'if-none-match': String(shown.headers.etag) })).status).toBe(304)
    const asked = await app.manage('GET', link, undefined, '/qr?foreground=7a0000&level=H&margin=8')
    expect(await readCode(Buffer.from(asked.body))).toBe(link.shortUrl)
    expect((await app.manage('GET', link, undefined, '/qr?format=pdf')).body).toMatch(/^%PDF-/)
    expect((await app.manage('GET', link, undefined, '/qr?format=png&size=50')).status).toBe(422)
    await app.manage('DELETE', link)
    expect((await app.get(`${path}.qr`)).status).toBe(410)
    expect((await app.manage('GET', link, undefined, '/qr')).status).toBe(410)
  })

  it('are given out by an edge too, the same', async () => {
    const link = await app.create({ url: destination() })
    const edge = await App.start({ ...env, ROLE: 'edge', BASE_URL: `http://localhost:${app.port}` })
    const [ours, theirs] = [await app.get(`/${link.code}.qr`), await edge.get(`/${link.code}.qr`)]
    expect(theirs).toMatchObject({ status: 200, body: ours.body })
    expect(theirs.headers.etag).toBe(ours.headers.etag)
    await edge.stop()
  })

  it('are refused to who asks for too many at once, while links redirect and other clients get theirs', async () => {
    const links = await Promise.all(Array.from({ length: 60 }, () => app.create({ url: destination() })))
    const asked = links.map(({ code }) => app.get(`/${code}.qr.png`))
    const redirects = links.map(({ code }) => app.get(`/${code}`))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect((await Promise.all(redirects)).every(({ status }) => status === 302)).toBe(true)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  })

  it('are limited for each client, and those that were drawn lately are not counted', async () => {
    const limited = await App.start({ ...env, RATE_LIMIT: 'on', BASE_URL: `http://localhost:${app.port}` })
    const links = await Promise.all(Array.from({ length: 125 }, () => app.create({ url: destination() })))
    const answers = []
    for (const { code } of links) answers.push(await limited.get(`/${code}.qr`))
    expect(answers.map(({ status }) => status)).toEqual([...Array(120).fill(200), ...Array(5).fill(429)])
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await limited.get(`/${links[0]?.code}.qr`)).status).toBe(200)
    expect((await limited.get(`/${links[124]?.code}`)).status).toBe(302)
    await limited.stop()
  })
})
