import { describe, expect, it } from 'vitest'
import { getAccount, patchAccount } from '@/lib/api/account'
import { postUsernameBan } from '@/lib/api/accounts'
import { negotiate } from '@/lib/i18n/languages'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { linkIn, Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { totp } from '@/lib/testing/totp'
import { createKey } from './keys'
import { tellOwner } from './notices'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, SMTP_URL: mailbox.url, RATE_LIMIT: 'on' })

let clients = 0
/** An account whose address is confirmed, signed in; one mail was sent. */
async function signedIn() {
  const [visitor, email] = [new Visitor(ctx, `198.51.100.${++clients}`), freshEmail()]
  await visitor.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD })
  await connection.query('UPDATE User SET emailVerified = TRUE WHERE email = ?', [email])
  await visitor.signIn(email)
  const id: string = (await visitor.auth('/get-session')).body.user.id
  await mailbox.mail(email)
  return { visitor, email, id }
}

/** The mails to an address name the site, the account, and what to do if it was somebody else. */
async function told(email: string, nth: number, subject: string) {
  const { raw } = await mailbox.mail(email, nth)
  expect(raw).toContain(`Subject: ${subject}`)
  for (const part of ['terse.test', email, 'If this wasn=E2=80=99t you', '/reset']) expect(raw).toContain(part)
  return raw
}

describe('the owner of an account is told by mail', () => {
  it('that the password was changed, by someone signed in and by a link', async () => {
    const { visitor, email } = await signedIn()
    const other = 'another correct horse'
    await visitor.auth('/change-password', { currentPassword: PASSWORD, newPassword: other })
    await told(email, 2, 'Your password was changed')
    await visitor.auth('/request-password-reset', { email })
    const token = linkIn(await mailbox.mail(email, 3)).searchParams.get('token')
    expect((await visitor.auth('/reset-password', { token, newPassword: PASSWORD })).status).toBe(200)
    await told(email, 4, 'Your password was changed')
  })

  it('that the second factor was turned on and off', async () => {
    const { visitor, email } = await signedIn()
    const { totpURI } = (await visitor.auth('/two-factor/enable', { password: PASSWORD })).body
    expect((await visitor.auth('/two-factor/verify-totp', { code: totp(totpURI) })).status).toBe(200)
    await told(email, 2, 'Two-factor authentication was turned on')
    expect((await visitor.auth('/two-factor/disable', { password: PASSWORD })).status).toBe(200)
    await told(email, 3, 'Two-factor authentication was turned off')
  })

  it('of a new API key, and not of what was refused', async () => {
    const { visitor, email, id } = await signedIn()
    await visitor.auth('/change-password', { currentPassword: 'not the password', newPassword: 'another correct horse' })
    await createKey(ctx, id, { name: 'ci', scope: 'read', expiresInDays: null }, negotiate(''))
    expect(await told(email, 2, 'An API key was created')).toContain('ci')
  })

  it('that an admin banned the username, why, and what stays, in their own language', async () => {
    const [admin, { visitor, email, id }] = [await signedIn(), await signedIn()]
    await connection.query("UPDATE User SET role = 'admin' WHERE id = ?", [admin.id])
    expect((await visitor.ask(patchAccount, 'PATCH', '/api/v1/account', { username: 'greta', language: 'de' })).status).toBe(200)
    const { handle } = (await visitor.ask(getAccount, 'GET', '/api/v1/account')).body
    const ban = { username: 'GRETA', reason: '100% spam\r\nX-Header: 1' }
    expect((await admin.visitor.ask(postUsernameBan, 'POST', '/api/v1/admin/usernames/ban', ban)).status).toBe(204)
    const { raw } = await mailbox.mail(email, 2)
    expect(raw).toContain('Subject: Dein Benutzername @greta wurde entfernt')
    for (const part of ['<html lang="de">', `/@${handle}`, '100% spam X-Header: 1', email]) expect(raw).toContain(part)
    expect(await connection.query('SELECT username FROM User WHERE id = ?', [id])).toEqual([{ username: null }])
  })

  it('ten times an hour, whatever mails strangers had sent to the address', async () => {
    const { visitor, email, id } = await signedIn()
    for (let i = 0; i < 12; i++) await visitor.auth('/request-password-reset', { email })
    const before = mailbox.to(email).length
    for (let i = 0; i < 12; i++) await tellOwner(ctx, { id, email }, { kind: 'password' }, negotiate(''))
    expect(
      mailbox
        .to(email)
        .slice(before)
        .filter(({ raw }) => raw.includes('Your password was changed')),
    ).toHaveLength(10)
  })
})

it('a mail about a change of address says that somebody is signed in, and what to do', async () => {
  const { visitor, email } = await signedIn()
  await visitor.auth('/change-email', { newEmail: freshEmail() })
  const raw = await told(email, 2, 'Confirm your new email')
  expect(raw).not.toContain('all set')
})
