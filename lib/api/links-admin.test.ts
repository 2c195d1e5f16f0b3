import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anonymous } from '@/lib/actor'
import { audit } from '@/lib/audit/audit'
import { createLink } from '@/lib/links/create'
import { CreateLink } from '@/lib/links/schemas'
import { createReport } from '@/lib/reports/create'
import { CreateReport } from '@/lib/reports/schemas'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { within } from '@/lib/testing/eventually'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { getAdminLink, getAllLinks, postLinkAction } from './links-admin'
import { getAdminExport } from './links-export'
import { getReports, postResolution } from './reports'
import { getAudit } from './system'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)
const other = await testRuntime(settings)
await settled(ctx, other)

const admin = new Visitor(ctx)
beforeAll(() => admin.signUpAsAdmin())
beforeEach(() => connection.query('DELETE FROM AuditEntry'))

const make = async () => (await createLink(ctx, anonymous(), CreateLink.parse({ url: 'https://example.com/' }))).link
const act = (id: bigint, action: string, body: unknown = {}) =>
  admin.ask(postLinkAction, 'POST', '/api/v1/admin/links', body, {}, { id: String(id), action })
const detail = async (id: bigint) =>
  (await admin.ask(getAdminLink, 'GET', '/api/v1/admin/links', undefined, {}, { id: String(id) })).body
const written = async () =>
  (await connection.query<{ action: string; target: string }[]>('SELECT * FROM AuditEntry ORDER BY id')).map(
    ({ action, target }) => [action, target],
  )

it('the links of all accounts are exported with their owners and password hashes, and that is written down', async () => {
  const mia = new Visitor(ctx)
  const { id, email } = await mia.signUp()
  const fields = CreateLink.parse({ url: 'https://example.com/all', password: 'secret words' })
  const { link } = await createLink(ctx, owner(id), fields)
  const exported = (by: Visitor, query = '') => by.ask(getAdminExport, 'GET', `/api/v1/admin/export${query}`)
  const { status, body, headers } = await exported(admin)
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="terse-links.csv"'])
  const told = String(body)
    .split('\n')
    .find((line) => line.includes(`"${link.code}"`))
  expect(told).toContain(`"${email}"`)
  expect(told).toMatch(/"\$argon2id\$/)
  expect(await written()).toEqual([['links.export', '']])
  expect((await exported(mia)).status).toBe(403)
  expect(await written()).toHaveLength(1)
})

describe('what an admin does to a link', () => {
  it('takes effect, is written down, and makes up its history', async () => {
    const { id, fullShortUrl } = await make()
    const steps = [
      ['disable', 'disabled'],
      ['enable', 'active'],
      ['ban', 'banned'],
      ['unban', 'active'],
      ['delete', 'deleted'],
      ['restore', 'active'],
    ] as const
    for (const [action, state] of steps) {
      const { status, body } = await act(id, action)
      expect([action, status, body.link?.state]).toEqual([action, 200, state])
    }
    const expected = steps.map(([action]) => [`link.${action}`, fullShortUrl])
    expect(await written()).toEqual(expected)
    const { history } = await detail(id)
    expect(history.map((entry: { action: string }) => entry.action)).toEqual(expected.map(([action]) => action).reverse())
  })

  it('is a ban that every process knows within a second, with its reason', async () => {
    const { id, fullShortUrl } = await make()
    const known = async () => (await other.lookup.find(fullShortUrl)).entry.record
    expect(await known()).toMatchObject({ kind: 'link', state: 'active' })
    await act(id, 'ban', { reason: 'Phishing' })
    await within(1_000, async () => expect(await known()).toMatchObject({ state: 'banned', banReason: 'Phishing' }))
  })

  it('is not written down where it was refused', async () => {
    const { id } = await make()
    expect((await act(id, 'unban')).status).toBe(409)
    expect((await act(id, 'restore')).status).toBe(404)
    expect((await act(id, 'explode')).status).toBe(404)
    expect((await act(1n, 'ban')).status).toBe(404)
    expect((await act(id, 'ban', { reason: 'x'.repeat(256) })).status).toBe(422)
    expect(await written()).toEqual([])
    expect((await detail(id)).link.state).toBe('active')
  })
})

describe('what an admin does about a report', () => {
  const resolve = (id: string, body: unknown) => admin.ask(postResolution, 'POST', '/api/v1/admin/reports', body, {}, { id })

  it('is part of the history of its link, once', async () => {
    const { id, fullShortUrl } = await make()
    const details = `<b>\r\nBcc: x@example.com\0${'"'.repeat(1_900)}`
    await createReport(ctx, CreateReport.parse({ shortUrl: fullShortUrl, reason: 'malware', details }), '203.0.113.1')
    const { reports } = (await admin.ask(getReports, 'GET', '/api/v1/admin/reports?state=open')).body
    // Without what nobody sees (lib/tools/line.ts), and else as it was typed.
    const shown = details.replace('\r\n', '\n').replace('\0', '')
    expect(reports).toEqual([expect.objectContaining({ details: shown, reason: 'malware' })])
    const handled = await resolve(reports[0].id, { action: 'ban', reason: 'Malware' })
    expect(handled.body.report).toMatchObject({ state: 'acted', link: { state: 'banned' } })
    expect((await resolve(reports[0].id, { action: 'dismiss' })).status).toBe(409)
    expect(await written()).toEqual([['report.ban', fullShortUrl]])
    expect((await detail(id)).history).toHaveLength(1)
  })

  it('is refused with a body too long to be one', async () => {
    expect(CreateReport.safeParse({ shortUrl: 'x', reason: 'spam', details: 'x'.repeat(10_240) }).success).toBe(false)
    expect((await resolve('1', { action: 'dismiss', answer: 'x'.repeat(2_001) })).status).toBe(422)
    expect(await written()).toEqual([])
  })
})

describe('a short URL that someone typed', () => {
  it.each<[string, (shortUrl: string) => string]>([
    ['as the API writes it', (shortUrl) => shortUrl],
    ['with its letters', decodeURI],
    ['without its scheme', (shortUrl) => decodeURI(shortUrl).replace('http://', '')],
    ['as its preview, with a query', (shortUrl) => `${shortUrl}+?utm=1#x`],
    ['with letters of which some are composed', (shortUrl) => decodeURI(shortUrl).normalize('NFD')],
    ['as its code alone', (shortUrl) => decodeURI(new URL(shortUrl).pathname.slice(1))],
  ])('%s, names its link in the search, the audit log and a report', async (_, write) => {
    const code = `grüße-${randomUUID()}`
    const { link } = await createLink(ctx, anonymous(), CreateLink.parse({ url: 'https://example.com/', code }))
    await act(link.id, 'disable')
    const typed = write((await detail(link.id)).link.shortUrl)
    const search = (path: string, query: Record<string, string>) => `/api/v1/admin/${path}?${new URLSearchParams(query)}`
    const { links } = (await admin.ask(getAllLinks, 'GET', search('links', { q: typed }))).body
    expect(links.map(({ id }: { id: string }) => id)).toEqual([String(link.id)])
    const { entries } = (await admin.ask(getAudit, 'GET', search('audit', { target: typed }))).body
    expect(entries.map(({ target }: { target: string }) => target)).toEqual([link.fullShortUrl])
    const report = createReport(ctx, CreateReport.parse({ shortUrl: typed, reason: 'spam' }), '203.0.113.1')
    await expect(report).resolves.toMatch(/^\d{11}$/)
  })

  it('does not keep the audit log from telling of what has the form of a code', async () => {
    const by = { account: { id: 'user-1', handle: '10000001', email: 'boss@example.org' }, address: '' }
    await audit(ctx, by, 'blocklist.add', 'casino')
    const { entries } = (await admin.ask(getAudit, 'GET', '/api/v1/admin/audit?target=casino')).body
    expect(entries).toHaveLength(1)
  })
})
