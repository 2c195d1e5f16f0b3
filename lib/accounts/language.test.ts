import { describe, expect, it } from 'vitest'
import { getAccount, patchAccount } from '@/lib/api/account'
import { answerForm } from '@/lib/api/forms/answer'
import { negotiate } from '@/lib/i18n/languages'
import { setRuntime } from '@/lib/runtime'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { BASE_URL, testRuntime } from '@/lib/testing/runtime'
import { localeFor } from './language'
import { sendResetLink } from './reset'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, SMTP_URL: mailbox.url })

/** Someone who signed up with a browser that asks for this language, and confirmed the address. */
async function speaking(accepted: string) {
  const [visitor, email] = [new Visitor(ctx), freshEmail()]
  await visitor.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD }, { 'accept-language': accepted })
  await connection.query('UPDATE User SET emailVerified = TRUE WHERE email = ?', [email])
  await visitor.signIn(email)
  const { body } = await visitor.ask(getAccount, 'GET', '/api/v1/account')
  return { visitor, email, id: body.id as string, language: body.language }
}

/** Sends the form in the footer of every page. */
async function pick({ cookies }: Visitor, language: string) {
  setRuntime(ctx)
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, origin: BASE_URL, 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ form: 'language', language }).toString()
  return answerForm(new Request(`${BASE_URL}/dashboard`, { method: 'POST', headers, body }))
}

describe('the language of an account', () => {
  it('is that of the browser that signed up; mails that others cause are written in it', async () => {
    const { email, id, language } = await speaking('de-AT,de;q=0.9,en;q=0.5')
    expect(language).toBe('de')
    expect((await mailbox.mail(email)).raw).toContain('<html lang="de">')
    // A stranger, an admin, and someone who is signed in elsewhere: all of them read English.
    await new Visitor(ctx).auth('/sign-up/email', { email, name: 'Eve', password: PASSWORD }, { 'accept-language': 'en' })
    await sendResetLink(ctx, id, negotiate('en'))
    await new Visitor(ctx).auth('/request-password-reset', { email }, { 'accept-language': 'en' })
    for (const nth of [2, 3, 4]) expect((await mailbox.mail(email, nth)).raw, String(nth)).toContain('<html lang="de">')
  })

  it('is what is picked on a page while signed in, or by the API', async () => {
    const { visitor, email, id } = await speaking('en')
    expect(await pick(visitor, 'fr')).toMatchObject({ to: '/dashboard', cookies: [expect.stringMatching(/^language=fr;/)] })
    const read = async () => (await visitor.ask(getAccount, 'GET', '/api/v1/account')).body.language
    expect(await read()).toBe('fr')
    await sendResetLink(ctx, id, negotiate('en'))
    expect((await mailbox.mail(email, 2)).raw).toContain('<html lang="fr">')
    expect(await visitor.ask(patchAccount, 'PATCH', '/api/v1/account', { language: 'es' })).toMatchObject({ status: 200 })
    expect(await read()).toBe('es')
    expect((await visitor.ask(patchAccount, 'PATCH', '/api/v1/account', { language: 'xx' })).status).toBe(422)
    expect(await pick(new Visitor(ctx), 'de')).toMatchObject({
      to: '/dashboard',
      cookies: [expect.stringMatching(/^language=de;/)],
    })
  })

  it('that is not known is that of the request; one that is keeps its way to write dates', () => {
    expect(localeFor({ id: '1', language: null }, negotiate('zh'))).toEqual({ language: 'zh', locale: 'zh-CN' })
    expect(localeFor({ id: '1', language: 'tlh' }, negotiate('de-CH'))).toEqual({ language: 'de', locale: 'de-CH' })
    expect(localeFor({ id: '1', language: 'de' }, negotiate('de-CH'))).toEqual({ language: 'de', locale: 'de-CH' })
    expect(localeFor({ id: '1', language: 'es' }, negotiate('de-CH'))).toEqual({ language: 'es', locale: 'es-ES' })
  })
})
