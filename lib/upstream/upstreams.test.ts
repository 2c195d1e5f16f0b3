import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import type { Job } from '@/lib/db/generated/client'
import { updateDomain } from '@/lib/domains/edit'
import { isTerseError } from '@/lib/errors'
import { findJob } from '@/lib/jobs/store'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { queueImport } from '@/lib/links/import-queue'
import { CreateLink } from '@/lib/links/schemas'
import { queueUndo } from '@/lib/links/undo-job'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { type Answer, answer } from '@/lib/redirect/answer'
import { createRedirectRuntime } from '@/lib/redirect-runtime'
import { keepAccount } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { OldShortener } from '@/lib/testing/old-shortener'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testConfig, testRuntime } from '@/lib/testing/runtime'
import { LOOP_HEADER } from './upstream'

const { url } = await testDatabase()
const redis = await testRedis()
const given = { DATABASE_URL: url, REDIS_URL: redis.url, UPSTREAM_ALLOW: '127.0.0.0/8', UPSTREAM_PER_SECOND: '1000' }
const [one, two] = [await testRuntime(given), await testRuntime(given)]
const edge = await createRedirectRuntime(testConfig({ ...given, ROLE: 'edge' }), null)
atEnd(() => edge.close())
const alice = owner('alice', 'admin')
const HOST = 'old.example'
let domainId = 0
let old: OldShortener

beforeAll(async () => {
  await settled(one, two)
  await keepAccount(one.db, 'alice')
  await one.db.change('INSERT INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))', HOST)
  await one.domains.refresh()
  domainId = one.domains.find(HOST)?.id ?? 0
})
beforeEach(async () => {
  old = await OldShortener.open()
  await set({ url: old.url })
  old.asked.length = 0
})

async function set(upstream: { url: string; host?: string | null } | null): Promise<void> {
  await updateDomain(one, domainId, { upstream }, 'alice')
  await Promise.all([two.domains.refresh(), edge.domains.refresh()])
}

type Asked = { answering: typeof one.answering }
const PERSON = ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36']
const get = (ctx: Asked, path: string, method = 'GET', rawHeaders: string[] = PERSON): Promise<Answer> =>
  answer(ctx.answering, {
    ...{ method, path, query: '', rawHeaders, host: HOST, accept: 'text/html', language: 'en' },
    client: () => ({ ...UNKNOWN_CLIENT, address: '203.0.113.9' }),
    body: async () => '',
  })
const told = ({ status, headers }: Answer) => [status, headers[headers.indexOf('Location') + 1]]
const told302 = async (ctx: Asked, path: string) => told(await get(ctx, path))

/** A job of one process, once it is done. */
async function ended(number: string): Promise<Job> {
  one.jobs.look()
  await vi.waitFor(async () => expect((await findJob(one, null, number)).state).toBe('done'), { timeout: 20_000, interval: 20 })
  return findJob(one, 'alice', number)
}

let codes = 0
const newCode = () => `code${++codes}`
function oldLink(to = `https://example.com/${codes}`): string {
  const code = newCode()
  old.links.set(code, to)
  return code
}
const linkOf = (code: string) => one.db.read((client) => client.link.findFirst({ where: { fullShortUrl: `${HOST}/${code}` } }))
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isTerseError(error) ? `${error.code}: ${error.message}` : String(error)),
  )

describe('a code that is not here', () => {
  it('is asked for once, with the domain’s name, nothing of the visitor, and comes over as a link of who set it', async () => {
    const code = oldLink('https://example.com/spring?x=1')
    expect(told(await get(one, `/${code}`, 'GET', [...PERSON, 'Cookie', 'secret=1', 'X-Forwarded-For', '203.0.113.9']))).toEqual([
      301,
      'https://example.com/spring?x=1',
    ])
    expect(old.asked).toHaveLength(1)
    const [{ method, path, headers } = { method: '', path: '', headers: {} }] = old.asked
    expect([method, path, headers.host]).toEqual(['HEAD', `/${code}`, HOST])
    expect(headers[LOOP_HEADER]).toBe(one.upstreams.id)
    expect(JSON.stringify(headers)).not.toMatch(/secret|203\.0\.113|Chrome/)
    expect(await linkOf(code)).toMatchObject({ url: 'https://example.com/spring?x=1', redirectStatus: 301, ownerId: 'alice' })
    for (const ctx of [one, two, edge]) expect(await told302(ctx, `/${code}`)).toEqual([301, 'https://example.com/spring?x=1'])
    expect(old.asked).toHaveLength(1)
  })

  it('is asked for once by all visitors of all processes at once', async () => {
    const code = oldLink('https://example.com/many')
    const all = await Promise.all([one, two, edge].flatMap((ctx) => Array.from({ length: 20 }, () => told302(ctx, `/${code}`))))
    expect(new Set(all.map(String))).toEqual(new Set(['301,https://example.com/many']))
    expect(old.times(code)).toBe(1)
    expect(await one.db.read((client) => client.link.count({ where: { code } }))).toBe(1)
  })

  it('comes over by an edge process', async () => {
    const code = oldLink('https://example.com/edge')
    expect(await told302(edge, `/${code}`)).toEqual([301, 'https://example.com/edge'])
    expect(await linkOf(code)).toMatchObject({ ownerId: 'alice' })
    expect(await told302(two, `/${code}`)).toEqual([301, 'https://example.com/edge'])
    expect(old.times(code)).toBe(1)
  })

  it('is asked for by GET where HEAD is refused', async () => {
    const code = oldLink('https://example.com/get')
    old.answer = ({ method }, response) => method === 'HEAD' && Boolean(response.writeHead(405).end())
    expect(await told302(one, `/${code}`)).toEqual([301, 'https://example.com/get'])
    expect(old.asked.map(({ method }) => method)).toEqual(['HEAD', 'GET'])
  })

  it('has its first click counted', async () => {
    const code = oldLink('https://example.com/click')
    await get(one, `/${code}`)
    await vi.waitFor(async () => expect((await linkOf(code))?.clicks).toBe(1n), { timeout: 10_000 })
  })

  it('has its preview shown, and is brought by a HEAD too', async () => {
    const [shown, checked] = [oldLink('https://example.com/shown'), oldLink('https://example.com/checked')]
    const preview = await get(one, `/${shown}+`)
    expect([preview.status, String(preview.body).includes('shown')]).toEqual([200, true])
    expect((await get(one, `/${checked}`, 'HEAD')).status).toBe(301)
    expect(await linkOf(checked)).not.toBeNull()
  })

  it('that nobody has is 404, and is not asked for again, by no process', async () => {
    const code = newCode()
    for (const ctx of [one, two, one, edge]) expect((await get(ctx, `/${code}`)).status).toBe(404)
    expect(old.times(code)).toBe(1)
  })

  it('is not asked for by POST, nor a path that is no code', async () => {
    expect((await get(one, `/${newCode()}`, 'POST')).status).toBe(405)
    expect((await get(one, '/a<b')).status).toBe(404)
    expect(old.asked).toEqual([])
  })

  it('keeps its redirect where no link can be created under it', async () => {
    old.links.set('healthz', 'https://example.com/health')
    expect(await told302(one, '/healthz')).toEqual([301, 'https://example.com/health'])
    expect(await linkOf('healthz')).toBeNull()
  })

  it('that leads to another short link of the domain is passed on to that', async () => {
    const to = oldLink('https://example.com/chain')
    const from = oldLink(`http://${HOST}/${to}`)
    expect(await told302(one, `/${from}`)).toEqual([301, `http://${HOST}/${to}`])
    expect(await told302(one, `/${to}`)).toEqual([301, 'https://example.com/chain'])
    expect(await linkOf(from)).toBeNull()
  })

  it('that leads to one by the old shortener’s own address shows nobody that address', async () => {
    const to = oldLink('https://example.com/chain')
    const from = oldLink(`${old.url}/${to}`)
    const next = one.domains.shortUrl(HOST, to)
    expect(await told302(one, `/${from}`)).toEqual([301, next])
    expect(await told302(one, new URL(next).pathname)).toEqual([301, 'https://example.com/chain'])
  })
})

describe('a domain on which capitals make no difference', () => {
  it('asks for the code as it was typed, and keeps it as it keeps all', async () => {
    await one.db.change('UPDATE Domain SET codeCase = 2 WHERE id = ?', domainId)
    await Promise.all([one, two, edge].map(({ domains }) => domains.refresh()))
    old.links.set('Summer', 'https://example.com/summer')
    expect(await told302(one, '/Summer')).toEqual([301, 'https://example.com/summer'])
    expect(await linkOf('summer')).not.toBeNull()
    for (const ctx of [two, edge]) expect(await told302(ctx, '/SUMMER')).toEqual([301, 'https://example.com/summer'])
    expect(old.asked.map(({ path }) => path)).toEqual(['/Summer'])
    await one.db.change('UPDATE Domain SET codeCase = 0 WHERE id = ?', domainId)
    await Promise.all([one, two, edge].map(({ domains }) => domains.refresh()))
  })
})

describe('an old shortener that redirects what it does not know', () => {
  const caught = (_: unknown, response: import('node:http').ServerResponse, to: string) =>
    Boolean(response.writeHead(302, { Location: to }).end())

  it.each([
    ['to one page', () => 'https://home.example/invalid'],
    ['to one with the code in it', (path = '') => `https://home.example/search?for=${encodeURIComponent(path.slice(1))}`],
    ['to a page of the domain', () => '/not-found'],
  ])('%s makes no links by that, and its own come over', async (_, to) => {
    old.answer = (request, response) => !old.links.has(request.url?.slice(1) ?? '') && caught(request, response, to(request.url))
    const typo = newCode()
    for (const ctx of [one, two, edge]) expect((await get(ctx, `/${typo}`)).status).toBe(404)
    expect(await linkOf(typo)).toBeNull()
    const code = oldLink('https://example.com/true')
    expect(await told302(one, `/${code}`)).toEqual([301, 'https://example.com/true'])
    expect(await linkOf(code)).not.toBeNull()
  })

  it('is asked for that once, not with each code', async () => {
    old.answer = (request, response) => caught(request, response, 'https://home.example/')
    for (let i = 0; i < 5; i++) await get(one, `/${newCode()}`)
    // Once to set it.
    expect(old.probed.length).toBe(2)
  })

  it('leads on without a link where that cannot be told', async () => {
    const code = oldLink('https://example.com/untold')
    old.answer = (request, response) => !request.url?.includes(code) && Boolean(response.writeHead(500).end())
    expect(await told302(one, `/${code}`)).toEqual([301, 'https://example.com/untold'])
    expect(await linkOf(code)).toBeNull()
    const script = oldLink('javascript:alert(1)')
    old.answer = (request, response) => !request.url?.includes(script) && Boolean(response.writeHead(500).end())
    expect((await get(one, `/${script}`)).status).toBe(410)
  })
})

describe('what our rules refuse', () => {
  it('leads nowhere and is not created', async () => {
    await one.db.change(
      "INSERT INTO BlockRule (id, kind, value, reason, createdBy, createdAt) VALUES (1, 'host', 'evil.example', '', '', UTC_TIMESTAMP(3))",
    )
    await one.blocklist.refresh()
    const [bad, script] = [oldLink('https://evil.example/x'), oldLink('javascript:alert(1)')]
    for (const code of [bad, script]) {
      const { status, headers } = await get(one, `/${code}`)
      expect([status, headers.includes('Location')]).toEqual([410, false])
      expect(await linkOf(code)).toBeNull()
    }
    // An edge process hears of a new rule as others do.
    await vi.waitFor(async () => expect((await get(edge, `/${oldLink('https://evil.example/y')}`)).status).toBe(410), {
      timeout: 10_000,
    })
  })
})

describe('a link of ours', () => {
  const create = async (code: string, fields = {}) =>
    createLink(one, alice, CreateLink.parse({ url: 'https://example.com/ours', domain: HOST, code, ...fields }))

  it('that is deleted, turned off or expired stays so, however long ago', async () => {
    const [gone, off, expired] = [oldLink(), oldLink(), oldLink()]
    await create(gone)
    await deleteLink(one, alice, { code: gone, domain: HOST })
    await create(off, { enabled: false })
    const { link } = await create(expired)
    await one.db.change('UPDATE Link SET expiresAt = ?, updatedAt = UTC_TIMESTAMP(3) WHERE id = ?', '2026-01-01', link.id)
    await one.db.change('DELETE FROM Outbox')
    await one.redis.client.flushall()
    await settled(one, two)
    for (const code of [gone, off, expired]) expect((await get(two, `/${code}`)).status, code).toBe(410)
    // As if its quarantine were over, and the sweep had run.
    await one.db.change('UPDATE DeletedLink SET deletedAt = ? WHERE code = ?', '2020-01-01', gone)
    const { Sweeper } = await import('@/lib/links/sweep')
    await new Sweeper(one).sweep()
    await one.redis.client.flushall()
    await settled(one, two)
    expect((await get(two, `/${gone}`)).status).toBe(404)
    expect(old.asked).toEqual([])
  })
})

describe('a link that was imported by mistake', () => {
  it('is asked for again once that was undone, by every process, and rests where the old shortener has none', async () => {
    const [code, none] = [oldLink('https://example.com/right'), newCode()]
    const csv = `url,code,domain\nhttps://example.com/wrong,${code},${HOST}\nhttps://example.com/none,${none},${HOST}`
    const by = { account: alice.account as Account, address: null }
    const imported = await ended((await queueImport(one, by, csv)).number)
    expect(await told302(edge, `/${code}`)).toEqual([302, 'https://example.com/wrong'])
    await ended((await queueUndo(one, by, imported)).number)
    await set(null)
    for (const ctx of [one, edge]) await vi.waitFor(async () => expect((await get(ctx, `/${code}`)).status).toBe(410))
    await set({ url: old.url })
    for (const ctx of [edge, one, two]) expect(await told302(ctx, `/${code}`)).toEqual([301, 'https://example.com/right'])
    expect(old.times(code)).toBe(1)
    expect(await linkOf(code)).toMatchObject({ url: 'https://example.com/right', ownerId: 'alice' })
    expect((await get(two, `/${none}`)).status).toBe(410)
  })
})

describe('an old shortener that fails', () => {
  const page = async (code = oldLink()) => {
    const { status, body } = await get(one, `/${code}`)
    return [status, String(body).includes('The old address doesn’t answer')]
  }

  it.each([
    ['500', 500],
    ['403', 403],
    ['429', 429],
  ])('with %s is a page that says so', async (_, status) => {
    old.answer = (_request, response) => Boolean(response.writeHead(status).end())
    expect(await page()).toEqual([502, true])
  })

  it('by ending the connection, by nonsense, or by leading to itself, likewise', async () => {
    old.answer = ({ socket }) => Boolean(socket.destroy())
    expect(await page()).toEqual([502, true])
    old.answer = ({ socket }) => Boolean(socket.end('HTTP/9 hello\r\n\r\n'))
    expect(await page()).toEqual([502, true])
    old.answer = ({ url: path = '' }, response) => Boolean(response.writeHead(301, { Location: path }).end())
    expect(await page()).toEqual([502, true])
  })

  it('does not keep visitors waiting once it has failed some times, and is asked again a second later', async () => {
    old.answer = ({ socket }) => Boolean(socket.destroy())
    for (let i = 0; i < 5; i++) await page()
    old.asked.length = 0
    expect(await page()).toEqual([502, true])
    expect(old.asked).toEqual([])
    old.answer = () => false
    const code = oldLink('https://example.com/back')
    await vi.waitFor(async () => expect(await told302(one, `/${code}`)).toEqual([301, 'https://example.com/back']), {
      timeout: 10_000,
      interval: 200,
    })
  })

  it('is told in five languages', async () => {
    old.answer = (_request, response) => Boolean(response.writeHead(500).end())
    const titles = await Promise.all(
      ['en', 'de', 'es', 'fr', 'zh'].map((language) => one.answering.pages.html({ name: 'upstream', record: null }, language)),
    )
    expect(new Set(titles.map((html) => /<h1>(.*?)<\/h1>/.exec(html)?.[1])).size).toBe(5)
  })
})

describe('a question that comes back', () => {
  it('is refused by the one that asked, and is answered from here alone where another asks', async () => {
    const code = oldLink()
    expect((await get(one, `/${code}`, 'GET', [LOOP_HEADER, two.upstreams.id])).status).toBe(508)
    expect((await get(one, `/${code}`, 'GET', [LOOP_HEADER, 'another'])).status).toBe(404)
    expect(old.asked).toEqual([])
  })
})

describe('a flood', () => {
  it('asks so many a second and no more, and is told to come again', async () => {
    const slow = await testRuntime({ ...given, UPSTREAM_PER_SECOND: '5' })
    await settled(slow)
    const begun = Date.now()
    const answers = await Promise.all(Array.from({ length: 500 }, () => get(slow, `/${newCode()}`)))
    const seconds = (Date.now() - begun) / 1000
    // The first second may have begun before, and the last one goes on.
    expect(old.asked.length).toBeLessThanOrEqual(5 * (seconds + 2))
    const busy = answers.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThan(450)
    expect(busy[0]?.headers).toContain('Retry-After')
    expect(answers.filter(({ status }) => status !== 503 && status !== 404)).toEqual([])
  })
})

describe('Redis away', () => {
  it('still brings links over, once each, by what MySQL says', async () => {
    const code = oldLink('https://example.com/no-redis')
    const gone = oldLink()
    await createLink(one, alice, CreateLink.parse({ url: 'https://example.com/ours', domain: HOST, code: gone }))
    await deleteLink(one, alice, { code: gone, domain: HOST })
    const lonely = await testRuntime({ ...given, REDIS_URL: 'redis://127.0.0.1:1' })
    await lonely.domains.refresh()
    expect(await told302(lonely, `/${code}`)).toEqual([301, 'https://example.com/no-redis'])
    expect(await linkOf(code)).not.toBeNull()
    expect((await get(lonely, `/${gone}`)).status).toBe(410)
  })
})

describe('setting it', () => {
  it('refuses what leads to us, what is private, what does not answer, and what is no address', async () => {
    const wrong = (to: string, host?: string) => refusal(updateDomain(one, domainId, { upstream: { url: to, host } }, 'alice'))
    expect(await wrong(`http://${HOST}/`)).toMatch(/this site itself/)
    expect(await wrong('http://terse.test/')).toMatch(/this site itself/)
    expect(await wrong('http://10.0.0.1/')).toMatch(/private address/)
    expect(await wrong(`${old.url}/?x=1`)).toMatch(/Leave out/)
    expect(await wrong('http://127.0.0.1:1/')).toMatch(/No connection/)
    old.answer = (_request, response) => Boolean(response.writeHead(508).end())
    expect(await wrong(old.url)).toMatch(/leads back/)
  })

  it('can name the host to send, and ends by null', async () => {
    await set({ url: `${old.url}/`, host: 'Was.Example' })
    old.asked.length = 0
    await get(one, `/${oldLink()}`)
    expect(old.asked[0]?.headers.host).toBe('was.example')
    await set(null)
    old.asked.length = 0
    expect((await get(one, `/${oldLink()}`)).status).toBe(404)
    expect(old.asked).toEqual([])
  })

  it('shows what came over, by whom, when, and what failed; across restarts', async () => {
    await Promise.all([one, two, edge].map(({ upstreams }) => upstreams.counts.flush()))
    await set(null)
    await set({ url: old.url })
    await get(one, `/${oldLink()}`)
    await get(two, `/${oldLink()}`, 'GET', ['User-Agent', 'Slackbot-LinkExpanding 1.0'])
    await get(edge, `/${oldLink()}`, 'GET', ['User-Agent', 'Googlebot/2.1'])
    await get(one, `/${oldLink()}`, 'HEAD')
    await get(one, `/${newCode()}`)
    old.answer = (_request, response) => Boolean(response.writeHead(500).end())
    await get(one, `/${oldLink()}`)
    await Promise.all([one, two, edge].map(({ upstreams }) => upstreams.counts.flush()))
    const { upstream } = await updateDomain(one, domainId, {})
    expect(upstream).toMatchObject({
      ...{ url: old.url, host: null, imported: 4, importedBy: { person: 1, preview: 1, bot: 1, head: 1 } },
      ...{ unknown: 1, failed: 1, lastFailure: { why: 'status' }, isQuiet: false },
    })
    expect(upstream?.lastImportedAt).not.toBeNull()
    await one.db.change('UPDATE UpstreamCount SET lastAt = lastAt - INTERVAL 8 DAY')
    expect((await updateDomain(one, domainId, {})).upstream?.isQuiet).toBe(true)
  })
})
