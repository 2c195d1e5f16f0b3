import { expect, it } from 'vitest'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, SMTP_URL: mailbox.url, RATE_LIMIT: 'on' })

/** A client that nothing was counted of yet. */
let clients = 0
const stranger = () => new Visitor(ctx, `198.51.100.${++clients}`)
const apply = (visitor: Visitor, email: string) => visitor.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD })

/** How many mails came to an address, once a later one to another has come. */
async function mailsTo(address: string): Promise<number> {
  const last = freshEmail()
  await apply(stranger(), last)
  await mailbox.mail(last)
  return mailbox.to(address).length
}

it('signing in to an account whose address is not confirmed sends no mail, however often', async () => {
  const [visitor, email] = [stranger(), freshEmail()]
  await apply(visitor, email)
  for (let i = 0; i < 15; i++) await visitor.signIn(email)
  expect(await mailsTo(email)).toBe(1)
})

it('what strangers do with an address uses up nothing that its owner asks for, and is bounded', async () => {
  const [email, owner] = [freshEmail(), stranger()]
  const answers = []
  for (let i = 0; i < 14; i++) answers.push((await apply(stranger(), email.toUpperCase())).status)
  expect(answers).toEqual(Array(14).fill(200))
  const one = stranger()
  for (let i = 0; i < 5; i++) await one.auth('/request-password-reset', { email })
  for (let i = 0; i < 5; i++) await one.auth('/send-verification-email', { email })
  // The confirmation, two notices, and three of each from the one client.
  expect(await mailsTo(email)).toBe(9)
  expect((await owner.auth('/request-password-reset', { email })).status).toBe(200)
  expect((await owner.auth('/send-verification-email', { email })).status).toBe(200)
  expect(await mailsTo(email)).toBe(11)
})

it('ten mails of one purpose reach an address in an hour, however many clients ask', async () => {
  const email = freshEmail()
  await apply(stranger(), email)
  for (let i = 0; i < 14; i++) expect((await stranger().auth('/request-password-reset', { email })).status).toBe(200)
  expect(await mailsTo(email)).toBe(11)
})

it('opening one link for a new address again and again sends it ten mails at most', async () => {
  const [visitor, email, newEmail] = [stranger(), freshEmail(), freshEmail()]
  await apply(visitor, email)
  await connection.query('UPDATE User SET emailVerified = TRUE WHERE email = ?', [email])
  await visitor.signIn(email)
  await visitor.auth('/change-email', { newEmail })
  const { raw } = await mailbox.mail(email, 2)
  const link = new URL(/http:\/\/terse\.test\/\S+/.exec(raw)?.[0] ?? '')
  for (let i = 0; i < 14; i++) await stranger().auth(link.pathname.slice('/api/auth'.length) + link.search)
  expect(await mailsTo(newEmail)).toBe(10)
})
