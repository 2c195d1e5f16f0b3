import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, App, ownServers, request, type Servers } from './harness'

let servers: Servers
let app: App

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, LOG_LEVEL: 'trace' })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

/** Sends a form of a page as browsers do. */
function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
  const type = 'application/x-www-form-urlencoded'
  const own = { origin: `http://localhost:${app.port}`, 'content-type': type, ...headers }
  return request(app.port, path, { method: 'POST', headers: own, body: new URLSearchParams(fields).toString() })
}

const MARK = 'a-secret-that-was-typed'
const setupPath = () => new URL(/Create the first admin: (\S+)/.exec(app.log)?.[1] ?? '').href.replace(/^http:\/\/[^/]+/, '')

describe('a form that is sent without scripts', () => {
  it('is answered by its page, with what is wrong, by the status of the API, and kept by nobody', async () => {
    const answer = await send('/sign-in', { form: 'sign-in', login: 'ada@example.com', password: MARK })
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
      401,
      expect.stringContaining('text/html'),
      expect.stringContaining('no-store'),
    ])
    expect(answer.body).toContain('value="ada@example.com"')
    expect(answer.body).toMatch(/aria-invalid="true"/)
    expect(answer.body).not.toContain(MARK)
    expect(answer.headers['content-security-policy']).toContain("form-action 'self'")
  })

  it('from another site is refused on the page itself', async () => {
    const fields = { form: 'sign-in', login: 'ada@example.com', password: MARK }
    expect((await send('/sign-in', fields, { origin: 'https://evil.example' })).status).toBe(403)
  })

  it('that is too long, of another kind or of no page is refused in words, and the connection goes on or ends', async () => {
    const long = await send('/report', { form: 'report', details: 'x'.repeat(200_000) })
    expect([long.status, long.headers.connection]).toEqual([413, 'close'])
    expect(long.body).toContain('The body is too large. Send at most 64 KB.')
    expect((await send('/', { form: 'shorten' }, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send('/docs', { form: 'shorten', url: 'https://example.com/' })).status).toBe(400)
    expect((await send('/no-such-code', { form: 'shorten' })).status).toBe(405)
  })

  it('makes the first admin', async () => {
    const fields = { form: 'setup', name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
    const refused = await send(setupPath(), { ...fields, password: 'short' })
    expect([refused.status, refused.body.includes('value="Ada"')]).toEqual([422, true])
    const made = await send(setupPath(), fields)
    expect([made.status, made.headers.location]).toEqual([303, '/admin/setup'])
    const cookie = (made.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
    expect((await app.get('/admin', { cookie })).status).toBe(200)
    const out = await send('/logout', { form: 'sign-out' }, { cookie })
    expect([out.status, out.headers.location]).toEqual([303, '/'])
    expect((await app.api('GET', '/account', undefined, { cookie })).status).toBe(401)
  })

  it('leaves nothing secret in the log, and pages whose address holds a token tell it to no other', async () => {
    await send('/', { form: 'shorten', attempt: 'x', url: 'https://example.com/', password: MARK })
    await send('/sign-up', { form: 'sign-up', name: 'Ada', email: 'grace@example.com', password: MARK })
    for (const path of [`/reset-password?token=${MARK}`, `/setup?token=${MARK}`, `/invite/${MARK}`]) {
      await send(path, { form: 'new-password', password: MARK })
      const { headers } = await app.get(path)
      expect([headers['referrer-policy'], headers['cache-control']], path).toEqual([
        'strict-origin',
        expect.stringContaining('no-store'),
      ])
    }
    expect(app.log).toContain('/api/v1/links')
    expect(app.log).not.toContain(MARK)
  })
})
