import { beforeAll, describe, expect, it } from 'vitest'
import { NOWHERE } from '@/lib/actor'
import {
  getAccount,
  getKeys,
  getSessions,
  patchAccount,
  postClaim,
  postKey,
  removeAccount,
  removeKey,
  removeOtherSessions,
  removeSession,
} from '@/lib/api/account'
import { getLink, patchLink, postLink } from '@/lib/api/links'
import { negotiate } from '@/lib/i18n/languages'
import { updateLink } from '@/lib/links/update'
import { PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { claimLinks } from './claim'
import { createKey } from './keys'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const ACCOUNT = '/api/v1/account'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function newKey(visitor: Visitor, given: object = {}): Promise<{ id: string; key: string }> {
  const { status, body } = await visitor.ask(postKey, 'POST', `${ACCOUNT}/keys`, { name: 'script', ...given })
  expect(status).toBe(201)
  return body
}

const makeLink = async (visitor: Visitor, given: object = {}, headers = {}) =>
  (await visitor.ask(postLink, 'POST', '/api/v1/links', { url: 'https://example.com/', ...given }, headers)).body

describe('an account', () => {
  it('is shown to its owner, who may change name and publicity and nothing else', async () => {
    const visitor = new Visitor(ctx)
    const { id, email, handle } = await visitor.signUp()
    const { body } = await visitor.ask(getAccount, 'GET', ACCOUNT)
    expect(body).toEqual({
      ...{ id, email, handle, name: 'Someone', emailVerified: false, role: 'user', hasPassword: true },
      ...{ twoFactorEnabled: false, publicProfile: false, createdAt: expect.any(String) },
      ...{ username: null, language: 'en' },
      profileUrl: `http://terse.test/@${handle}`,
    })
    const changed = await visitor.ask(patchAccount, 'PATCH', ACCOUNT, { name: 'Grace', publicProfile: true })
    expect(changed.body).toEqual({ ...body, name: 'Grace', publicProfile: true })
    for (const given of [{}, { role: 'admin' }, { email: 'x@example.com' }, { handle: '10000000' }, { name: '' }]) {
      expect((await visitor.ask(patchAccount, 'PATCH', ACCOUNT, given)).status).toBe(422)
    }
    expect((await visitor.ask(getAccount, 'GET', ACCOUNT)).body).toEqual(changed.body)
    expect((await new Visitor(ctx).ask(getAccount, 'GET', ACCOUNT)).status).toBe(401)
  })
})

describe('an API key', () => {
  it('is shown once, kept as a hash, and does what its scope allows', async () => {
    const [visitor, script] = [new Visitor(ctx), new Visitor(ctx)]
    const { id } = await visitor.signUp()
    const read = await newKey(visitor)
    const write = await newKey(visitor, { scope: 'write', expiresInDays: null })
    expect(read.key).toMatch(/^terse_/)
    const rows = JSON.stringify(await connection.query('SELECT * FROM ApiKey'), (_, v) => (typeof v === 'bigint' ? `${v}` : v))
    expect(rows).not.toContain(read.key)
    const made = await makeLink(script, {}, bearer(write.key))
    expect(await ctx.db.client.link.findUnique({ where: { id: BigInt(made.id) } })).toMatchObject({ ownerId: id })
    expect(made).not.toHaveProperty('manageToken')
    const refused = await script.ask(postLink, 'POST', '/api/v1/links', { url: 'https://example.com/' }, bearer(read.key))
    expect(refused.status).toBe(403)
    const look = await script.ask(getLink, 'GET', `/api/v1/links/${made.code}`, undefined, bearer(read.key), { code: made.code })
    expect(look.status).toBe(200)
    const { body } = await visitor.ask(getKeys, 'GET', `${ACCOUNT}/keys`)
    expect(body.keys).toHaveLength(2)
    const shown = body.keys.find((key: { id: string }) => key.id === read.id)
    expect(shown).toMatchObject({ name: 'script', scope: 'read', start: read.key.slice(0, shown.start.length) })
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBeCloseTo(90 * 86_400_000, -5)
    expect(JSON.stringify(body)).not.toContain(read.key)
    for (const { lastUsedAt } of body.keys) expect(Date.parse(lastUsedAt)).toBeGreaterThan(Date.now() - 60_000)
  })

  it('manages neither keys nor sessions, and deletes no account', async () => {
    const visitor = new Visitor(ctx)
    const { handle } = await visitor.signUp()
    const { id, key } = await newKey(visitor, { scope: 'write' })
    const script = new Visitor(ctx)
    const statuses = [
      await script.ask(getKeys, 'GET', `${ACCOUNT}/keys`, undefined, bearer(key)),
      await script.ask(postKey, 'POST', `${ACCOUNT}/keys`, { name: 'another' }, bearer(key)),
      await script.ask(removeKey, 'DELETE', `${ACCOUNT}/keys/${id}`, undefined, bearer(key), { id }),
      await script.ask(getSessions, 'GET', `${ACCOUNT}/sessions`, undefined, bearer(key)),
      await script.ask(removeOtherSessions, 'DELETE', `${ACCOUNT}/sessions`, undefined, bearer(key)),
      await script.ask(removeAccount, 'DELETE', ACCOUNT, { handle, password: PASSWORD, links: 'keep' }, bearer(key)),
    ].map(({ status }) => status)
    expect(statuses).toEqual(Array(6).fill(403))
  })

  it('is refused once it has expired or was deleted, and nobody else can delete it', async () => {
    const [visitor, other, script] = [new Visitor(ctx), new Visitor(ctx), new Visitor(ctx)]
    await visitor.signUp()
    await other.signUp()
    const [expired, deleted] = [await newKey(visitor), await newKey(visitor)]
    const ask = async (key: string) => (await script.ask(getAccount, 'GET', ACCOUNT, undefined, bearer(key))).status
    const remove = async (who: Visitor, id: string) =>
      (await who.ask(removeKey, 'DELETE', `${ACCOUNT}/keys/${id}`, undefined, {}, { id })).status
    expect([await ask(expired.key), await ask(deleted.key)]).toEqual([200, 200])
    await connection.query('UPDATE ApiKey SET expiresAt = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?', [expired.id])
    expect(await remove(other, deleted.id)).toBe(404)
    expect(await ask(deleted.key)).toBe(200)
    expect(await remove(visitor, deleted.id)).toBe(204)
    expect([await ask(expired.key), await ask(deleted.key), await ask('terse_nonsense')]).toEqual([401, 401, 401])
  })
})

describe('sessions', () => {
  it('are listed with where they are, and end one by one or all but one', async () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const [first, second, third] = [new Visitor(ctx), new Visitor(ctx), new Visitor(ctx)]
    const { email } = await first.signUp()
    await second.auth('/sign-in/email', { email, password: PASSWORD }, { 'user-agent': firefox })
    await third.signIn(email)
    const list = async (visitor: Visitor) => (await visitor.ask(getSessions, 'GET', `${ACCOUNT}/sessions`)).body.sessions
    const sessions = await list(first)
    expect(sessions).toHaveLength(3)
    expect(sessions.filter((session: { current: boolean }) => session.current)).toHaveLength(1)
    const { id } = sessions.find((session: { agent: string }) => session.agent === 'Firefox on Linux')
    expect(JSON.stringify(sessions)).not.toMatch(/token/)
    const other = new Visitor(ctx)
    await other.signUp()
    const end = async (who: Visitor) =>
      (await who.ask(removeSession, 'DELETE', `${ACCOUNT}/sessions/${id}`, undefined, {}, { id })).status
    expect([await end(other), await end(first), await end(first)]).toEqual([404, 204, 404])
    expect((await second.ask(getAccount, 'GET', ACCOUNT)).status).toBe(401)
    expect((await first.ask(removeOtherSessions, 'DELETE', `${ACCOUNT}/sessions`)).status).toBe(204)
    expect((await third.ask(getAccount, 'GET', ACCOUNT)).status).toBe(401)
    expect(await list(first)).toHaveLength(1)
    expect(await list(other)).toHaveLength(1)
  })

  it('change nothing when another site asks in their name', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await visitor.ask(patchAccount, 'PATCH', ACCOUNT, { name: 'Mallory' }, evil)).status).toBe(403)
    expect((await visitor.ask(postKey, 'POST', `${ACCOUNT}/keys`, { name: 'stolen' }, evil)).status).toBe(403)
  })
})

describe('links made without an account', () => {
  const claim = (visitor: Visitor, tokens: string[]) => visitor.ask(postClaim, 'POST', `${ACCOUNT}/claim`, { tokens })

  it('become those of the account that shows their manage tokens, which then manage nothing', async () => {
    const [visitor, stranger] = [new Visitor(ctx), new Visitor(ctx)]
    const { id } = await visitor.signUp()
    const [one, two] = [await makeLink(stranger), await makeLink(stranger)]
    const { body } = await claim(visitor, [one.manageToken, two.manageToken, 'nonsense', one.manageToken])
    expect(body.claimed.map((link: { code: string }) => link.code).sort()).toEqual([one.code, two.code].sort())
    expect(body.refused).toBe(1)
    expect(await ctx.db.client.link.count({ where: { ownerId: id } })).toBe(2)
    const edit = (who: Visitor, headers = {}) =>
      who.ask(patchLink, 'PATCH', `/api/v1/links/${one.code}`, { title: 'x' }, headers, { code: one.code })
    expect((await edit(stranger, bearer(one.manageToken))).status).toBe(404)
    expect((await edit(visitor)).status).toBe(200)
    const late = new Visitor(ctx)
    await late.signUp()
    expect((await claim(late, [one.manageToken])).body).toEqual({ claimed: [], refused: 1 })
  })

  it('that others were given too stay with nobody', async () => {
    const visitor = new Visitor(ctx)
    await visitor.signUp()
    const made = await makeLink(new Visitor(ctx), { url: 'https://example.com/shared', reuse: true })
    await makeLink(new Visitor(ctx), { url: 'https://example.com/shared', reuse: true })
    expect(await ctx.db.client.link.findUnique({ where: { id: BigInt(made.id) } })).toMatchObject({ shared: true })
    expect((await claim(visitor, [made.manageToken])).body).toEqual({ claimed: [], refused: 1 })
  })

  it('go to one account when two claim at once, and an edit under way does not give them back', async () => {
    const [a, b] = [await new Visitor(ctx).signUp(), await new Visitor(ctx).signUp()]
    for (let round = 0; round < 10; round++) {
      const { id, code, manageToken } = await makeLink(new Visitor(ctx))
      const actor = { account: null, ownerId: null, scope: 'write', manageToken, origin: NOWHERE } as const
      const [first, second] = await Promise.all([
        claimLinks(ctx, a.id, [manageToken]),
        claimLinks(ctx, b.id, [manageToken]),
        updateLink(ctx, actor, { code }, { title: 'edited' }).catch(() => {}),
      ])
      expect(first.links.length + second.links.length).toBe(1)
      const row = await ctx.db.client.link.findUnique({ where: { id: BigInt(id) } })
      expect(row).toMatchObject({ ownerId: first.links.length === 1 ? a.id : b.id, manageTokenHash: null })
    }
  })
})

it('an account has at most a hundred API keys, though many are asked for at once', async () => {
  const { id } = await new Visitor(ctx).signUp()
  const input = { name: 'one of many', scope: 'read', expiresInDays: null } as const
  const create = () => createKey(ctx, id, input, negotiate(''))
  const now = new Date()
  const there = Array.from({ length: 95 }, (_, i) => ({
    id: `${id}-${i}`,
    referenceId: id,
    key: `${id}-${i}`,
    createdAt: now,
    updatedAt: now,
  }))
  await ctx.db.client.apiKey.createMany({ data: there })
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, create))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
  expect(await ctx.db.client.apiKey.count({ where: { referenceId: id } })).toBe(100)
})
