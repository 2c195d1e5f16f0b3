import { describe, expect, it } from 'vitest'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { linkIn, Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { totp } from '@/lib/testing/totp'
import { createResetLink } from './reset'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const mailless = await testRuntime(settings)
const ctx = await testRuntime({ ...settings, SMTP_URL: mailbox.url })

const whoAmI = async (visitor: Visitor) => (await visitor.auth('/get-session')).body?.user?.id
const follow = (visitor: Visitor, link: URL) => visitor.auth(link.pathname.slice('/api/auth'.length) + link.search)

/** An account with a second factor, made before there was a mail server. */
async function guarded() {
  const owner = new Visitor(mailless)
  const account = await owner.signUp()
  const { body } = await owner.auth('/two-factor/enable', { password: PASSWORD })
  expect((await owner.auth('/two-factor/verify-totp', { code: totp(body.totpURI, -1) })).status).toBe(200)
  return { ...account, owner, uri: body.totpURI as string, backupCodes: body.backupCodes as string[] }
}

/** Someone who knows the password, and is asked for a code. */
async function asked(email: string): Promise<Visitor> {
  const visitor = new Visitor(mailless)
  expect((await visitor.signIn(email)).body).toMatchObject({ twoFactorRedirect: true })
  return visitor
}

/** Several of them, one after another: each costs a hash. */
async function many(count: number, email: string): Promise<Visitor[]> {
  const visitors: Visitor[] = []
  for (let i = 0; i < count; i++) visitors.push(await asked(email))
  return visitors
}

describe('a mailbox alone', () => {
  it('passes no second factor by confirming the address', async () => {
    const { email } = await guarded()
    await new Visitor(ctx).auth('/send-verification-email', { email, callbackURL: '/verify' })
    const thief = new Visitor(ctx)
    const opened = await follow(thief, linkIn(await mailbox.mail(email)))
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/verify'])
    expect(await whoAmI(thief)).toBeUndefined()
    expect(await ctx.db.client.user.findUnique({ where: { email } })).toMatchObject({ emailVerified: true })
  })

  it('passes no second factor by a new password', async () => {
    const { email, id } = await guarded()
    await connection.query('UPDATE User SET emailVerified = TRUE WHERE id = ?', [id])
    const thief = new Visitor(ctx)
    await thief.auth('/request-password-reset', { email })
    const token = linkIn(await mailbox.mail(email)).searchParams.get('token')
    expect((await thief.auth('/reset-password', { token, newPassword: 'of the thief himself' })).status).toBe(200)
    expect(await whoAmI(thief)).toBeUndefined()
    expect((await thief.signIn(email, 'of the thief himself')).body).toMatchObject({ twoFactorRedirect: true })
    expect(await whoAmI(thief)).toBeUndefined()
  })

  it('passes no second factor by a browser that was trusted before the password was set', async () => {
    const { email, id, uri } = await guarded()
    const trusted = await asked(email)
    expect((await trusted.auth('/two-factor/verify-totp', { code: totp(uri), trustDevice: true })).status).toBe(200)
    const again = new Visitor(mailless)
    for (const [name, value] of trusted.cookies) if (/trust/.test(name)) again.cookies.set(name, value)
    const { url: link } = await createResetLink(mailless, id)
    const token = new URL(link).searchParams.get('token')
    expect((await again.auth('/reset-password', { token, newPassword: 'another long password' })).status).toBe(200)
    expect((await again.signIn(email, 'another long password')).body).toMatchObject({ twoFactorRedirect: true })
  })

  it('signs nobody in: who confirms an address still needs the password', async () => {
    const [visitor, email] = [new Visitor(ctx), freshEmail()]
    await visitor.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD })
    await follow(visitor, linkIn(await mailbox.mail(email)))
    expect(await whoAmI(visitor)).toBeUndefined()
    expect((await visitor.signIn(email)).status).toBe(200)
  })
})

describe('a code of the second factor', () => {
  it('is good once', async () => {
    const { email, id, uri } = await guarded()
    const code = totp(uri)
    const [first, second] = [await asked(email), await asked(email)]
    expect((await first.auth('/two-factor/verify-totp', { code })).status).toBe(200)
    expect((await second.auth('/two-factor/verify-totp', { code })).status).toBe(401)
    expect([await whoAmI(first), await whoAmI(second)]).toEqual([id, undefined])
  })

  it('opens one session when 8 send it at once', async () => {
    const { email, uri } = await guarded()
    const visitors = await many(8, email)
    const code = totp(uri)
    const answers = await Promise.all(visitors.map((visitor) => visitor.auth('/two-factor/verify-totp', { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
  })

  it('of the backup opens one session when 8 send it at once', async () => {
    const { email, backupCodes } = await guarded()
    const visitors = await many(8, email)
    const [code] = backupCodes
    const answers = await Promise.all(visitors.map((visitor) => visitor.auth('/two-factor/verify-backup-code', { code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('of the backup is used up even when another one is used at the same time', async () => {
    const { email, backupCodes } = await guarded()
    const use = async (visitor: Visitor, code: string) => (await visitor.auth('/two-factor/verify-backup-code', { code })).status
    const visitors = await many(6, email)
    const used: string[] = []
    await Promise.all(
      visitors.map(async (visitor, i) => {
        const code = backupCodes[i] ?? ''
        if ((await use(visitor, code)) === 200) used.push(code)
      }),
    )
    expect(used.length).toBeGreaterThan(0)
    for (const code of used) expect(await use(await asked(email), code), code).toBe(401)
  })
})
