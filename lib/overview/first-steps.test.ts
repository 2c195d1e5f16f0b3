import { expect, it } from 'vitest'
import { postTestEmail } from '@/lib/api/system'
import { insertLinks } from '@/lib/links/insert'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { firstStepsDone, isThisMachine } from './first-steps'

const { url } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const bare = await testRuntime({ ...settings, BASE_URL: 'http://localhost:3000' })
const silent = await testRuntime(settings)
const whole = await testRuntime({ ...settings, SMTP_URL: mailbox.url, SIGN_UP: 'open' })
const wrong = await testRuntime({ ...settings, SMTP_URL: 'smtp://127.0.0.1:9' })

it('the first steps are done as far as the settings and the tables say', async () => {
  expect(await firstStepsDone(bare)).toEqual({ domain: false, mail: false, signUp: false, import: false })
  await insertLinks(whole.db.client, [linkRow()])
  expect(await firstStepsDone(whole)).toEqual({ domain: true, mail: true, signUp: true, import: true })
  expect(['http://localhost', 'http://127.0.0.1:3000', 'http://[::1]:80'].every(isThisMachine)).toBe(true)
  expect(['https://go.example.com', 'http://localhost.example', 'http://10.0.0.1'].some(isThisMachine)).toBe(false)
})

it('an admin is told what the mail server said to a test email', async () => {
  const ask = async (ctx: typeof whole) => {
    const admin = new Visitor(ctx)
    const { email } = await new Visitor(silent).signUpAsAdmin()
    await silent.db.client.user.updateMany({ where: { email }, data: { emailVerified: true } })
    await admin.signIn(email)
    return { email, told: await admin.ask(postTestEmail, 'POST', '/api/v1/admin/test-email') }
  }
  const { email, told } = await ask(whole)
  expect(told).toMatchObject({ status: 200, body: { to: email, refusal: null } })
  expect(await mailbox.mail(email)).toMatchObject({ raw: expect.stringContaining('Subject: Test email') })
  expect((await ask(wrong)).told).toMatchObject({ status: 200, body: { refusal: expect.stringContaining('ECONNREFUSED') } })
  expect((await ask(silent)).told.status).toBe(409)
})
