import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from './browser'
import { App, destination, eventually, type PrivateServers, privateServers, query } from './harness'

const PASSWORD = 'correct horse battery'
let servers: PrivateServers
let env: Record<string, string>

beforeAll(async () => {
  servers = await privateServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
})

afterAll(() => servers?.stop())

/** What the app said after it was started: the link to make the first admin, or null. */
async function setupLink(app: App): Promise<URL | null> {
  await eventually(
    () => app.log,
    (log) => log.includes('Terse listens on'),
  )
  const line = /^Create the first admin: (\S+)$/m.exec(app.log)
  return line?.[1] ? new URL(line[1]) : null
}

describe('the first admin', () => {
  test('is made once from the settings, however many processes start', async () => {
    const settings = { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: PASSWORD, WEB_CONCURRENCY: '3' }
    const app = await App.start({ ...env, ...settings })
    expect(app.log).not.toContain('Create the first admin')
    expect(await query(servers.databaseUrl, 'SELECT email, role FROM User')).toEqual([
      { email: 'root@example.com', role: 'admin' },
    ])
    const signedIn = await new Browser(app).ask('POST', '/api/auth/sign-in/email', {
      email: 'root@example.com',
      password: PASSWORD,
    })
    expect(signedIn.status).toBe(200)
    await app.stop()
  })

  test('is made by the link that every start prints until there is one', async () => {
    await query(servers.databaseUrl, 'DELETE FROM User')
    const first = await App.start(env)
    const link = await eventually(
      () => setupLink(first),
      (found) => found !== null,
    )
    await first.stop()
    const app = await App.start({ ...env, WEB_CONCURRENCY: '2' })
    const again = await eventually(
      () => setupLink(app),
      (found) => found !== null,
    )
    expect(again?.searchParams.get('token')).toBe(link?.searchParams.get('token'))
    const token = again?.searchParams.get('token')
    const input = { token, name: 'Ada', email: 'ada@example.com', password: PASSWORD }
    const browser = new Browser(app)
    const made = await browser.ask('POST', '/api/v1/setup', input)
    expect([made.status, JSON.parse(made.body)]).toEqual([201, expect.objectContaining({ role: 'admin' })])
    expect(made.headers['set-cookie']).toEqual([expect.stringMatching(/^terse\.session_token=.*HttpOnly; SameSite=Lax/)])
    expect((await browser.ask('GET', '/api/v1/account')).status).toBe(200)
    expect((await new Browser(app).ask('POST', '/api/v1/setup', { ...input, email: 'eve@example.com' })).status).toBe(404)
    await app.stop()
  })
})

describe('an account', () => {
  let app: App

  beforeAll(async () => {
    app = await App.start(env)
  })
  afterAll(() => app?.stop())

  test('that is an admin’s is enough: no start prints a link to make the first one any more', async () => {
    expect((await app.get('/readyz')).status).toBe(200)
    expect(app.log).not.toContain('Create the first admin')
  })

  test('owns the links that its browser and its keys make, in every process', async () => {
    const other = await App.start(env)
    const browser = new Browser(app)
    const applied = await browser.ask('POST', '/api/auth/sign-up/email', {
      name: 'Bo',
      email: 'bo@example.com',
      password: PASSWORD,
    })
    expect([applied.status, applied.headers['cache-control']]).toEqual([200, 'no-store'])
    const mine = JSON.parse((await browser.ask('POST', '/api/v1/links', { url: destination() })).body)
    expect(mine).not.toHaveProperty('manageToken')
    const { key } = JSON.parse((await browser.ask('POST', '/api/v1/account/keys', { name: 'curl', scope: 'write' })).body)
    const bearer = { authorization: `Bearer ${key}` }
    const byKey = JSON.parse((await other.api('POST', '/links', { url: destination() }, bearer)).body)
    const listed = JSON.parse((await other.api('GET', '/links', undefined, bearer)).body)
    expect(listed.links.map((link: { code: string }) => link.code).sort()).toEqual([mine.code, byKey.code].sort())
    expect((await other.api('PATCH', `/links/${mine.code}`, { title: 'x' })).status).toBe(401)
    expect((await other.api('DELETE', `/links/${mine.code}`, undefined, bearer)).status).toBe(204)
    await other.stop()
  })

  test.each([
    { how: 'stopped', away: () => servers.mariadb.stop(), back: () => servers.mariadb.start() },
    { how: 'frozen', away: () => servers.mariadb.kill('SIGSTOP'), back: () => servers.mariadb.kill('SIGCONT') },
  ])('is not denied while MySQL is $how: 503, and all goes on when it is back', async ({ away, back }) => {
    const browser = new Browser(app)
    const signIn = (who: Browser) => who.ask('POST', '/api/auth/sign-in/email', { email: 'bo@example.com', password: PASSWORD })
    await signIn(browser)
    const { key } = JSON.parse((await browser.ask('POST', '/api/v1/account/keys', { name: 'curl' })).body)
    const bearer = { authorization: `Bearer ${key}` }
    await away()
    try {
      const answers = await Promise.all([
        browser.ask('GET', '/api/v1/account'),
        browser.ask('GET', '/api/auth/get-session'),
        app.api('GET', '/account', undefined, bearer),
        signIn(new Browser(app)),
        new Browser(app).ask('POST', '/api/auth/sign-up/email', { name: 'Cy', email: 'cy@example.com', password: PASSWORD }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
      for (const { headers } of answers) expect(headers['retry-after']).toBeDefined()
    } finally {
      await back()
    }
    await eventually(
      async () => [
        (await browser.ask('GET', '/api/v1/account')).status,
        (await app.api('GET', '/account', undefined, bearer)).status,
      ],
      (statuses) => statuses.every((status) => status === 200),
    )
  })
})

test('an edge process knows nothing of accounts', async () => {
  const app = await App.start({ ...env, ROLE: 'edge', BASE_URL: 'http://terse.test' })
  const answer = await app.get('/api/auth/get-session')
  expect([answer.status, answer.headers.location]).toEqual([302, 'http://terse.test/api/auth/get-session'])
  expect(app.log).not.toContain('Create the first admin')
  await app.stop()
})
