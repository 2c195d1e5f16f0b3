import { describe, expect, it, vi } from 'vitest'
import { negotiate } from '@/lib/i18n/languages'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { accountOf } from './identify'
import { createInvitation, findInvitation, listInvitations, revokeInvitation } from './invitations'
import { INVITATION_HEADER } from './names'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)
const otherCtx = await testRuntime(settings)
const invitingCtx = await testRuntime({ ...settings, SIGN_UP: 'invitation' })
const closedCtx = await testRuntime({ ...settings, SIGN_UP: 'closed' })

const count = async (table: string) => Number((await connection.query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n)
const accounts = async () => [await count('User'), await count('Credential'), await count('Session')]

/** Asks for an account. */
function apply(visitor: Visitor, given: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  return visitor.auth('/sign-up/email', { email: freshEmail(), name: 'Someone', password: PASSWORD, ...given }, headers)
}

describe('a new account', () => {
  it('has a handle of the system, whatever was asked for, and none of the rights that were asked for', async () => {
    const asked = { name: ' Ada ', username: '12345678', displayUsername: '12345678', image: 'https://example.com/a.png' }
    const { status, body, headers } = await apply(new Visitor(ctx), asked)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const row = await ctx.db.client.user.findUnique({ where: { id: body.user.id } })
    expect(row).toMatchObject({ name: 'Ada', role: 'user', image: null, publicProfile: false, handle: body.user.username })
    expect(row?.handle).toMatch(/^[1-9]\d{7}$/)
    expect(row?.handle).not.toBe('12345678')
    // What is no field of a sign-up is not handed on.
    await apply(new Visitor(ctx), { role: 'admin', banned: true })
    expect(await ctx.db.client.user.count({ where: { role: 'admin' } })).toBe(0)
  })

  it('gets another handle when the index says that the first is taken, and is stored once', async () => {
    const { handle } = await new Visitor(ctx).signUp()
    const before = await accounts()
    const issue = vi.spyOn(ctx.ids.handles, 'issue')
    for (const next of [handle, handle, '77777777']) issue.mockResolvedValueOnce({ handle: next, wrapped: false })
    expect((await new Visitor(ctx).signUp()).handle).toBe('77777777')
    expect(issue).toHaveBeenCalledTimes(3)
    expect(await accounts()).toEqual(before.map((n) => n + 1))
    issue.mockResolvedValue({ handle, wrapped: false })
    const { status, body } = await apply(new Visitor(ctx))
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
    issue.mockRestore()
    expect(await accounts()).toEqual(before.map((n) => n + 1))
  })

  it('that several ask for at once by one address goes to one of them; the others hear that it is taken', async () => {
    const email = freshEmail()
    const told = await Promise.all([ctx, otherCtx, otherCtx].map((own) => apply(new Visitor(own), { email })))
    const refused = { status: 422, code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' }
    expect(told.map(({ status, body }) => ({ status, code: body.code })).sort((a, b) => a.status - b.status)).toEqual([
      { status: 200, code: undefined },
      refused,
      refused,
    ])
  })

  it('is stored whole or not at all', async () => {
    const before = await accounts()
    await connection.query(
      "CREATE TRIGGER refuse BEFORE INSERT ON Credential FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused'",
    )
    const email = freshEmail()
    const refused = await apply(new Visitor(ctx), { email })
    await connection.query('DROP TRIGGER refuse')
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(await accounts()).toEqual(before)
    expect((await apply(new Visitor(ctx), { email })).status).toBe(200)
  })

  it('is made once when one address signs up 8 times at once', async () => {
    const before = await accounts()
    const email = freshEmail()
    const answers = await Promise.all(Array.from({ length: 8 }, () => apply(new Visitor(ctx), { email })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await accounts()).slice(0, 2)).toEqual(before.slice(0, 2).map((n) => n + 1))
  })

  it.each([
    ['no name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(101) }],
    ['an address that is none', { email: 'nobody' }],
    ['a short password', { password: 'short' }],
    ['a password that is too long', { password: 'x'.repeat(129) }],
  ])('is refused for %s', async (_what, given) => {
    const before = await accounts()
    const { status, body } = await apply(new Visitor(ctx), given)
    expect([status, typeof body.message]).toEqual([400, 'string'])
    expect(await accounts()).toEqual(before)
  })
})

describe('SIGN_UP', () => {
  const admin = async () => {
    const { id } = await new Visitor(ctx).signUp()
    return accountOf(await ctx.db.client.user.findUniqueOrThrow({ where: { id } }))
  }
  const invite = async (input: { email?: string; days?: number } = {}) => {
    const view = await createInvitation(invitingCtx, await admin(), { email: '', days: 7, ...input }, negotiate(''))
    return { ...view, token: view.url?.split('/').at(-1) ?? '' }
  }

  it('closed: nobody makes an account, not with an invitation either', async () => {
    const { token } = await invite()
    const before = await accounts()
    const { status, body } = await apply(new Visitor(closedCtx), {}, { [INVITATION_HEADER]: token })
    expect([status, body.code]).toEqual([403, 'SIGN_UP_CLOSED'])
    expect(await accounts()).toEqual(before)
  })

  it('invitation: without one, or with one that is not good, nobody makes an account', async () => {
    const expired = await invite()
    await connection.query('UPDATE Invitation SET expiresAt = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?', [expired.id])
    const revoked = await invite()
    await revokeInvitation(invitingCtx, revoked.id)
    const others = await invite({ email: freshEmail() })
    // Anyone could type the address of someone who is invited.
    const named = await invite({ email: freshEmail() })
    const before = await accounts()
    for (const [token, given] of [
      ['', {}],
      ['nonsense', {}],
      [expired.token, {}],
      [revoked.token, {}],
      [others.token, {}],
      ['', { email: named.email }],
    ] as const) {
      const headers: Record<string, string> = token === '' ? {} : { [INVITATION_HEADER]: token }
      const { status, body } = await apply(new Visitor(invitingCtx), given, headers)
      expect([status, body.code]).toEqual([403, 'INVITATION_NEEDED'])
    }
    expect(await accounts()).toEqual(before)
  })

  it('invitation: one is good for one account, of 8 who race for it', async () => {
    const { id, token } = await invite()
    expect(await findInvitation(invitingCtx, token)).toMatchObject({ email: '' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => apply(new Visitor(invitingCtx), {}, { [INVITATION_HEADER]: token })),
    )
    const made = answers.filter(({ status }) => status === 200)
    expect(made).toHaveLength(1)
    const view = (await listInvitations(invitingCtx)).find((invitation) => invitation.id === id)
    expect(view).toMatchObject({ usedBy: made[0]?.body.user.username })
    expect(view).not.toHaveProperty('url')
    expect(await findInvitation(invitingCtx, token)).toBeNull()
    await expect(revokeInvitation(invitingCtx, id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('invitation: one for an address is good for that address', async () => {
    const email = freshEmail()
    const { token } = await invite({ email: email.toUpperCase() })
    const { status } = await apply(new Visitor(invitingCtx), { email }, { [INVITATION_HEADER]: token })
    expect(status).toBe(200)
  })

  it('invitation: a sign-up that fails does not use it up', async () => {
    const { token } = await invite()
    const { email } = await new Visitor(ctx).signUp()
    expect((await apply(new Visitor(invitingCtx), { email }, { [INVITATION_HEADER]: token })).status).toBe(422)
    expect((await apply(new Visitor(invitingCtx), {}, { [INVITATION_HEADER]: token })).status).toBe(200)
  })
})
