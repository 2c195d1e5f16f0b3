import { describe, expect, it } from 'vitest'
import { freshEmail, hashesDuring, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { totp } from '@/lib/testing/totp'
import { createResetLink } from './reset'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)

const account = await new Visitor(ctx).signUp()
const whoAmI = async (visitor: Visitor) => (await visitor.auth('/get-session')).body?.user?.id

describe('signing in', () => {
  it.each(['email', 'handle'])('by %s opens a session, which signing out ends', async (by) => {
    const visitor = new Visitor(ctx)
    const { status, body } =
      by === 'email'
        ? await visitor.signIn(account.email)
        : await visitor.auth('/sign-in/username', { username: account.handle, password: PASSWORD })
    expect([status, body.user.id, await whoAmI(visitor)]).toEqual([200, account.id, account.id])
    const kept = new Map(visitor.cookies)
    await visitor.auth('/sign-out', {})
    for (const [name, value] of kept) visitor.cookies.set(name, value)
    expect(await whoAmI(visitor)).toBeUndefined()
  })

  it('is refused alike whether or not there is such an account', async () => {
    const wrong = (path: string, given: object) => new Visitor(ctx).auth(path, { ...given, password: 'a wrong password' })
    const byEmail = [
      await wrong('/sign-in/email', { email: account.email }),
      await wrong('/sign-in/email', { email: freshEmail() }),
    ]
    const byHandle = [
      await wrong('/sign-in/username', { username: account.handle }),
      await wrong('/sign-in/username', { username: '99999999' }),
    ]
    for (const [there, none] of [byEmail, byHandle]) {
      expect(there?.status).toBe(401)
      expect([there?.status, there?.body]).toEqual([none?.status, none?.body])
    }
  })

  it('costs a hash of the password even where the account has none', async () => {
    const { id, handle, email } = await new Visitor(ctx).signUp()
    await connection.query('DELETE FROM Credential WHERE userId = ?', [id])
    for (const [path, given] of [
      ['/sign-in/username', { username: handle }],
      ['/sign-in/username', { username: '99999998' }],
      ['/sign-in/email', { email }],
      ['/sign-in/email', { email: freshEmail() }],
    ] as const) {
      const hashes = await hashesDuring(ctx, async () => {
        expect((await new Visitor(ctx).auth(path, { ...given, password: PASSWORD })).status).toBe(401)
      })
      expect([path, hashes]).toEqual([path, 1])
    }
  })

  it('sets cookies that scripts cannot read and other sites cannot send; with https only over https', async () => {
    const flags = async (base: string) => {
      const own = await testRuntime({ ...settings, BASE_URL: base })
      const headers = { 'content-type': 'application/json', origin: base }
      const body = JSON.stringify({ email: account.email, password: PASSWORD })
      const response = await (await own.auth()).handler(
        new Request(`${base}/api/auth/sign-in/email`, { method: 'POST', headers, body }),
      )
      return response.headers.getSetCookie()
    }
    const plain = await flags('http://terse.test')
    expect(plain).toEqual([expect.stringMatching(/^terse\.session_token=.*HttpOnly; SameSite=Lax$/i)])
    const secure = await flags('https://terse.test')
    expect(secure).toEqual([expect.stringMatching(/^__Secure-terse\.session_token=.*HttpOnly; Secure; SameSite=Lax$/i)])
  })

  it('is refused from another site', async () => {
    const visitor = new Visitor(ctx)
    const elsewhere = { origin: 'https://evil.example' }
    const { status } = await visitor.auth('/sign-in/email', { email: account.email, password: PASSWORD }, elsewhere)
    expect([status, visitor.cookies.size]).toEqual([403, 0])
  })

  it('by a password and a code of the second factor, or a backup code once', async () => {
    const owner = new Visitor(ctx)
    const { id, email, handle } = await owner.signUp()
    const { body: enabled } = await owner.auth('/two-factor/enable', { password: PASSWORD })
    expect(enabled.totpURI).toMatch(/^otpauth:\/\/totp\/Terse/)
    expect((await owner.auth('/two-factor/verify-totp', { code: totp(enabled.totpURI) })).status).toBe(200)
    const password = async (by: 'email' | 'handle') => {
      const visitor = new Visitor(ctx)
      const { body } =
        by === 'email'
          ? await visitor.signIn(email)
          : await visitor.auth('/sign-in/username', { username: handle, password: PASSWORD })
      expect(body.twoFactorRedirect).toBe(true)
      expect(await whoAmI(visitor)).toBeUndefined()
      return visitor
    }
    const wrong = await password('email')
    expect((await wrong.auth('/two-factor/verify-totp', { code: '000000' })).status).toBe(401)
    expect(await whoAmI(wrong)).toBeUndefined()
    const right = await password('handle')
    // The code that set the app up is used.
    expect((await right.auth('/two-factor/verify-totp', { code: totp(enabled.totpURI, 1) })).status).toBe(200)
    expect(await whoAmI(right)).toBe(id)
    const [code] = enabled.backupCodes
    const spare = await password('email')
    expect((await spare.auth('/two-factor/verify-backup-code', { code })).status).toBe(200)
    expect(await whoAmI(spare)).toBe(id)
    expect((await (await password('email')).auth('/two-factor/verify-backup-code', { code })).status).toBe(401)
  })

  it('by a passkey is offered to all, and one is added only by who is signed in', async () => {
    const visitor = new Visitor(ctx)
    const offered = await visitor.auth('/passkey/generate-authenticate-options')
    expect([offered.status, offered.body.rpId]).toEqual([200, 'terse.test'])
    expect((await visitor.auth('/passkey/generate-register-options')).status).toBe(401)
    await visitor.signUp()
    const { status, body } = await visitor.auth('/passkey/generate-register-options')
    expect([status, body.rp]).toEqual([200, { name: 'Terse', id: 'terse.test' }])
    const forged = { response: { id: 'x', rawId: 'x', response: {}, type: 'public-key', clientExtensionResults: {} } }
    expect((await new Visitor(ctx).auth('/passkey/verify-authentication', forged)).status).toBeGreaterThanOrEqual(400)
  })

  it('is limited for each client, in a form that tells when to come again', async () => {
    const limited = await testRuntime({ ...settings, RATE_LIMIT: 'on' })
    const answers = []
    for (let i = 0; i < 21; i++) answers.push(await new Visitor(limited).signIn(freshEmail(), 'a wrong password'))
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(401), 429])
    const refused = answers.at(-1)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.body).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('Try again in') })
    expect((await new Visitor(limited).signIn(account.email)).status).toBe(429)
  })
})

describe('a link of an admin to reset a password', () => {
  it('sets a new one, once, and ends all sessions', async () => {
    const before = new Visitor(ctx)
    const { id, email } = await before.signUp()
    const { url: link, expiresAt } = await createResetLink(ctx, id)
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now())
    const token = new URL(link).searchParams.get('token')
    const reset = (newPassword: string) => new Visitor(ctx).auth('/reset-password', { token, newPassword })
    expect((await reset('another password')).status).toBe(200)
    expect((await reset('a third password')).status).toBe(400)
    expect(await whoAmI(before)).toBeUndefined()
    expect((await new Visitor(ctx).signIn(email, PASSWORD)).status).toBe(401)
    expect((await new Visitor(ctx).signIn(email, 'another password')).status).toBe(200)
  })
})

describe('under /api/auth', () => {
  it('there is nothing but what is meant for the public, and nobody may keep an answer', async () => {
    for (const path of [
      '/admin/list-users',
      '/api-key/list',
      '/delete-user',
      '/is-username-available',
      '/list-sessions',
      '/update-user',
      '/get-access-token',
      '/nonsense',
      '/sign-in',
      '',
    ]) {
      const { status, headers } = await new Visitor(ctx).auth(path, {})
      expect([path, status, headers.get('cache-control')]).toEqual([path, 404, 'no-store'])
    }
    expect((await new Visitor(ctx).auth('/get-session')).headers.get('cache-control')).toBe('no-store')
  })

  it('no answer holds a hash or a secret', async () => {
    const visitor = new Visitor(ctx)
    const { id } = await visitor.signUp()
    const texts = [
      await visitor.auth('/get-session'),
      await visitor.auth('/list-accounts'),
      await visitor.auth('/passkey/list-user-passkeys'),
      await visitor.auth('/change-password', { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }),
    ].map(({ status, body }) => {
      expect(status).toBe(200)
      return JSON.stringify(body)
    })
    const [{ password }] = await connection.query('SELECT password FROM Credential WHERE userId = ?', [id])
    expect(password).toMatch(/^\w+:\w+/)
    for (const text of texts) {
      expect(text).not.toContain(password)
      expect(text).not.toMatch(/"password"/)
    }
  })
})

it('without a provider there is nothing to sign in by one, and nothing of what is sent comes to better-auth', async () => {
  const visitor = new Visitor(ctx)
  for (const query of ['error=X%C2%9B31m', 'state=X', 'code=X'])
    expect((await visitor.auth(`/callback/oidc?${query}`)).status).toBe(404)
  for (const provider of ['X', 'oidc']) expect((await visitor.auth('/sign-in/social', { provider })).status).toBe(404)
})
