import { beforeAll, describe, expect, it } from 'vitest'
import { postKey, postProof, removeOtherSessions } from '@/lib/api/account'
import { deleteAccount, postBan, postInvitation, postReset, postRole } from '@/lib/api/accounts'
import { negotiate } from '@/lib/i18n/languages'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { createKey } from './keys'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

type Route = Parameters<Visitor['ask']>[0]

const admin = new Visitor(ctx)
let adminId = ''
let someone = { id: '', handle: '', email: '' }
beforeAll(async () => {
  adminId = (await admin.signUp()).id
  await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [adminId])
  someone = await new Visitor(ctx).signUp()
})

/** As if the account had signed in an hour ago, and not shown since who it is. */
const grow = (userId: string) =>
  connection.query('UPDATE Session SET createdAt = createdAt - INTERVAL 1 HOUR, provedAt = NULL WHERE userId = ?', [userId])
const ask = (visitor: Visitor, route: Route, method: string, body: unknown, id: string, headers = {}) =>
  visitor.ask(route, method, '/api/v1/anything', body, headers, { id })
const prove = (visitor: Visitor, password: string) => visitor.ask(postProof, 'POST', '/api/v1/account/proof', { password })

/** What decides who gets in; each with what it takes. */
const POWERS: [string, Route, string, unknown][] = [
  ['reset', postReset, 'POST', undefined],
  ['role', postRole, 'POST', { role: 'admin' }],
  ['ban', postBan, 'POST', { reason: 'spam' }],
  ['delete', deleteAccount, 'DELETE', { links: 'keep' }],
  ['invite', postInvitation, 'POST', {}],
]

describe('an API key that got out', () => {
  it.each(POWERS)('of an admin cannot %s, so that it takes over no account', async (_name, route, method, body) => {
    const { key = '' } = await createKey(ctx, adminId, { name: 'leaked', scope: 'write', expiresInDays: 1 }, negotiate(''))
    const bearer = { authorization: `Bearer ${key}` }
    const thief = new Visitor(ctx)
    for (const target of [adminId, someone.id]) {
      expect((await ask(thief, route, method, body, target, bearer)).status).toBe(403)
    }
    // Nor with the cookies of a session that is someone else’s along with it.
    const other = new Visitor(ctx)
    await other.signUp()
    expect((await ask(other, route, method, body, someone.id, bearer)).status).toBe(403)
    const [row] = await connection.query('SELECT role, banned, removal FROM User WHERE id = ?', [someone.id])
    expect(row).toMatchObject({ role: 'user', banned: 0, removal: null })
  })
})

describe('a session that was left open', () => {
  it.each(POWERS)('cannot %s before the password was asked for again', async (_name, route, method, body) => {
    await grow(adminId)
    const { id } = await new Visitor(ctx).signUp()
    const stale = await ask(admin, route, method, body, id)
    expect([stale.status, stale.body.code]).toEqual([403, 'proof_needed'])
    expect((await prove(admin, 'not the password')).status).toBe(422)
    expect((await ask(admin, route, method, body, id)).status).toBe(403)
    expect((await prove(admin, PASSWORD)).status).toBe(204)
    expect((await ask(admin, route, method, body, id)).status).toBeLessThan(300)
  })

  it.each([
    ['makes no API key', (owner: Visitor) => ask(owner, postKey, 'POST', { name: 'another' }, '')],
    ['ends no other session', (owner: Visitor) => ask(owner, removeOtherSessions, 'DELETE', undefined, '')],
    ['changes no address', (owner: Visitor) => owner.auth('/change-email', { newEmail: freshEmail() })],
    ['adds no passkey', (owner: Visitor) => owner.auth('/passkey/generate-register-options')],
    ['links no provider', (owner: Visitor) => owner.auth('/link-social', { provider: 'oidc', callbackURL: '/dashboard' })],
    ['unlinks none', (owner: Visitor) => owner.auth('/unlink-account', { accountId: 'x' })],
    ['removes no passkey', (owner: Visitor) => owner.auth('/passkey/delete-passkey', { id: 'x' })],
  ])('%s before the password was asked for again', async (_name, act) => {
    const owner = new Visitor(ctx)
    const { id } = await owner.signUp()
    await grow(id)
    const stale = await act(owner)
    expect([stale.status, stale.body.code]).toEqual([403, 'proof_needed'])
    expect((await prove(owner, PASSWORD)).status).toBe(204)
    expect((await act(owner)).body?.code).not.toBe('proof_needed')
  })

  it('is not helped by the cookie of another one, nor by a key of the same account', async () => {
    const [owner, thief] = [new Visitor(ctx), new Visitor(ctx)]
    const { id, email } = await owner.signUp()
    await thief.signUp()
    await grow(id)
    const name = 'terse.session_token'
    const [stale, fresh] = [owner.cookies.get(name), thief.cookies.get(name)]
    const { key } = await createKey(ctx, id, { name: 'script', scope: 'write', expiresInDays: 1 }, negotiate(''))
    // So that the recent one is known already.
    await thief.auth('/change-email', { newEmail: 'not an address' })
    for (const cookie of [
      `${name}=${fresh}; ${name}=${stale}`,
      `${name}=${stale}; ${name}=${fresh}`,
      `__Secure-${name}=${fresh}; ${name}=${stale}`,
      `${name}=${stale}; __Secure-${name}=${fresh}`,
      `x="; ${name}=${fresh}"; ${name}=${stale}`,
    ]) {
      await new Visitor(ctx).auth('/change-email', { newEmail: freshEmail() }, { cookie })
    }
    await owner.auth('/change-email', { newEmail: freshEmail() }, { authorization: `Bearer ${key}` })
    const [row] = await connection.query('SELECT email FROM User WHERE id = ?', [id])
    expect(row.email).toBe(email)
  })
})
