import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeResponse } from '@/lib/api/web'
import { updateDomain } from '@/lib/domains/edit'
import { banLink } from '@/lib/links/ban'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { OURSELVES } from '@/lib/links/permit'
import { CreateLink } from '@/lib/links/schemas'
import { setRuntime } from '@/lib/runtime'
import { testDatabase } from '@/lib/testing/database'
import { readCode } from '@/lib/testing/qr'
import { testRedis } from '@/lib/testing/redis'
import { BASE_URL, owner, settled, testRuntime } from '@/lib/testing/runtime'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const alice = owner('alice')
const make = async (given: object = {}) =>
  (await createLink(ctx, alice, CreateLink.parse({ url: 'https://example.com/', ...given }))).link

async function turn(qrCodes: boolean): Promise<void> {
  const { id } = await ctx.domains.default()
  await updateDomain(ctx, id, { qrCodes })
}

async function ask(path: string, { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {}) {
  setRuntime(ctx)
  const response = await codeResponse(new Request(BASE_URL + path, { method, headers: { host: 'terse.test', ...headers } }))
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('the QR code of a link at its own address', () => {
  it('is there only where the domain gives them out', async () => {
    const { code } = await make()
    expect((await ask(`/${code}.qr`)).status).toBe(404)
    await turn(true)
    expect((await ask(`/${code}.qr`)).status).toBe(200)
    await turn(false)
    expect((await ask(`/${code}.qr`)).status).toBe(404)
  })

  it.each(['spring-sale', 'menu/today', '春天', 'é'])('says the short link of %s', async (code) => {
    await turn(true)
    await make({ code })
    const shortUrl = new URL(`/${code}`, BASE_URL).href
    const path = new URL(shortUrl).pathname
    const svg = await ask(`${path}.qr`)
    expect(svg.headers.get('content-type')).toBe('image/svg+xml')
    expect(svg.headers.get('content-security-policy')).toContain('sandbox')
    expect(await readCode(svg.bytes)).toBe(shortUrl)
    const png = await ask(`${path}.qr.png`)
    expect(await sharp(png.bytes).metadata()).toMatchObject({ format: 'png', width: 512 })
    expect(await readCode(png.bytes)).toBe(shortUrl)
  })

  it('is kept by caches for a while, and not sent again to who has it', async () => {
    await turn(true)
    const { code } = await make()
    const { headers } = await ask(`/${code}.qr`)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    const again = await ask(`/${code}.qr`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    const other = await ask(`/${code}.qr.png`, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(other.status).toBe(200)
    const head = await ask(`/${code}.qr`, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    expect((await ask(`/${code}.qr`, { method: 'POST' })).status).toBe(405)
  })

  it('is not there for links that are deleted, banned, turned off or never were', async () => {
    await turn(true)
    const [deleted, banned, off] = [await make(), await make(), await make({ enabled: false })]
    expect((await ask(`/${deleted.code}.qr`)).status).toBe(200)
    await deleteLink(ctx, alice, { code: deleted.code })
    expect((await ask(`/${deleted.code}.qr`)).status).toBe(410)
    await banLink(ctx, OURSELVES, banned.id, 'spam')
    expect((await ask(`/${banned.code}.qr`)).status).toBe(410)
    expect((await ask(`/${off.code}.qr`)).status).toBe(410)
    expect((await ask('/never-was.qr')).status).toBe(404)
  })

  it('tells nothing that the short link keeps to itself, and is no click', async () => {
    await turn(true)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const { id, code } = await make({ password: 'open sesame', startsAt: later, maxClicks: 1 })
    expect((await ask(`/${code}.qr`)).status).toBe(200)
    expect(await ctx.db.rows('SELECT taken FROM Link WHERE id = ?', id)).toEqual([{ taken: 0 }])
  })

  it('hides nothing that stands behind a link that takes paths', async () => {
    await turn(true)
    await make({ code: 'files', routing: { path: 'append' } })
    const answer = await ask('/files/scan.qr.png')
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('https://example.com/scan.qr.png')
    await make({ code: 'files/scan' })
    expect((await ask('/files/scan.qr.png')).headers.get('content-type')).toBe('image/png')
  })

  it.each(['/.qr', '/.qr.png', '/a.qr.svg', '/a.QR', '/a.qr+', '/a.qr.qr', '/a..qr', '/a.b.qr'])(
    '%s is nothing',
    async (path) => {
      await turn(true)
      await make({ code: 'a' }).catch(() => {})
      expect((await ask(path)).status).toBe(404)
    },
  )
})
