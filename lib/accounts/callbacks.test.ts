import { describe, expect, it } from 'vitest'
import { PASSWORD, Visitor } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { linkIn, Mailbox } from '@/lib/testing/mail'
import { CLIENT, OidcProvider } from '@/lib/testing/oidc'
import { testRedis } from '@/lib/testing/redis'
import { BASE_URL, testRuntime } from '@/lib/testing/runtime'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const provider = await OidcProvider.open()
atEnd(() => provider.close())
const mailbox = await Mailbox.open()
const ctx = await testRuntime({
  DATABASE_URL: url,
  REDIS_URL: redis.url,
  SMTP_URL: mailbox.url,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
})

const ELSEWHERE = [
  '//evil.example',
  '/..//evil.example',
  '/dashboard/..//evil.example',
  '/%2e%2e//evil.example',
  '/.//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/%09/evil.example',
  '/%2F/evil.example',
  '/%5Cevil.example',
  '/%2F%2Fevil.example',
  'https://evil.example',
  'https:evil.example',
  `${BASE_URL}.evil.example/`,
  `${BASE_URL}@evil.example/`,
  `http://terse.test:80@evil.example/`,
  'javascript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  // A short link may lead anywhere.
  '/some-code',
  '/api/v1/links',
]

/** Where a browser that is told to go to `location` ends. */
const ends = (location: string | null) => (location === null ? null : new URL(location, BASE_URL))
const isOurs = (location: string | null) => {
  const target = ends(location)
  return (
    target === null ||
    (target.origin === BASE_URL && /^\/(sign-in|verify|dashboard|reset-password|sign-up)?(\/|$)/.test(target.pathname))
  )
}

describe('where a browser is sent to after what happened under /api/auth', () => {
  it.each(ELSEWHERE)('is a page of ours, whatever the address says: %s', async (callback) => {
    const at = encodeURIComponent(callback)
    for (const path of [
      `/verify-email?token=x&callbackURL=${at}`,
      `/reset-password/x?callbackURL=${at}`,
      `/verify-email?token=x&callbackURL=/verify&callbackURL=${at}`,
    ]) {
      const { headers } = await new Visitor(ctx).auth(path)
      expect(isOurs(headers.get('location')), `${path} → ${headers.get('location')}`).toBe(true)
    }
  })

  it.each(ELSEWHERE)('is a page of ours, whatever a body says: %s', async (callbackURL) => {
    const visitor = new Visitor(ctx)
    const { email } = { email: `${Math.random().toString(36).slice(2)}@example.com` }
    const told = await visitor.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD, callbackURL })
    if (told.status === 200) {
      const link = linkIn(await mailbox.mail(email))
      expect(isOurs(link.searchParams.get('callbackURL')), link.href).toBe(true)
    }
    await connection.query('UPDATE User SET emailVerified = TRUE WHERE email = ?', [email])
    for (const [path, body] of [
      ['/sign-in/email', { email, password: PASSWORD, callbackURL }],
      ['/request-password-reset', { email, redirectTo: callbackURL }],
    ] as const) {
      const { headers, body: answer } = await new Visitor(ctx).auth(path, body)
      expect(isOurs(headers.get('location')), path).toBe(true)
      expect(isOurs(answer.url ?? null), path).toBe(true)
    }
  })

  it.each(['callbackURL', 'errorCallbackURL', 'newUserCallbackURL'])(
    'is a page of ours after the provider, by %s',
    async (field) => {
      for (const elsewhere of ELSEWHERE) {
        const visitor = new Visitor(ctx)
        const given = { provider: 'oidc', callbackURL: '/dashboard', errorCallbackURL: '/sign-in', [field]: elsewhere }
        const begun = await visitor.auth('/sign-in/social', given)
        if (begun.status !== 200) continue
        const sub = `callback-${Math.random()}`
        const back = provider.agree(new URL(begun.body.url), { sub, email: `${sub}@example.com`, email_verified: true })
        if (field === 'errorCallbackURL') back.searchParams.set('error', 'access_denied')
        const { headers } = await visitor.auth(back.pathname.slice('/api/auth'.length) + back.search)
        expect(isOurs(headers.get('location')), `${elsewhere} → ${headers.get('location')}`).toBe(true)
      }
    },
  )

  it('is a page of ours even where a state that was kept says otherwise', async () => {
    const visitor = new Visitor(ctx)
    const begun = await visitor.auth('/sign-in/social', { provider: 'oidc', callbackURL: '/dashboard' })
    await connection.query('UPDATE Verification SET value = REPLACE(value, \'"/dashboard"\', \'"//evil.example"\')')
    const back = provider.agree(new URL(begun.body.url), { sub: 'kept', email: 'kept@example.com', email_verified: true })
    const { headers } = await visitor.auth(back.pathname.slice('/api/auth'.length) + back.search)
    expect(isOurs(headers.get('location')), headers.get('location') ?? '').toBe(true)
  })

  it('stays the page that was asked for, where it is ours', async () => {
    const { headers } = await new Visitor(ctx).auth('/verify-email?token=x&callbackURL=/verify%3Fto=a%2540b.c')
    expect(ends(headers.get('location'))?.pathname).toBe('/verify')
    expect(ends(headers.get('location'))?.searchParams.get('error')).toBe('INVALID_TOKEN')
  })
})
