import { describe, expect, it } from 'vitest'
import { postSetup } from '@/lib/api/account'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { linkIn, Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { createResetLink } from './reset'
import { ensureAdmin } from './setup'
import { setupUrl } from './setup-url'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)
const mailbox = await Mailbox.open()
const mailing = await testRuntime({ ...settings, SMTP_URL: mailbox.url })

const whoAmI = async (visitor: Visitor) => (await visitor.auth('/get-session')).body?.user?.id
const linkFor = async (id: string) => new URL((await createResetLink(ctx, id)).url).searchParams.get('token')
const reset = (token: string | null, newPassword: string) => new Visitor(ctx).auth('/reset-password', { token, newPassword })

describe('a password that is set', () => {
  it('by a link ends all other links and all sessions', async () => {
    const owner = new Visitor(ctx)
    const { id, email } = await owner.signUp()
    const [older, newer] = [await linkFor(id), await linkFor(id)]
    expect((await reset(newer, 'the newer password')).status).toBe(200)
    expect((await reset(older, 'the older password')).status).toBe(400)
    expect(await whoAmI(owner)).toBeUndefined()
    expect((await new Visitor(ctx).signIn(email, 'the newer password')).status).toBe(200)
  })

  it('by one of 6 links that are opened at once is set by that one alone', async () => {
    const { id } = await new Visitor(ctx).signUp()
    const tokens = await Promise.all(Array.from({ length: 6 }, () => linkFor(id)))
    const answers = await Promise.all(tokens.map((token, i) => reset(token, `the password number ${i}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
  })

  it('in the settings ends all links and all other sessions', async () => {
    const [owner, elsewhere] = [new Visitor(ctx), new Visitor(ctx)]
    const { id, email } = await owner.signUp()
    await elsewhere.signIn(email)
    const token = await linkFor(id)
    const change = (given: object) => owner.auth('/change-password', { newPassword: 'another long password', ...given })
    expect((await change({ currentPassword: 'not the password' })).status).toBe(400)
    expect(await whoAmI(elsewhere)).toBe(id)
    const stolen = new Map(owner.cookies)
    expect((await change({ currentPassword: PASSWORD, revokeOtherSessions: false })).status).toBe(200)
    expect([await whoAmI(owner), await whoAmI(elsewhere)]).toEqual([id, undefined])
    const thief = new Visitor(ctx)
    for (const [name, value] of stolen) thief.cookies.set(name, value)
    expect(await whoAmI(thief)).toBeUndefined()
    expect((await reset(token, 'of a link that was kept')).status).toBe(400)
  })

  it('can no longer be set by a link that was sent to an address the account has left', async () => {
    const owner = new Visitor(ctx)
    const { id } = await owner.signUp()
    const token = await linkFor(id)
    expect((await owner.auth('/change-email', { newEmail: freshEmail() })).status).toBe(200)
    expect((await reset(token, 'of the mailbox before')).status).toBe(400)

    const [mover, email, next] = [new Visitor(mailing), freshEmail(), freshEmail()]
    await mover.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD })
    const follow = (link: URL) => mover.auth(link.pathname.slice('/api/auth'.length) + link.search)
    await follow(linkIn(await mailbox.mail(email)))
    await mover.signIn(email)
    await mover.auth('/request-password-reset', { email })
    const kept = linkIn(await mailbox.mail(email, 2)).searchParams.get('token')
    await mover.auth('/change-email', { newEmail: next })
    await follow(linkIn(await mailbox.mail(email, 3)))
    await follow(linkIn(await mailbox.mail(next)))
    expect((await mover.auth('/get-session')).body.user.email).toBe(next)
    expect((await reset(kept, 'of the mailbox before')).status).toBe(400)
  })
})

describe('a password that everybody tries first', () => {
  const COMMON = ['password', '12345678', 'Password', 'password1', 'qwertyuiop', ' password ']

  it.each(COMMON)('opens no new account, and no account that there is: “%s”', async (weak) => {
    const email = freshEmail()
    const applied = await new Visitor(ctx).auth('/sign-up/email', { email, name: 'Someone', password: weak })
    expect([applied.status, applied.body.code]).toEqual([400, 'PASSWORD_COMMON'])
    expect(await ctx.db.client.user.findUnique({ where: { email } })).toBeNull()
    const owner = new Visitor(ctx)
    const { id } = await owner.signUp()
    const token = await linkFor(id)
    const [byLink, changed] = [
      await reset(token, weak),
      await owner.auth('/change-password', { currentPassword: PASSWORD, newPassword: weak }),
    ]
    expect([byLink.body.code, changed.body.code]).toEqual(['PASSWORD_COMMON', 'PASSWORD_COMMON'])
    // The link is still good for a better one.
    expect((await reset(token, 'a much better one')).status).toBe(200)
  })

  it('is also what stands beside it: the address, the handle, the name of the site', async () => {
    const email = freshEmail()
    for (const weak of [email, email.split('@')[0] ?? '', 'terse.test', BASE]) {
      const applied = await new Visitor(ctx).auth('/sign-up/email', { email, name: 'Someone', password: weak })
      expect([weak, applied.body.code]).toEqual([weak, 'PASSWORD_COMMON'])
    }
    const owner = new Visitor(ctx)
    const { id, handle } = await owner.signUp()
    expect((await reset(await linkFor(id), handle)).body.code).toBe('PASSWORD_COMMON')
    const changed = await owner.auth('/change-password', { currentPassword: PASSWORD, newPassword: handle })
    expect(changed.body.code).toBe('PASSWORD_COMMON')
  })

  it('makes no admin, by the printed link or by the settings', async () => {
    await connection.query('DELETE FROM User')
    const token = new URL((await setupUrl(ctx.config, ctx.db)) ?? '').searchParams.get('token')
    const input = { token, name: 'Ada', email: freshEmail(), password: 'password' }
    const told = await new Visitor(ctx).ask(postSetup, 'POST', '/api/v1/setup', input)
    expect([told.status, told.body.errors?.[0]?.path]).toEqual([422, 'password'])
    const own = await testRuntime({ ...settings, ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: '12345678' })
    await expect(ensureAdmin(own)).rejects.toThrow(/^ADMIN_PASSWORD: /)
    expect(await ctx.db.client.user.count()).toBe(0)
  })
})

const BASE = 'http://terse.test'
