import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import {
  deleteAccount,
  deleteInvitation,
  getAccount,
  getInvitations,
  postBan,
  postInvitation,
  postReset,
  postRole,
  postSignOut,
  postUnban,
} from './accounts'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

const admin = new Visitor(ctx)
let adminId = ''

beforeAll(async () => {
  adminId = (await admin.signUp()).id
  await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [adminId])
})
beforeEach(() => connection.query('DELETE FROM AuditEntry'))

type Route = Parameters<Visitor['ask']>[0]

const ask = (route: Route, method: string, id: string, body?: unknown) =>
  admin.ask(route, method, '/api/v1/admin/accounts', body, {}, { id })
const written = async () =>
  (await connection.query<{ action: string; target: string; actorId: string }[]>('SELECT * FROM AuditEntry ORDER BY id')).map(
    ({ action, target, actorId }) => [action, target, actorId],
  )
const someone = async () => {
  const visitor = new Visitor(ctx)
  return { visitor, ...(await visitor.signUp()) }
}
const isSignedIn = async (visitor: Visitor) => (await visitor.auth('/get-session')).body !== null

describe('what an admin does to an account', () => {
  it.each([
    ['account.ban', postBan, 'POST', { reason: '100% spam\r\nX-Header: 1' }, { banned: true, sessions: 0 }],
    ['account.role', postRole, 'POST', { role: 'admin' }, { role: 'admin', sessions: 1 }],
    ['account.sign-out', postSignOut, 'POST', undefined, { sessions: 0, banned: false }],
    ['account.unban', postUnban, 'POST', undefined, { banned: false, sessions: 1 }],
  ] as const)('takes effect at once and is written down: %s', async (action, route, method, body, after) => {
    const { id, handle, visitor } = await someone()
    const { status, body: account } = await ask(route, method, id, body)
    expect([status, account]).toMatchObject([200, after])
    expect(await isSignedIn(visitor)).toBe(after.sessions !== 0)
    expect(await written()).toEqual([[action, `account ${handle}`, adminId]])
    // No other test may have a second admin.
    await connection.query("UPDATE User SET role = 'user' WHERE id = ?", [id])
  })

  it('may be to remove it, of which the log keeps whose it was', async () => {
    const { id, handle, email } = await someone()
    expect((await ask(deleteAccount, 'DELETE', id, { links: 'keep' })).status).toBe(204)
    const [entry] = await connection.query<{ target: string; details: string }[]>('SELECT target, details FROM AuditEntry')
    expect([entry?.target, JSON.parse(entry?.details ?? '')]).toEqual([`account ${handle}`, { links: 'keep', email }])
  })

  it('may be to make a link for a new password, which works, and is in no log', async () => {
    const { id, email } = await someone()
    const { body } = await ask(postReset, 'POST', id)
    const token = new URL(body.url).searchParams.get('token') ?? ''
    expect(token).not.toBe('')
    const [entry] = await connection.query<Record<string, unknown>[]>('SELECT action, target, details FROM AuditEntry')
    expect(JSON.stringify(entry)).not.toContain(token)
    const visitor = new Visitor(ctx)
    expect((await visitor.auth('/reset-password', { token, newPassword: 'another good password' })).status).toBe(200)
    expect((await visitor.signIn(email, 'another good password')).status).toBe(200)
  })

  it('is refused for the last admin, and then not written down', async () => {
    for (const [route, method, body] of [
      [postBan, 'POST', {}],
      [postRole, 'POST', { role: 'user' }],
      [deleteAccount, 'DELETE', { links: 'delete' }],
    ] as const) {
      expect(await ask(route, method, adminId, body)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    }
    expect((await ask(postBan, 'POST', 'nobody', {})).status).toBe(404)
    expect((await ask(postRole, 'POST', adminId, { role: 'owner' })).status).toBe(422)
    expect(await written()).toEqual([])
    expect((await ask(getAccount, 'GET', adminId)).body).toMatchObject({ role: 'admin', banned: false })
  })
})

describe('an invitation', () => {
  it('is shown with its address once, and can be taken back', async () => {
    const made = await ask(postInvitation, 'POST', '', { email: 'New@Example.com' })
    expect([made.status, new URL(made.body.url).pathname]).toEqual([201, expect.stringMatching(/^\/invite\/./)])
    const { id } = made.body
    const listed = (await ask(getInvitations, 'GET', '')).body.invitations
    expect(listed).toEqual([expect.objectContaining({ id, email: 'new@example.com', usedBy: null })])
    expect(listed[0].url).toBeUndefined()
    expect((await ask(deleteInvitation, 'DELETE', id)).status).toBe(204)
    expect((await ask(deleteInvitation, 'DELETE', id)).status).toBe(404)
    expect((await written()).map(([action]) => action)).toEqual(['invitation.create', 'invitation.revoke'])
  })
})
