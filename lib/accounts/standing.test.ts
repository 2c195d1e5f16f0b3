import { describe, expect, it } from 'vitest'
import { getAccount, postKey } from '@/lib/api/account'
import { nextId } from '@/lib/db/id'
import { say } from '@/lib/i18n/message'
import { LEASE } from '@/lib/jobs/queue'
import { createJob } from '@/lib/jobs/store'
import { PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { closeAccount } from './remove'
import { banAccount, setRole, signOutEverywhere, unbanAccount } from './standing'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const [ctx, elsewhere] = await Promise.all([testRuntime(settings), testRuntime(settings)])

const ACCOUNT = '/api/v1/account'
const status = async (visitor: Visitor, key?: string) =>
  (await visitor.ask(getAccount, 'GET', ACCOUNT, undefined, key ? { authorization: `Bearer ${key}` } : {})).status
const until = (ms: number) => new Date(Date.now() + ms)

async function member() {
  const visitor = new Visitor(ctx)
  const account = await visitor.signUp()
  const { body } = await visitor.ask(postKey, 'POST', `${ACCOUNT}/keys`, { name: 'script', scope: 'write' })
  return { visitor, key: body.key as string, ...account }
}

/**
 * A job that somebody works on, so that the runner leaves it alone: a lease of twice its length would be none.
 * @returns what tells its state
 */
const job = async (userId: string, state: string, kind = 'links', input = '{}') => {
  const id = nextId()
  const data = { state, leaseUntil: until(1.5 * LEASE), kind, title: '', input, result: '', error: '' }
  await ctx.db.client.job.createMany({ data: [{ id, number: String(id), userId, createdAt: new Date(), ...data }] })
  return async () => (await ctx.db.client.job.findUniqueOrThrow({ where: { id } })).state
}

describe('an admin who is one no longer', () => {
  const AS_ADMIN = { admin: { account: { id: 'x', handle: '', email: '' }, address: '' } }

  it('has the jobs cancelled that only admins may have, and keeps the others', async () => {
    const [his, another] = [await new Visitor(ctx).signUpAsAdmin(), await new Visitor(ctx).signUpAsAdmin()]
    const jobs = [
      await job(his.id, 'running', 'links', JSON.stringify(AS_ADMIN)),
      await job(his.id, 'queued', 'blocklist'),
      await job(his.id, 'done', 'blocklist'),
      await job(his.id, 'running', 'links', '{"admin":null}'),
      await job(another.id, 'running', 'links', JSON.stringify(AS_ADMIN)),
    ]
    const states = () => Promise.all(jobs.map((state) => state()))
    await setRole(ctx, his.id, 'admin')
    expect(await states()).toEqual(['running', 'queued', 'done', 'running', 'running'])
    await setRole(ctx, his.id, 'user')
    expect(await states()).toEqual(['cancelled', 'cancelled', 'done', 'running', 'running'])
    await connection.query("UPDATE User SET role = 'user'")
  })

  it('gets no new one, even by a request that began before', async () => {
    const { id } = await new Visitor(ctx).signUp()
    const by = { account: { id }, address: null }
    const queue = (kind: 'links' | 'blocklist', input: object) =>
      createJob(ctx, by, { kind, title: say('api.job.export'), input, total: 0 })
    await expect(queue('links', AS_ADMIN)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(queue('blocklist', {})).rejects.toMatchObject({ code: 'forbidden' })
    expect(await ctx.db.client.job.count({ where: { userId: id } })).toBe(0)
  })

  it('has none that goes on while the account is removed', async () => {
    const [his] = [await new Visitor(ctx).signUpAsAdmin(), await new Visitor(ctx).signUpAsAdmin()]
    const state = await job(his.id, 'running', 'blocklist')
    await closeAccount(ctx, his.id, 'keep')
    expect(await state()).toBe('cancelled')
    await connection.query("UPDATE User SET role = 'user'")
  })
})

describe('a ban', () => {
  it('ends the jobs of the account that are under way, and no others', async () => {
    const [his, another] = [await new Visitor(ctx).signUp(), await new Visitor(ctx).signUp()]
    const states = [await job(his.id, 'running'), await job(his.id, 'done'), await job(another.id, 'running')]
    await banAccount(ctx, his.id, { reason: 'spam', until: null })
    expect(await Promise.all(states.map((state) => state()))).toEqual(['cancelled', 'done', 'running'])
  })

  it('ends all sessions at once, in every process, and refuses keys and sign-ins with its reason', async () => {
    const { visitor, key, id, email, handle } = await member()
    expect([await status(visitor), await status(new Visitor(ctx), key)]).toEqual([200, 200])
    await banAccount(elsewhere, id, { reason: 'spam', until: null })
    expect([await status(visitor), await status(new Visitor(ctx), key)]).toEqual([401, 403])
    for (const answer of [
      await new Visitor(ctx).signIn(email),
      await new Visitor(ctx).auth('/sign-in/username', { username: handle, password: PASSWORD }),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([403, 'This account was banned. Reason: spam'])
    }
    // Who does not know the password learns nothing of it.
    expect((await new Visitor(ctx).signIn(email, 'a wrong password')).status).toBe(401)
    await unbanAccount(ctx, id)
    expect((await new Visitor(ctx).signIn(email)).status).toBe(200)
    expect(await status(new Visitor(ctx), key)).toBe(200)
  })

  it('with an end is over then', async () => {
    const { key, id, email } = await member()
    await expect(banAccount(ctx, id, { reason: '', until: until(-1) })).rejects.toMatchObject({ code: 'validation_failed' })
    await banAccount(ctx, id, { reason: '', until: until(3_600_000) })
    expect(await status(new Visitor(ctx), key)).toBe(403)
    await connection.query('UPDATE User SET banExpires = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?', [id])
    expect(await status(new Visitor(ctx), key)).toBe(200)
    expect((await new Visitor(ctx).signIn(email)).status).toBe(200)
  })
})

it('signing out everywhere ends sessions, and keys go on', async () => {
  const { visitor, key, id, email } = await member()
  await new Visitor(ctx).signIn(email)
  expect(await signOutEverywhere(elsewhere, id)).toBe(2)
  expect([await status(visitor), await status(new Visitor(ctx), key)]).toEqual([401, 200])
  await expect(signOutEverywhere(ctx, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
})

describe('the last admin', () => {
  const admins = () => ctx.db.client.user.count({ where: { role: 'admin', banned: false } })

  it('is not demoted, banned or removed', async () => {
    const { id } = await member()
    await setRole(ctx, id, 'admin')
    for (const work of [
      () => setRole(ctx, id, 'user'),
      () => banAccount(ctx, id, { reason: '', until: null }),
      () => closeAccount(ctx, id, 'keep'),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'conflict' })
    }
    const second = await member()
    await setRole(ctx, second.id, 'admin')
    // One who is banned cannot administer.
    await banAccount(ctx, second.id, { reason: '', until: null })
    await expect(setRole(ctx, id, 'user')).rejects.toMatchObject({ code: 'conflict' })
    // Nor one whose ban has an end, until that has come.
    await connection.query('UPDATE User SET banExpires = UTC_TIMESTAMP() + INTERVAL 1 HOUR WHERE id = ?', [second.id])
    await expect(setRole(ctx, id, 'user')).rejects.toMatchObject({ code: 'conflict' })
    await connection.query('UPDATE User SET banExpires = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?', [second.id])
    await setRole(ctx, id, 'user')
    await setRole(ctx, id, 'admin')
    await unbanAccount(ctx, second.id)
    await setRole(ctx, id, 'user')
    expect(await admins()).toBe(1)
    await connection.query("UPDATE User SET role = 'user'")
  })

  it('stays when two admins demote, ban or remove each other at once', async () => {
    const works = [
      (of: typeof ctx, id: string) => setRole(of, id, 'user'),
      (of: typeof ctx, id: string) => banAccount(of, id, { reason: '', until: null }),
      (of: typeof ctx, id: string) => closeAccount(of, id, 'keep'),
    ]
    for (let round = 0; round < 9; round++) {
      const [a, b] = [await member(), await member()]
      await Promise.all([setRole(ctx, a.id, 'admin'), setRole(ctx, b.id, 'admin')])
      const [first, second] = [works[round % 3], works[Math.floor(round / 3)]]
      const results = await Promise.allSettled([first?.(ctx, a.id), second?.(elsewhere, b.id)])
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await admins()).toBe(1)
      await connection.query("UPDATE User SET role = 'user'")
    }
  })
})
