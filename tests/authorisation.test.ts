import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '@/lib/api/endpoints'
import { type Answer, App, destination, ownServers, query, type Servers } from './harness'

/**
 * Who asks. `owner` owns what the route is asked about; `adminKey` is an API key of an admin, with write scope;
 * `staleAdmin` is another one, who showed an hour ago who they are.
 */
const PERSONAS = ['nobody', 'other', 'banned', 'reader', 'admin', 'adminKey', 'staleAdmin', 'owner'] as const
type Persona = (typeof PERSONAS)[number]
type Verdict = 'ok' | 401 | 403

/** 'ok': whatever the answer is, it is not one about who asked. */
const rule = (nobody: Verdict, other: Verdict, banned: Verdict, reader: Verdict, admin: Verdict, owner: Verdict) => ({
  nobody,
  other,
  banned,
  reader,
  admin,
  owner,
  // What a route does not state otherwise, a key may do, and an old session.
  adminKey: admin,
  staleAdmin: admin,
})
type Rule = ReturnType<typeof rule>

/** The same, and never by an API key. */
const bySession = (given: Rule): Rule => ({ ...given, reader: 403, adminKey: 403 })
/** The same, and only after a sign-in or a password of the last minutes. */
const byRecent = (given: Rule): Rule => ({ ...bySession(given), staleAdmin: 403 })

/** Looks at what is for everyone. */
const PUBLIC = rule('ok', 'ok', 403, 'ok', 'ok', 'ok')
const PUBLIC_WRITE = rule('ok', 'ok', 403, 403, 'ok', 'ok')
/** Looks at something of the owner's. To other accounts there is none: they get what is not there, 404. */
const OWN = rule(401, 'ok', 403, 'ok', 'ok', 'ok')
/** Changes something of the owner's. */
const OWN_WRITE = rule(401, 'ok', 403, 403, 403, 'ok')
/** Looks at something of the owner's, and is asked by POST, which keys that only read may not. */
const OWN_TRIAL = rule(401, 'ok', 403, 403, 'ok', 'ok')
/** About the asking account itself. */
const ACCOUNT = rule(401, 'ok', 403, 'ok', 'ok', 'ok')
const ACCOUNT_WRITE = rule(401, 'ok', 403, 403, 'ok', 'ok')
/** A job is nobody else's, and to them there is none; admins see all. */
const OWN_JOB = ACCOUNT
const OWN_JOB_WRITE = ACCOUNT_WRITE
const SESSION = bySession(ACCOUNT)
/** Decides who gets into the asking account. */
const RECENT = byRecent(ACCOUNT)
const ADMIN = rule(401, 403, 403, 403, 'ok', 403)
/** Decides who gets into any account. */
const ADMIN_RECENT = byRecent(ADMIN)

interface Expected {
  rule: Rule
  /** A body that is valid, so that the answer is about who asks. */
  body?: unknown
  query: string
}

const asked = (rule: Expected['rule'], body?: unknown, query = ''): Expected => ({ rule, body, query })

/** What is expected of every endpoint of the API. One that is missing here fails the first test. */
const ROUTES: Record<string, Expected> = {
  'GET /api/v1/openapi.json': asked(rule('ok', 'ok', 'ok', 'ok', 'ok', 'ok')),
  'POST /api/v1/links': asked(PUBLIC_WRITE, { url: 'https://example.com/' }),
  'POST /api/v1/spoken': asked(PUBLIC_WRITE, { url: 'https://example.com/' }),
  'POST /api/v1/reports': asked(PUBLIC_WRITE, { shortUrl: 'nothing', reason: 'spam' }),
  'POST /api/v1/setup': asked(PUBLIC_WRITE, {}),
  'GET /api/v1/links': asked(ACCOUNT),
  // Of those links alone that the asking account or token manages: none, for nobody.
  'GET /api/v1/links/sparklines': asked(rule('ok', 'ok', 403, 'ok', 'ok', 'ok'), undefined, '?ids=1'),
  'POST /api/v1/links/bulk': asked(ACCOUNT_WRITE, { action: 'enable', ids: ['1'] }),
  'POST /api/v1/links/import': asked(ACCOUNT_WRITE),
  'POST /api/v1/links/import/columns': asked(ACCOUNT_WRITE),
  'POST /api/v1/links/move': asked(ACCOUNT_WRITE, { from: 'dub', key: 'x' }),
  'GET /api/v1/series': asked(ACCOUNT),
  'POST /api/v1/series': asked(ACCOUNT_WRITE, { name: 'tickets', kind: 'cycle', max: 500 }),
  'GET /api/v1/series/{name}': asked(ACCOUNT),
  'DELETE /api/v1/series/{name}': asked(ACCOUNT_WRITE),
  'GET /api/v1/series/{name}/preview': asked(ACCOUNT),
  'POST /api/v1/series/{name}/next': asked(ACCOUNT_WRITE, {}),
  'POST /api/v1/series/{name}/links': asked(ACCOUNT_WRITE, { count: 1, url: 'https://example.com/{number}' }),
  'GET /api/v1/links/{code}': asked(OWN),
  'PATCH /api/v1/links/{code}': asked(OWN_WRITE, { title: 'Changed' }),
  'GET /api/v1/links/{code}/qr': asked(OWN),
  'POST /api/v1/qr-sheet': asked(ACCOUNT_WRITE, { ids: ['1'] }),
  'GET /api/v1/account/qr-logo': asked(ACCOUNT),
  'PUT /api/v1/account/qr-logo': asked(ACCOUNT_WRITE),
  'DELETE /api/v1/account/qr-logo': asked(ACCOUNT_WRITE),
  'GET /api/v1/links/{code}/stats': asked(OWN),
  'GET /api/v1/links/{code}/stats.csv': asked(OWN),
  'GET /api/v1/links/{code}/clicks': asked(OWN),
  'GET /api/v1/links/{code}/clicks.csv': asked(OWN),
  'GET /api/v1/links/{code}/live': asked(OWN),
  'POST /api/v1/links/{code}/rehearsal': asked(OWN_TRIAL, { routing: null }),
  'GET /api/v1/stats': asked(ACCOUNT),
  'GET /api/v1/stats.csv': asked(ACCOUNT),
  'GET /api/v1/clicks': asked(ACCOUNT),
  'GET /api/v1/live': asked(ACCOUNT),
  'GET /api/v1/notes': asked(ACCOUNT),
  'GET /api/v1/utm-templates': asked(ACCOUNT),
  'POST /api/v1/utm-templates': asked(ACCOUNT_WRITE, { name: 'Spring', source: 'news' }),
  'PATCH /api/v1/utm-templates/{id}': asked(ACCOUNT_WRITE, { name: 'Spring' }),
  'DELETE /api/v1/utm-templates/{id}': asked(ACCOUNT_WRITE),
  'GET /api/v1/labels': asked(ACCOUNT),
  'PATCH /api/v1/labels/{id}': asked(ACCOUNT_WRITE, { name: 'Spring' }),
  'DELETE /api/v1/labels/{id}': asked(ACCOUNT_WRITE),
  'GET /api/v1/links/{code}/history': asked(OWN),
  'GET /api/v1/links/{code}/history.csv': asked(OWN),
  'GET /api/v1/links/{code}/preview': asked(OWN),
  'GET /api/v1/account/health': asked(ACCOUNT),
  'PUT /api/v1/account/health': asked(ACCOUNT_WRITE, { enabled: false }),
  'POST /api/v1/links/{code}/preview': asked(OWN_WRITE),
  'GET /api/v1/links/{code}/notes': asked(OWN),
  'POST /api/v1/links/{code}/notes': asked(OWN_WRITE, { text: 'Newsletter sent' }),
  'DELETE /api/v1/links/{code}/notes/{id}': asked(OWN_WRITE),
  'DELETE /api/v1/links/{code}': asked(OWN_WRITE),
  'POST /api/v1/links/{code}/restore': asked(OWN_WRITE),
  'GET /api/v1/jobs': asked(ACCOUNT),
  'GET /api/v1/jobs/{number}': asked(OWN_JOB),
  'GET /api/v1/jobs/{number}/items': asked(OWN_JOB),
  'GET /api/v1/jobs/{number}/file': asked(OWN_JOB),
  'POST /api/v1/jobs/{number}/cancel': asked(OWN_JOB_WRITE),
  'POST /api/v1/jobs/{number}/pause': asked(OWN_JOB_WRITE),
  'POST /api/v1/jobs/{number}/resume': asked(OWN_JOB_WRITE),
  'POST /api/v1/jobs/{number}/start': asked(OWN_JOB_WRITE),
  'POST /api/v1/jobs/{number}/undo': asked(OWN_JOB_WRITE),
  'POST /api/v1/jobs/{number}/verify': asked(OWN_JOB_WRITE, { address: 'https://old.example' }),
  'GET /api/v1/jobs/{number}/results': asked(OWN_JOB),
  'GET /api/v1/links/export': asked(ACCOUNT),
  'GET /api/v1/account': asked(ACCOUNT),
  'PATCH /api/v1/account': asked(ACCOUNT_WRITE, { name: 'Someone' }),
  'DELETE /api/v1/account': asked(SESSION, { handle: '99999999', links: 'keep' }),
  'POST /api/v1/account/claim': asked(ACCOUNT_WRITE, { tokens: ['x'] }),
  'POST /api/v1/account/export': asked(RECENT),
  'GET /api/v1/account/proof': asked(SESSION),
  'POST /api/v1/account/proof': asked(SESSION, { password: 'not the password' }),
  'GET /api/v1/account/overview': asked(ACCOUNT),
  'GET /api/v1/account/preferences': asked(ACCOUNT),
  'PATCH /api/v1/account/preferences': asked(ACCOUNT_WRITE, { singleKeys: true }),
  'GET /api/v1/account/keys': asked(SESSION),
  'POST /api/v1/account/keys': asked(RECENT, { name: 'another' }),
  'DELETE /api/v1/account/keys/{id}': asked(RECENT),
  'GET /api/v1/account/sessions': asked(SESSION),
  'DELETE /api/v1/account/sessions': asked(RECENT),
  'DELETE /api/v1/account/sessions/{id}': asked(RECENT),
  'POST /api/v1/conversions': asked(ACCOUNT_WRITE, { conversions: [{ clickId: 'x' }] }),
  'GET /api/v1/shares': asked(ACCOUNT),
  'POST /api/v1/shares': asked(ACCOUNT_WRITE, {}),
  'DELETE /api/v1/shares/{id}': asked(ACCOUNT_WRITE),
  // Whoever has the token; there is none here.
  'GET /api/v1/shared/{token}': asked(PUBLIC),
  'POST /api/v1/shared/{token}/unlock': asked(PUBLIC_WRITE, { password: 'x' }),
  'GET /api/v1/shared/{token}/stats': asked(PUBLIC),
  'GET /api/v1/shared/{token}/badge.svg': asked(PUBLIC),
  'GET /api/v1/shared/{token}/embed': asked(PUBLIC),
  'GET /api/v1/webhooks': asked(ACCOUNT),
  'POST /api/v1/webhooks': asked(ACCOUNT_WRITE, { url: 'http://127.0.0.1/', events: ['link.created'] }),
  // To others there is none by that id.
  'PATCH /api/v1/webhooks/{id}': asked(ACCOUNT_WRITE, { enabled: false }),
  'DELETE /api/v1/webhooks/{id}': asked(ACCOUNT_WRITE),
  'POST /api/v1/webhooks/{id}/secret': asked(ACCOUNT_WRITE),
  'GET /api/v1/webhooks/{id}/deliveries': asked(ACCOUNT),
  'GET /api/v1/webhooks/{id}/deliveries/{delivery}': asked(ACCOUNT),
  'POST /api/v1/webhooks/{id}/test': asked(ACCOUNT_WRITE),
  'POST /api/v1/webhooks/{id}/deliveries/{delivery}/resend': asked(ACCOUNT_WRITE),
  'GET /api/v1/admin/overview': asked(ADMIN),
  'GET /api/v1/admin/audit': asked(ADMIN),
  'GET /api/v1/admin/export': asked(ADMIN_RECENT),
  'GET /api/v1/admin/links': asked(ADMIN),
  'POST /api/v1/admin/links/bulk': asked(ADMIN, { action: 'enable', ids: ['1'] }),
  'GET /api/v1/admin/links/{id}': asked(ADMIN),
  'POST /api/v1/admin/links/{id}/{action}': asked(ADMIN, {}),
  'GET /api/v1/admin/accounts': asked(ADMIN),
  'GET /api/v1/admin/accounts/{id}': asked(ADMIN),
  'DELETE /api/v1/admin/accounts/{id}': asked(ADMIN_RECENT, { links: 'keep' }),
  'POST /api/v1/admin/accounts/{id}/ban': asked(ADMIN_RECENT, {}),
  'POST /api/v1/admin/accounts/{id}/unban': asked(ADMIN_RECENT),
  'POST /api/v1/admin/accounts/{id}/role': asked(ADMIN_RECENT, { role: 'user' }),
  'POST /api/v1/admin/accounts/{id}/reset': asked(ADMIN_RECENT),
  'POST /api/v1/admin/accounts/{id}/sign-out': asked(ADMIN_RECENT),
  'POST /api/v1/admin/usernames/ban': asked(ADMIN_RECENT, { username: 'nobody-has-it' }),
  'POST /api/v1/admin/usernames/unban': asked(ADMIN_RECENT, { username: 'nobody-has-it' }),
  'GET /api/v1/admin/invitations': asked(ADMIN),
  'POST /api/v1/admin/invitations': asked(ADMIN_RECENT, {}),
  'DELETE /api/v1/admin/invitations/{id}': asked(ADMIN_RECENT),
  'GET /api/v1/admin/reports': asked(ADMIN),
  'GET /api/v1/admin/reports/{id}': asked(ADMIN),
  'POST /api/v1/admin/reports/{id}': asked(ADMIN, { action: 'dismiss' }),
  'GET /api/v1/admin/threats': asked(ADMIN),
  'PUT /api/v1/admin/threats': asked(ADMIN),
  'PATCH /api/v1/admin/threats': asked(ADMIN, { pauses: false }),
  'DELETE /api/v1/admin/threats': asked(ADMIN),
  'GET /api/v1/admin/blocklist': asked(ADMIN),
  'POST /api/v1/admin/blocklist': asked(ADMIN, { kind: 'word', value: 'unheard-of' }),
  'POST /api/v1/admin/blocklist/import': asked(ADMIN),
  'DELETE /api/v1/admin/blocklist/{id}': asked(ADMIN),
  'POST /api/v1/admin/blocklist/{id}/act': asked(ADMIN, { action: 'ban' }),
  'GET /api/v1/admin/domains': asked(ADMIN),
  'POST /api/v1/admin/domains': asked(ADMIN, { host: 'go.example.com' }),
  'PATCH /api/v1/admin/domains/{id}': asked(ADMIN, { rootUrl: null }),
  'DELETE /api/v1/admin/domains/{id}': asked(ADMIN),
  'POST /api/v1/admin/domains/{id}/verify': asked(ADMIN),
  'GET /api/v1/admin/domains/{id}/app-files': asked(ADMIN),
  'PATCH /api/v1/admin/domains/{id}/app-files': asked(ADMIN, { assetLinks: null }),
  'POST /api/v1/admin/domains/{id}/code-case': asked(ADMIN, { codeCase: 'ignored' }),
  'GET /api/v1/admin/system': asked(ADMIN),
  'GET /api/v1/admin/dead-letters': asked(ADMIN),
  'POST /api/v1/admin/dead-letters/retry': asked(ADMIN, {}),
  'POST /api/v1/admin/dead-letters/drop': asked(ADMIN, {}),
  'POST /api/v1/admin/rebuild': asked(ADMIN),
  'POST /api/v1/admin/test-email': asked(ADMIN),
}

let servers: Servers
let app: App
const credentials: Partial<Record<Persona, Record<string, string>>> = {}
/** What stands for each parameter of a path: something of the owner's. */
const parameters: Record<string, string> = {}

const ADMIN_EMAIL = 'admin@example.com'
const PASSWORD = 'a long enough password'

/** Signs up and gives the Cookie header of the session. */
async function signUp(name: string): Promise<{ id: string; cookie: string }> {
  const answer = await app.call('POST', '/api/auth/sign-up/email', { name, email: `${name}@example.com`, password: PASSWORD })
  expect(answer.status, answer.body).toBe(200)
  return { id: (JSON.parse(answer.body) as { user: { id: string } }).user.id, cookie: cookieOf(answer) }
}

async function signIn(email: string): Promise<string> {
  const answer = await app.call('POST', '/api/auth/sign-in/email', { email, password: PASSWORD })
  expect(answer.status, answer.body).toBe(200)
  return cookieOf(answer)
}

const cookieOf = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ')

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    ADMIN_EMAIL,
    ADMIN_PASSWORD: PASSWORD,
  })
  const [owner, other, banned] = [await signUp('owner'), await signUp('other'), await signUp('banned')]
  // Its sessions would end with a ban: this one stands for a request that was under way.
  await query(servers.databaseUrl, 'UPDATE User SET banned = true WHERE id = ?', [banned.id])
  credentials.nobody = {}
  credentials.owner = { cookie: owner.cookie }
  credentials.other = { cookie: other.cookie }
  credentials.banned = { cookie: banned.cookie }
  credentials.admin = { cookie: await signIn(ADMIN_EMAIL) }
  const key = await app.call('POST', '/api/v1/account/keys', { name: 'reads', scope: 'read' }, credentials.owner)
  credentials.reader = { authorization: `Bearer ${(JSON.parse(key.body) as { key: string }).key}` }
  const adminKey = await app.call('POST', '/api/v1/account/keys', { name: 'all', scope: 'write' }, credentials.admin)
  credentials.adminKey = { authorization: `Bearer ${(JSON.parse(adminKey.body) as { key: string }).key}` }
  const stale = await signUp('stale')
  await query(servers.databaseUrl, "UPDATE User SET role = 'admin' WHERE id = ?", [stale.id])
  await query(servers.databaseUrl, 'UPDATE Session SET createdAt = createdAt - INTERVAL 1 HOUR WHERE userId = ?', [stale.id])
  credentials.staleAdmin = { cookie: stale.cookie }
  const link = await app.call('POST', '/api/v1/links', { url: destination() }, credentials.owner)
  const { code, id } = JSON.parse(link.body) as { code: string; id: string }
  Object.assign(parameters, { code, id })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

describe('authorisation', () => {
  it('is told here for every endpoint there is', () => {
    // Those of better-auth are asked by tests/accounts.test.ts.
    const own = ENDPOINTS.filter(({ spec }) => !spec.path.startsWith('/api/auth/'))
    expect(Object.keys(ROUTES).sort()).toEqual(own.map(({ spec }) => `${spec.method} ${spec.path}`).sort())
  })

  it.each(Object.entries(ROUTES))('%s', async (route, { rule, body, query }) => {
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? 'unknown')
    const verdicts: Partial<Record<Persona, Verdict>> = {}
    for (const persona of PERSONAS) {
      // Nobody waits for the end of what has none.
      const { status } = await app.call(path.endsWith('/live') ? 'HEAD' : method, path + query, body, credentials[persona])
      verdicts[persona] = status === 401 || status === 403 ? status : 'ok'
    }
    expect(verdicts).toEqual(rule)
  })

  it('is refused to requests that come from another site, whatever their cookies', async () => {
    const body = { url: destination() }
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ]
    for (const headers of foreign) {
      const { status } = await app.call('POST', '/api/v1/links', body, { ...credentials.owner, ...headers })
      expect(status, JSON.stringify(headers)).toBe(403)
    }
    const own = { ...credentials.owner, origin: `http://localhost:${app.port}`, 'sec-fetch-site': 'same-origin' }
    expect((await app.call('POST', '/api/v1/links', body, own)).status).toBe(201)
  })
})
