import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { negotiate } from '@/lib/i18n/languages'
import { htmlOf } from '@/lib/mail/html'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { linkIn, Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { createInvitation } from './invitations'
import { isResetLinkGood, sendResetLink } from './reset'

const { url } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime({ ...settings, SMTP_URL: mailbox.url, MAIL_FROM: 'Terse <links@example.com>' })
const other = await testRuntime({ ...settings, SMTP_URL: mailbox.url, MAIL_FROM: 'Terse <links@example.com>' })
const mailless = await testRuntime(settings)

const apply = (visitor: Visitor, email: string) => visitor.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD })
const follow = (visitor: Visitor, link: URL) => visitor.auth(link.pathname.slice('/api/auth'.length) + link.search)

/** An account whose address is verified, signed in. */
async function verified(): Promise<{ visitor: Visitor; email: string }> {
  const [visitor, email] = [new Visitor(ctx), freshEmail()]
  await apply(visitor, email)
  await follow(visitor, linkIn(await mailbox.mail(email)))
  await visitor.signIn(email)
  return { visitor, email }
}

describe('with a mail server', () => {
  it('an account can be used once its address is verified by the link that was sent', async () => {
    const [visitor, email] = [new Visitor(ctx), freshEmail()]
    expect((await apply(visitor, email)).body).toMatchObject({ token: null })
    const early = await visitor.signIn(email)
    expect([early.status, early.body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
    const mail = await mailbox.mail(email)
    expect([mail.from, mail.raw]).toEqual(['links@example.com', expect.stringMatching(/^Subject: Confirm your email/m)])
    expect((await follow(visitor, linkIn(mail))).status).toBe(302)
    expect((await visitor.signIn(email)).status).toBe(200)
    expect((await visitor.auth('/get-session')).body.user).toMatchObject({ email, emailVerified: true })
    expect((await new Visitor(ctx).signIn(email)).status).toBe(200)
  })

  it('only a link that confirmed an address leads to a page that says so', async () => {
    const [visitor, email] = [new Visitor(ctx), freshEmail()]
    const person = { email, name: 'Someone', password: PASSWORD }
    await visitor.auth('/sign-up/email', { ...person, callbackURL: '/verify' })
    const link = linkIn(await mailbox.mail(email))
    const forged = new URL(link)
    forged.searchParams.set('token', 'abc')
    expect((await follow(visitor, forged)).headers.get('location')).toMatch(/^\/verify\?error=/)
    expect(visitor.cookies.has('terse.confirmed')).toBe(false)
    const { headers } = await follow(visitor, link)
    expect(headers.get('location')).toBe('/verify')
    expect(headers.getSetCookie()).toContainEqual(expect.stringMatching(/^terse\.confirmed=1; Max-Age=\d{2,3}; Path=\/verify; /))
  })

  it('signing up with a known address is answered as with any, and its owner is told', async () => {
    const { email } = await verified()
    const known = await apply(new Visitor(ctx), email)
    const fresh = await apply(new Visitor(ctx), freshEmail())
    const shape = ({ status, body }: typeof known) => [status, Object.keys(body.user), body.token]
    expect(shape(known)).toEqual(shape(fresh))
    // Real ones are drawn in order, so that one that is made up would be known by its first digit.
    expect(known.body.user).not.toHaveProperty('username')
    expect((await mailbox.mail(email, 2)).raw).toMatch(/^Subject: You already have an account/m)
  })

  it('of many who sign up with an address at once, in any process, all are answered as with a known one', async () => {
    const [{ email: known }, fresh] = [await verified(), freshEmail()]
    const tell = async (email: string) => {
      const told = await Promise.all([ctx, other, ctx, other].map((own) => apply(new Visitor(own), email)))
      return told.map(({ status, body }) => [status, body.code, Object.keys(body.user ?? {}), body.token])
    }
    expect(await tell(fresh)).toEqual(await tell(known))
    expect(await ctx.db.client.user.count({ where: { email: fresh } })).toBe(1)
  })

  it('signing in with what one signed up with does not tell whether the address had an account', async () => {
    const [{ email: known }, fresh] = [await verified(), freshEmail()]
    const own = 'a password of my own'
    const tell = async (email: string) => {
      const visitor = new Visitor(ctx)
      await visitor.auth('/sign-up/email', { email, name: 'Someone', password: own })
      const { status, body, headers } = await visitor.signIn(email, own)
      return [status, body, [...headers.keys()].sort()]
    }
    expect(await tell(known)).toEqual(await tell(fresh))
    const asked = await Promise.all([known, fresh].map((email) => new Visitor(ctx).auth('/send-verification-email', { email })))
    expect(asked.map(({ status }) => status)).toEqual([200, 200])
    expect(linkIn(await mailbox.mail(fresh, 2)).pathname).toBe('/api/auth/verify-email')
  })

  it('a forgotten password is replaced by mail; nobody learns whether an address has an account', async () => {
    const { visitor, email } = await verified()
    const ask = async (address: string) => {
      const begun = performance.now()
      const { status, body } = await new Visitor(ctx).auth('/request-password-reset', { email: address })
      return { status, body, ms: performance.now() - begun }
    }
    const [there, none] = [await ask(email), await ask(freshEmail())]
    expect([there.status, there.body]).toEqual([none.status, none.body])
    expect(Math.min(there.ms, none.ms)).toBeGreaterThan(390)
    const link = linkIn(await mailbox.mail(email, 2))
    expect(link.pathname).toBe('/reset-password')
    const token = link.searchParams.get('token') ?? ''
    expect([await isResetLinkGood(ctx, token), await isResetLinkGood(ctx, 'abc')]).toEqual([true, false])
    expect((await new Visitor(ctx).auth('/reset-password', { token, newPassword: 'another password' })).status).toBe(200)
    expect(await isResetLinkGood(ctx, token)).toBe(false)
    expect((await visitor.auth('/get-session')).body).toBeNull()
    expect((await new Visitor(ctx).signIn(email, 'another password')).status).toBe(200)
  })

  it('an address is changed once both the old and the new one have agreed', async () => {
    const { visitor, email } = await verified()
    const newEmail = freshEmail()
    expect((await visitor.auth('/change-email', { newEmail })).status).toBe(200)
    const current = async () => (await visitor.auth('/get-session')).body.user.email
    await follow(visitor, linkIn(await mailbox.mail(email, 2)))
    expect(await current()).toBe(email)
    await follow(visitor, linkIn(await mailbox.mail(newEmail)))
    expect(await current()).toBe(newEmail)
  })

  it('invitations and resets by an admin are sent too', async () => {
    const { visitor, email } = await verified()
    const id = (await visitor.auth('/get-session')).body.user.id
    const [account, invited] = [{ id, name: '', email, handle: '', role: 'admin' } as const, freshEmail()]
    const { url: address } = await createInvitation(ctx, account, { email: invited, days: 7 }, negotiate(''))
    expect(linkIn(await mailbox.mail(invited)).href).toBe(address)
    const reset = await sendResetLink(ctx, id, negotiate(''))
    expect(reset.sent).toBe(true)
    expect(linkIn(await mailbox.mail(email, 2)).href).toBe(reset.url)
  })
})

describe('a mail', () => {
  it('is text and HTML, in which nothing of what was sent is markup', async () => {
    const to = freshEmail()
    expect(
      await ctx.mailer.send({
        to,
        subject: 'An “answer”',
        text: 'Hello <b>you</b>,\n\nsee https://example.com/?a=1&b=2',
        locale: negotiate(''),
      }),
    ).toBe(true)
    const { raw } = await mailbox.mail(to)
    expect(raw).toContain('text/plain')
    expect(raw).toContain('&lt;b&gt;you&lt;/b&gt;')
    expect(htmlOf('a "b" <c>\nhttps://example.com/?a=1&b="x', ctx.brand, ctx.config.BASE_URL, negotiate(''))).toContain(
      '<p>a &quot;b&quot; &lt;c&gt;<br><a href="https://example.com/?a=1&amp;b=&quot;x">https://example.com/?a=1&amp;b=&quot;x</a></p>',
    )
  })

  it('that cannot be sent breaks nothing', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const cut = await testRuntime({ ...settings, SMTP_URL: `smtp://127.0.0.1:${port}` })
    atEnd(() => cut.mailer.close())
    expect((await apply(new Visitor(cut), freshEmail())).status).toBe(200)
    expect(await cut.mailer.send({ to: freshEmail(), subject: 'x', text: 'y', locale: negotiate('') })).toBe(false)
  })
})

describe('without a mail server', () => {
  it('accounts work at once, addresses change at once, and no mail is sent', async () => {
    const visitor = new Visitor(mailless)
    const { id } = await visitor.signUp()
    const newEmail = freshEmail()
    expect((await visitor.auth('/change-email', { newEmail })).status).toBe(200)
    expect((await visitor.auth('/get-session')).body.user.email).toBe(newEmail)
    expect((await new Visitor(mailless).auth('/request-password-reset', { email: newEmail })).status).toBe(400)
    expect(await sendResetLink(mailless, id, negotiate(''))).toMatchObject({ sent: false })
    expect(await mailless.mailer.send({ to: newEmail, subject: 'x', text: 'y', locale: negotiate('') })).toBe(false)
    expect(mailbox.to(newEmail)).toEqual([])
  })
})
