import { beforeEach, describe, expect, it } from 'vitest'
import { postSetup } from '@/lib/api/account'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { hashPassword } from '@/lib/tools/password'
import { ensureAdmin } from './setup'
import { setupUrl } from './setup-url'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const runtimes = await Promise.all([testRuntime(settings), testRuntime(settings)])
const [ctx] = runtimes

const admins = () => ctx.db.client.user.findMany({ where: { role: 'admin' } })
const tokenOf = async () => new URL((await setupUrl(ctx.config, ctx.db)) ?? 'http://none').searchParams.get('token') ?? ''
const setUp = (visitor: Visitor, token: string, email = freshEmail()) =>
  visitor.ask(postSetup, 'POST', '/api/v1/setup', { token, name: 'Ada', email, password: PASSWORD })

beforeEach(async () => {
  for (const table of ['User', 'Credential', 'Session']) await connection.query(`DELETE FROM ${table}`)
})

describe('the link that is printed at start', () => {
  it('makes the first admin, who is signed in, and then there is none any more', async () => {
    const token = await tokenOf()
    expect(await setupUrl(ctx.config, ctx.db)).toMatch(/^http:\/\/terse\.test\/setup\?token=[\w-]{43}$/)
    const [visitor, email] = [new Visitor(ctx), freshEmail().toUpperCase()]
    const { status, body } = await setUp(visitor, token, email)
    expect([status, body]).toEqual([201, expect.objectContaining({ name: 'Ada', email: email.toLowerCase(), role: 'admin' })])
    expect(body.handle).toMatch(/^[1-9]\d{7}$/)
    expect((await visitor.auth('/get-session')).body.user.id).toBe(body.id)
    expect((await new Visitor(ctx).signIn(email)).status).toBe(200)
    expect(await setupUrl(ctx.config, ctx.db)).toBeNull()
    expect((await setUp(new Visitor(ctx), token)).status).toBe(404)
    expect(await admins()).toHaveLength(1)
  })

  it('makes one admin when many open it at once, in several processes', async () => {
    const token = await tokenOf()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => setUp(new Visitor(runtimes[i % 2] ?? ctx), token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(404)])
    expect(await ctx.db.client.user.count()).toBe(1)
    expect(await ctx.db.client.credential.count()).toBe(1)
  })

  it('has a few passwords hashed at a time, however many open it at once', async () => {
    const token = await tokenOf()
    const { password } = await (await ctx.auth()).$context
    const { hash } = password
    let [now, most] = [0, 0]
    password.hash = async (text) => {
      most = Math.max(most, ++now)
      return hashPassword(text).finally(() => {
        now -= 1
      })
    }
    try {
      await Promise.all(Array.from({ length: 12 }, (_, number) => setUp(new Visitor(ctx, `198.51.100.${number}`), token)))
    } finally {
      password.hash = hash
    }
    expect(most).toBe(3)
    expect(await admins()).toHaveLength(1)
  })

  it('does nothing with a wrong token, or for the address of someone else', async () => {
    const token = await tokenOf()
    for (const wrong of ['', 'x', `${token}x`, token.slice(1)]) {
      expect((await setUp(new Visitor(ctx), wrong)).status).toBe(403)
    }
    const { email } = await new Visitor(ctx).signUp()
    const { status, body } = await setUp(new Visitor(ctx), token, email)
    expect([status, body.errors?.[0]?.path]).toEqual([422, 'email'])
    expect(await admins()).toEqual([])
  })
})

describe('ADMIN_EMAIL', () => {
  const email = 'Root@Example.com'
  const process = () => testRuntime({ ...settings, ADMIN_EMAIL: email, ADMIN_PASSWORD: PASSWORD })

  it('names the first admin, made once by all processes that start together, and not again', async () => {
    const started = await Promise.all([process(), process(), process(), process()])
    await Promise.all(started.map(ensureAdmin))
    expect((await admins()).map((user) => user.email)).toEqual(['root@example.com'])
    expect((await new Visitor(ctx).signIn(email)).status).toBe(200)
    await connection.query("UPDATE User SET email = 'moved@example.com'")
    await ensureAdmin(await process())
    expect((await admins()).map((user) => user.email)).toEqual(['moved@example.com'])
  })

  it('that anyone may have signed up with makes nobody an admin, and the start says so', async () => {
    const stranger = new Visitor(ctx)
    const { id } = await stranger.signUp('root@example.com')
    const own = await process()
    const said: unknown[] = []
    own.log.error = ((...words: unknown[]) => said.push(words)) as typeof own.log.error
    await ensureAdmin(own)
    expect(await admins()).toEqual([])
    expect(JSON.stringify(said)).toMatch(/root@example\.com.*not confirmed/i)
    expect((await stranger.auth('/get-session')).body.user).toMatchObject({ id, role: 'user' })
    // There is still a way to the first admin.
    expect(await setupUrl(ctx.config, ctx.db)).not.toBeNull()
  })

  it('that has an account with a confirmed address becomes admin, keeps its password, and has to sign in', async () => {
    const owner = new Visitor(ctx)
    await owner.signUp('root@example.com')
    await connection.query('UPDATE User SET emailVerified = TRUE')
    const own = await testRuntime({ ...settings, ADMIN_EMAIL: email, ADMIN_PASSWORD: 'of the settings' })
    await ensureAdmin(own)
    expect((await admins()).map((user) => user.email)).toEqual(['root@example.com'])
    expect((await owner.auth('/get-session')).body).toBeNull()
    expect((await new Visitor(ctx).signIn(email, PASSWORD)).status).toBe(200)
    expect((await new Visitor(ctx).signIn(email, 'of the settings')).status).toBe(401)
  })

  it('of a banned account is refused with what to do', async () => {
    await new Visitor(ctx).signUp('root@example.com')
    await connection.query('UPDATE User SET banned = TRUE')
    await expect(ensureAdmin(await process())).rejects.toThrow(/^ADMIN_EMAIL: .*banned; name another/)
    await connection.query('UPDATE User SET banExpires = UTC_TIMESTAMP() - INTERVAL 1 SECOND')
    await expect(ensureAdmin(await process())).resolves.toBeUndefined()
  })
})
