import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DomainView } from '@/lib/domains/schemas'
import type { LinkView } from '@/lib/links/schemas'
import { type Answer, App, destination, eventually, ownServers, query, request, type Servers, unknownCode } from './harness'

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' }
const HOST = 'go.example'
let servers: Servers
let app: App
let base: string
let cookie: string

beforeAll(async () => {
  servers = await ownServers()
  // Two processes: what one of them changes, the other must hear.
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, WEB_CONCURRENCY: '2', ...ADMIN })
  base = `http://localhost:${app.port}`
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN
  const signIn = await eventually(
    () => app.call('POST', '/api/auth/sign-in/email', { email, password }, { origin: base }),
    ({ status }) => status === 200,
  )
  cookie = (signIn.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

/** With an account: without one, there is no other domain than the default one. */
async function create(fields: Record<string, unknown>): Promise<LinkView> {
  const { status, body } = await app.api('POST', '/links', fields, { cookie, origin: base })
  if (status !== 201) throw new Error(`${status} ${body}`)
  return JSON.parse(body) as LinkView
}
const admin = (method: string, path: string, body?: unknown) =>
  app.api(method, `/admin/domains${path}`, body, { cookie, origin: base })
const at = (host: string, path: string, method = 'GET') => request(app.port, path, { method, headers: { host } })
const told = ({ status, headers }: Answer) => [status, headers.location]

/** Asks so often that every process has answered. */
const everywhere = (ask: () => Promise<Answer>, holds: (answer: Answer) => boolean) =>
  eventually(
    () => Promise.all(Array.from({ length: 12 }, ask)),
    (answers) => answers.every(holds),
  )

async function add(host: string): Promise<DomainView> {
  const { status, body } = await admin('POST', '', { host })
  if (status !== 201) throw new Error(`${status} ${body}`)
  return JSON.parse(body) as DomainView
}

/** Adds a domain, and takes its proof for granted: no name in a test leads here. */
async function serve(host: string): Promise<DomainView> {
  const domain = await add(host)
  await query(servers.databaseUrl, 'UPDATE Domain SET verifiedAt = UTC_TIMESTAMP(3) WHERE id = ?', [domain.id])
  await everywhere(
    () => at(host, '/docs'),
    ({ status }) => status === 302,
  )
  return domain
}

describe('a domain that is not proved to be ours', () => {
  test('is answered as any unknown host, holds no links, and shows the file that would prove it', async () => {
    const { id, proof } = await add('new.example')
    expect((await at('new.example', '/')).status).toBe(200)
    expect((await app.api('POST', '/links', { url: destination(), domain: 'new.example' })).status).toBe(422)
    const file = await at('new.example', '/.well-known/terse-verification')
    expect([file.status, file.body.trim()]).toEqual([200, proof.fileContent])
    expect((await at('other.example', '/.well-known/terse-verification')).body.trim()).not.toBe(proof.fileContent)
    expect(proof).toMatchObject({ txtName: '_terse.new.example', fileUrl: 'http://new.example/.well-known/terse-verification' })
    const { status, body } = await admin('POST', `/${id}/verify`)
    expect([status, JSON.parse(body).code]).toEqual([409, 'conflict'])
    expect((await admin('DELETE', `/${id}`)).status).toBe(204)
  })
})

describe('a domain of ours', () => {
  let domain: DomainView
  let link: LinkView

  beforeAll(async () => {
    domain = await serve(HOST)
    link = await create({ url: destination(), domain: HOST })
  })

  test('leads its own codes on, and nobody else’s', async () => {
    expect(link.shortUrl).toBe(`http://${HOST}/${link.code}`)
    expect(told(await at(HOST, `/${link.code}`))).toEqual([302, link.url])
    expect(told(await at(`${HOST.toUpperCase()}.:8080`, `/${link.code}`))).toEqual([302, link.url])
    expect((await app.get(`/${link.code}`)).status).toBe(404)
    const ours = await app.create({ url: destination() })
    expect((await at(HOST, `/${ours.code}`)).status).toBe(404)
    expect(told(await at('unknown.example', `/${ours.code}`))).toEqual([302, ours.url])
  })

  test('is nobody’s to make links on, and on no page, without an account', async () => {
    const { status, body } = await app.api('POST', '/links', { url: destination(), domain: HOST })
    expect([status, JSON.parse(body).errors]).toEqual([422, [expect.objectContaining({ path: 'domain' })]])
    expect((await app.get('/')).body).not.toContain(HOST)
    expect((await app.get('/', { cookie })).body).toContain(HOST)
  })

  test('leads to BASE_URL for all that is no code, a request that changes something with its method', async () => {
    expect(told(await at(HOST, '/'))).toEqual([302, `${base}/`])
    expect(told(await at(HOST, '/docs?x=1'))).toEqual([302, `${base}/docs?x=1`])
    expect(told(await at(HOST, '/api/v1/links', 'POST'))).toEqual([307, `${base}/api/v1/links`])
    expect((await at(HOST, '/healthz')).status).toBe(200)
  })

  test('leads from its front page where it is told, in every process within seconds', async () => {
    const rootUrl = 'https://example.com/home'
    expect((await admin('PATCH', `/${domain.id}`, { rootUrl })).status).toBe(200)
    await everywhere(
      () => at(HOST, '/?from=here'),
      (answer) => answer.headers.location === rootUrl,
    )
    expect(told(await at(HOST, '/', 'HEAD'))).toEqual([302, rootUrl])
    expect(told(await at(HOST, '/docs'))).toEqual([302, `${base}/docs`])
    expect((await app.get('/')).status).toBe(200)
  })

  test('leads from unknown codes where it is told, but not from those that are gone or banned', async () => {
    const notFoundUrl = 'https://example.com/lost'
    const [gone, banned] = await Promise.all([1, 2].map(() => create({ url: destination(), domain: HOST })))
    const removed = await app.api('DELETE', `/links/${gone?.code}?domain=${HOST}`, undefined, { cookie, origin: base })
    expect(removed.status).toBe(204)
    const ban = await app.api('POST', `/admin/links/${banned?.id}/ban`, { reason: 'no' }, { cookie, origin: base })
    expect(ban.status).toBe(200)
    expect((await admin('PATCH', `/${domain.id}`, { notFoundUrl })).status).toBe(200)
    const unknown = await everywhere(
      () => at(HOST, `/${unknownCode()}`),
      (answer) => answer.headers.location === notFoundUrl,
    )
    for (const { status, headers } of unknown) expect([status, headers['cache-control']]).toEqual([302, 'no-store'])
    for (const dead of [gone, banned]) {
      const { status, headers } = await at(HOST, `/${dead?.code}`)
      expect([status >= 400, headers.location]).toEqual([true, undefined])
    }
    expect((await app.get(`/${unknownCode()}`)).status).toBe(404)
  })

  test('takes new links that name no domain once it is the default; unknown hosts stay with BASE_URL', async () => {
    const before = await app.create({ url: destination() })
    expect((await admin('PATCH', `/${domain.id}`, { isDefault: true })).status).toBe(200)
    const made = await eventually(
      () => Promise.all(Array.from({ length: 12 }, () => app.create({ url: destination() }))),
      (links) => links.every(({ shortUrl }) => shortUrl.startsWith(`http://${HOST}/`)),
    )
    expect(told(await at(HOST, `/${made[0]?.code}`))).toEqual([302, made[0]?.url])
    expect(told(await at('unknown.example', `/${before.code}`))).toEqual([302, before.url])
    expect((await admin('DELETE', `/${domain.id}`)).status).toBe(409)
    const list = JSON.parse((await admin('GET', '')).body).domains as DomainView[]
    const own = list.find(({ isBase }) => isBase)
    expect((await admin('PATCH', `/${own?.id}`, { isDefault: true })).status).toBe(200)
  })

  test('is not removed while it has links, which is said, and who changed it is written down', async () => {
    const { status, body } = await admin('DELETE', `/${domain.id}`)
    expect([status, JSON.parse(body).detail]).toEqual([409, expect.stringMatching(/^go\.example has \d+ links/)])
    expect(told(await at(HOST, `/${link.code}`))).toEqual([302, link.url])
    const entries = await query<{ action: string; actor: string }>(
      servers.databaseUrl,
      "SELECT action, actor FROM AuditEntry WHERE target = 'go.example' ORDER BY id",
    )
    expect(entries.map(({ action }) => action)).toEqual(['domain.add', 'domain.change', 'domain.change', 'domain.change'])
    for (const { actor } of entries) expect(actor).toContain(ADMIN.ADMIN_EMAIL)
  })
})
