import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { isTerseError } from '@/lib/errors'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testConfig, testRuntime } from '@/lib/testing/runtime'
import { visit } from '@/lib/testing/visit'
import { isWeb, NEVER_OPENED, schemeOf } from '@/lib/tools/schemes'
import { createLink } from './create'
import { insertMany, prepareMany } from './create-many'
import { deleteLink } from './delete'
import { linkDestination } from './link-destination'
import { listLinks } from './list'
import { restoreLink } from './restore'
import { CreateLink, ListLinks, UpdateLink } from './schemas'
import { createSpoken } from './spoken'
import { updateLink } from './update'

const { url } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
/** One process whose operator lists some schemes, and one whose operator lists none, on the same links. */
const ctx = await testRuntime({ ...settings, LINK_SCHEMES: 'mailto, TEL:, spotify' })
const plain = await testRuntime(settings)
const alice = owner('alice')
beforeAll(() => Promise.all([settled(ctx, plain), keepAccount(ctx.db, 'alice')]))

const link = (fields: object) => CreateLink.parse(fields)
const create = (fields: object, on = ctx) => createLink(on, alice, link(fields)).then((made) => made.link)

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isTerseError(error) ? (error.errors?.[0]?.path ?? error.code) : String(error)),
  )

async function ask(code: string, { on = ctx, query = '', agent = '' } = {}) {
  const given = { query, rawHeaders: ['User-Agent', agent], language: 'en' }
  const { status, headers, body } = await visit(on.answering, 'terse.test', `/${code}`, given)
  return { status, location: headers[headers.indexOf('Location') + 1], body: String(body) }
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

describe('a destination of another scheme', () => {
  it.each([
    [
      'mailto:ada@example.com?subject=Hello there&body=Zeile 1%0D%0AZeile 2',
      'mailto:ada@example.com?subject=Hello%20there&body=Zeile%201%0D%0AZeile%202',
    ],
    ['MAILTO:ada@example.com', 'mailto:ada@example.com'],
    ['mailto:käthe@exämple.com?subject=Grüße', 'mailto:k%C3%A4the@ex%C3%A4mple.com?subject=Gr%C3%BC%C3%9Fe'],
    ['tel:+49 30 1234-5678', 'tel:+49%2030%201234-5678'],
    ['tel:*100#', 'tel:*100#'],
    ['spotify:track:4uLU6hMCjMI75M1A2tKUQC', 'spotify:track:4uLU6hMCjMI75M1A2tKUQC'],
    ['spotify:a"b<c>d`e{f}', 'spotify:a%22b%3Cc%3Ed%60e%7Bf%7D'],
  ])('%s is stored, and sent, well formed', async (typed, href) => {
    const { code, url } = await create({ url: typed })
    expect(url).toBe(href)
    expect(await ask(code)).toMatchObject({ status: 302, location: href })
    expect(href).toMatch(/^[!-~]+$/)
  })

  it('is a header line and nothing more, whatever was typed', () => {
    fc.assert(
      fc.property(fc.constantFrom('mailto:', 'tel:', 'spotify:', 'myapp://'), fc.string({ unit: 'grapheme' }), (scheme, rest) => {
        const parsed = linkDestination(scheme + rest)
        if (!parsed.ok) return
        expect(parsed.href).toMatch(/^[!-~]+$/)
        expect(linkDestination(parsed.href)).toMatchObject({ ok: true, href: parsed.href })
      }),
    )
  })

  it.each(['tel:\r\nSet-Cookie: a=b', 'mailto:a@b.example\nBcc: c@d.example', 'tel:\t1', 'mailto:', 'tel:'])(
    '%j is refused',
    (typed) => {
      expect(CreateLink.safeParse({ url: typed }).success).toBe(false)
    },
  )

  it('is refused wherever it can be given, unless its scheme is listed', async () => {
    for (const url of ['ftp://example.com/', 'skype:ada', 'mailto2:x']) expect(await refusal(create({ url }))).toBe('url')
    const url = 'https://example.com/'
    const mail = 'mailto:ada@example.com'
    expect(await refusal(create({ url: mail }, plain))).toBe('url')
    expect(await refusal(create({ url, expiresAt: '2099-01-01T00:00:00Z', expiredUrl: mail }, plain))).toBe('expiredUrl')
    const rules = [{ when: [{ of: 'os', in: ['iOS'] }], url: mail }]
    expect(await refusal(create({ url, routing: { rules } }, plain))).toBe('routing.rules.0.url')
    const variants = [
      { url, weight: 50 },
      { url: mail, weight: 50 },
    ]
    expect(await refusal(create({ url, routing: { split: { variants } } }, plain))).toBe('routing.split.variants.1.url')
    expect(await refusal(createSpoken(plain, alice, { url: mail, digits: 4, ttl: 600 }))).toBe('url')
    const { code } = await create({ url })
    expect(await refusal(updateLink(plain, alice, { code }, UpdateLink.parse({ url: mail })))).toBe('url')
    const rows = await insertMany(plain, await prepareMany(plain, alice, [link({ url: mail }), link({ url })]))
    expect(rows.map((row) => isTerseError(row))).toEqual([true, false])
    const deleted = await create({ url: mail })
    await deleteLink(ctx, alice, { code: deleted.code })
    expect(await refusal(restoreLink(plain, alice, { code: deleted.code }))).toBe('url')
    expect(await restoreLink(ctx, alice, { code: deleted.code })).toMatchObject({ url: mail })
  })

  it('is never one that runs code or reads files, whatever the operator lists', () => {
    for (const scheme of [
      'javascript',
      'JavaScript',
      'data',
      'file',
      'vbscript',
      'blob',
      'about',
      'view-source',
      'filesystem',
      'intent',
    ]) {
      expect(CreateLink.safeParse({ url: `${scheme}:alert(1)` }).success, scheme).toBe(false)
      expect(() => testConfig({ ...settings, LINK_SCHEMES: `mailto,${scheme}` }), scheme).toThrow(/LINK_SCHEMES.*never allowed/s)
    }
    for (const scheme of NEVER_OPENED) expect(CreateLink.safeParse({ url: `${scheme}:x` }).success, scheme).toBe(false)
    expect(() => testConfig({ ...settings, LINK_SCHEMES: 'mail to' })).toThrow(/LINK_SCHEMES/)
    expect(testConfig({ ...settings, LINK_SCHEMES: 'TEL:, tel,mailto' }).LINK_SCHEMES).toEqual(['tel', 'mailto'])
  })

  it('gets nothing of a visitor’s query and path, and is safe to show', async () => {
    const rules = [{ when: [{ of: 'os', in: ['iOS'] }], url: 'spotify:track:1' }]
    const { code } = await create({ url: 'https://example.com/', routing: { rules, query: 'forward', path: 'append' } })
    expect(await ask(`${code}/more`, { query: '?a=1', agent: IPHONE })).toMatchObject({
      status: 302,
      location: 'spotify:track:1',
    })
    expect((await ask(`${code}/more`, { query: '?a=1' })).location).toBe('https://example.com/more?a=1')
    expect((await ask(`${code}+`)).body).toContain('spotify:track:1')
    const mail = await create({ url: 'mailto:ada@example.com?subject="><script>' })
    const shown = (await ask(`${mail.code}+`)).body
    expect(shown).toContain('mailto:')
    expect(shown).not.toContain('<script>')
  })

  it('is not taken for a way back to us, and a mail is by its host', async () => {
    expect(await create({ url: 'spotify://terse.test/x' })).toMatchObject({ url: 'spotify://terse.test/x' })
    await ctx.db.write((client) =>
      client.blockRule.create({
        data: { id: 1n, kind: 'suffix', value: 'blocked.example', createdBy: 'alice', createdAt: new Date() },
      }),
    )
    await expect
      .poll(() => refusal(create({ url: 'mailto:ada@example.com?cc=eve@mail.blocked.example' })), { timeout: 20_000 })
      .toBe('url')
    expect(await refusal(create({ url: 'mailto:ada@example.com,eve%40BLOCKED.example' }))).toBe('url')
    expect(await refusal(create({ url: 'mailto:ada@example.com' }))).toBeNull()
  })

  it('is found by what is typed into the search', async () => {
    const { code } = await create({ url: 'tel:+49 30 999' })
    const { links } = await listLinks(ctx, alice, ListLinks.parse({ q: 'TEL:+49 30 999' }))
    expect(links.map((one) => one.code)).toEqual([code])
  })
})

describe('a scheme that was taken off the list', () => {
  it('ends the redirects to it with a page that says so, those of a rule alone too; and the list brings them back', async () => {
    const { code } = await create({ url: 'mailto:ada@example.com' })
    const gone = await ask(code, { on: plain })
    expect(gone).toMatchObject({ status: 410 })
    expect(gone.body).toContain('This link can’t be opened anymore')
    expect(gone.body).not.toContain('href="mailto:')
    expect((await ask(`${code}+`, { on: plain })).status).toBe(410)
    expect(await ask(code)).toMatchObject({ status: 302, location: 'mailto:ada@example.com' })
    const rules = [{ when: [{ of: 'os', in: ['iOS'] }], url: 'spotify:track:1' }]
    const routed = await create({ url: 'https://example.com/', routing: { rules } })
    expect((await ask(routed.code, { on: plain, agent: IPHONE })).status).toBe(410)
    expect((await ask(routed.code, { on: plain })).status).toBe(302)
  })

  it('lets a link be turned off and given another destination, and no other change', async () => {
    const { code } = await create({ url: 'tel:+491' })
    expect(await refusal(updateLink(plain, alice, { code }, { enabled: false }))).toBeNull()
    expect(await refusal(updateLink(plain, alice, { code }, { enabled: true }))).toBe('url')
    expect(
      await refusal(updateLink(plain, alice, { code }, UpdateLink.parse({ url: 'https://example.com/', enabled: true }))),
    ).toBeNull()
  })
})

it('schemes are read from what URL.href writes', () => {
  expect(schemeOf('mailto:a@b.example')).toBe('mailto')
  expect([isWeb('https://a.example/'), isWeb('http://a.example/'), isWeb('httpx:a')]).toEqual([true, true, false])
})
