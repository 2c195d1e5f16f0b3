import { describe, expect, it } from 'vitest'
import { setupUrl } from '@/lib/accounts/setup-url'
import { type Runtime, setRuntime } from '@/lib/runtime'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { linkIn, Mailbox } from '@/lib/testing/mail'
import { testRedis } from '@/lib/testing/redis'
import { BASE_URL, testRuntime } from '@/lib/testing/runtime'
import { totp } from '@/lib/testing/totp'
import { answerForm } from './answer'
import { FORMS } from './forms'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const mailbox = await Mailbox.open()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)
const mailing = await testRuntime({ ...settings, SMTP_URL: mailbox.url, MAIL_FROM: 'Terse <links@example.com>' })
const limiting = await testRuntime({ ...settings, RATE_LIMIT: 'on', LINKS_PER_MINUTE: '100' })

/** A browser without scripts. */
class Reader extends Visitor {
  constructor(
    private readonly runtime: Runtime,
    address?: string,
  ) {
    super(runtime, address)
  }

  /** Sends a form of the page at `path`. */
  async send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    setRuntime(this.runtime)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = new Request(BASE_URL + path, {
      method: 'POST',
      headers: { cookie, origin: BASE_URL, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
    const client = { address: this.address, network: '', viaProxy: false }
    const answer = await this.runtime.scope.run({ client }, () => answerForm(request))
    for (const cookie of answer.cookies) this.keep(cookie)
    return answer
  }
}

const attempt = () => ({ form: 'shorten', attempt: crypto.randomUUID() })
const account = (email: string) => ({ form: 'sign-up', name: 'Ada', email, password: PASSWORD })

describe('a form that is sent without scripts', () => {
  it('makes the link that was asked for, once however often it is sent', async () => {
    const fields = { ...attempt(), url: 'example.com/page', code: '', expiresAt: '2031-02-03T04:05', password: 'a secret' }
    const first = await new Reader(ctx).send('/', fields)
    expect(first).toMatchObject({
      status: 201,
      sent: {
        form: 'shorten',
        result: { url: 'https://example.com/page', expiresAt: '2031-02-03T04:05:00.000Z', hasPassword: true },
      },
    })
    expect(first).toHaveProperty('sent.result.manageToken')
    expect(JSON.stringify(first)).not.toContain('a secret')
    const again = await new Reader(ctx).send('/', fields)
    expect(again).toHaveProperty('sent.result', (first as { sent: { result: unknown } }).sent.result)
    // Gone back to, and changed: another link.
    const other = await new Reader(ctx).send('/', { ...fields, url: 'example.com/other' })
    expect(other).toMatchObject({ status: 201, sent: { result: { url: 'https://example.com/other' } } })
  })

  it('comes back with what was typed, what is wrong at its field, and never a secret', async () => {
    const fields = { ...attempt(), url: 'no address', code: 'a b', expiresAt: '2020-02-03T04:05', password: 'a secret' }
    const answer = await new Reader(ctx).send('/', fields)
    expect(answer).toMatchObject({
      status: 422,
      sent: {
        values: { url: 'no address', code: 'a b', expiresAt: '2020-02-03T04:05' },
        errors: { url: expect.any(String), code: expect.any(String), password: 'Enter it again.' },
        failure: null,
      },
    })
    expect(JSON.stringify(answer)).not.toContain('a secret')
    // What only the domain can say is said once the fields are right by themselves.
    expect(await new Reader(ctx).send('/', { ...attempt(), url: 'https://example.com/', code: 'admin' })).toMatchObject({
      status: 422,
      sent: { errors: { code: expect.any(String) } },
    })
  })

  it('is answered by the endpoint of the API: what is taken there is taken here', async () => {
    const code = `taken-${Date.now()}`
    const fields = { url: 'https://example.com/', code }
    expect(await new Reader(ctx).send('/', { ...attempt(), ...fields })).toMatchObject({ status: 201 })
    expect(await new Reader(ctx).send('/', { ...attempt(), ...fields })).toMatchObject({
      status: 409,
      sent: { values: { code } },
    })
  })

  it('is limited as the API is', async () => {
    const visitor = new Reader(limiting)
    const codes: number[] = []
    for (let i = 0; i < 200 && codes.at(-1) !== 429; i++) {
      const answer = await visitor.send('/', { ...attempt(), url: 'https://example.com/' })
      codes.push('status' in answer ? answer.status : 303)
      if (codes.at(-1) === 429) expect(answer.headers['Retry-After']).toMatch(/^\d+$/)
    }
    expect(codes.at(-1)).toBe(429)
  })

  it.each([
    ['refused before the API is asked', '203.0.113.1', { form: 'shorten', url: 'no address' }, 422],
    ['none of ours', '203.0.113.2', { form: 'constructor' }, 400],
  ])('is limited where it is %s', async (_, address, fields, refused) => {
    const visitor = new Reader(limiting, address)
    for (let i = 0; i < 400; i++) expect(await visitor.send('/', fields)).toMatchObject({ status: refused })
    const answer = await visitor.send('/', fields)
    expect(answer).toMatchObject({ status: 429, headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } })
  })

  it('is refused from another site, and changes nothing', async () => {
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { origin: 'null' }]
    for (const headers of foreign) {
      const email = freshEmail()
      const answer = await new Reader(ctx).send('/sign-up', account(email), headers)
      expect(answer).toMatchObject({ status: 403, cookies: [], sent: { values: { email } } })
      expect(await connection.query('SELECT id FROM User WHERE email = ?', [email])).toEqual([])
    }
  })

  it.each([
    ['an unknown name', '/', { form: 'constructor' }, {}, 400],
    ['no name', '/', { url: 'x' }, {}, 400],
    ['another page', '/report', { form: 'sign-out' }, {}, 400],
    ['another type', '/', {}, { 'content-type': 'text/plain' }, 415],
    ['too much', '/', { form: 'report', details: 'x'.repeat(70_000) }, {}, 413],
  ] as [string, string, Record<string, string>, Record<string, string>, number][])(
    'with %s is refused in words',
    async (_, path, fields, headers, status) => {
      const answer = await new Reader(ctx).send(path, fields, headers)
      expect(answer).toMatchObject({ status, sent: { form: null, failure: expect.stringMatching(/\.$/) } })
    },
  )

  it('gives a number to read aloud, and takes over what was typed in the other form', async () => {
    const visitor = new Reader(ctx)
    for (const form of ['spoken', 'shorten']) {
      expect(await visitor.send('/', { ...attempt(), url: 'example.com/aloud', form: `show-${form}` })).toMatchObject({
        status: 200,
        sent: { form, values: { url: 'example.com/aloud' }, result: undefined },
      })
    }
    const answer = await visitor.send('/', { form: 'spoken', url: 'example.com/aloud', digits: '5', ttl: '600' })
    expect(answer).toMatchObject({ status: 201, sent: { result: { digits: expect.stringMatching(/^\d{5}$/) } } })
    const odd = await visitor.send('/', { form: 'spoken', url: 'example.com/aloud', digits: '9', ttl: '' })
    expect(odd).toMatchObject({ status: 422, sent: { errors: { digits: expect.any(String) } } })
    // What form was meant is said by its name alone: one that lacks a field says so, and is no other.
    const less = await visitor.send('/', { form: 'spoken', url: 'example.com/aloud' })
    expect(less).toMatchObject({ status: 422, sent: { form: 'spoken', errors: { digits: expect.any(String) } } })
    expect(await visitor.send('/', { form: 'shorten', url: 'example.com/aloud' })).toMatchObject({ status: 201 })
  })

  it('takes a report in', async () => {
    const link = await new Reader(ctx).send('/', { ...attempt(), url: 'https://example.com/bad' })
    const { shortUrl } = (link as { sent: { result: { shortUrl: string } } }).sent.result
    const fields = { form: 'report', shortUrl, reason: 'phishing', details: 'It asks for a password.', email: '' }
    expect(await new Reader(ctx).send('/report', fields)).toMatchObject({
      status: 201,
      sent: { result: { reference: expect.stringMatching(/^\d{11,12}$/) } },
    })
    expect(await new Reader(ctx).send('/report', { ...fields, shortUrl: 'no-such-link' })).toMatchObject({
      status: 422,
      sent: { values: { details: fields.details, reason: 'phishing' }, errors: { shortUrl: expect.any(String) } },
    })
  })
})

describe('without scripts', () => {
  it('someone signs up, signs out and signs in, and comes to where they wanted to go', async () => {
    const [visitor, email] = [new Reader(ctx), freshEmail()]
    expect(await visitor.send('/sign-up', account(email))).toMatchObject({ to: '/sign-up/done' })
    expect((await visitor.auth('/get-session')).body.user).toMatchObject({ email })
    expect(await visitor.send('/logout', { form: 'sign-out' })).toMatchObject({ to: '/' })
    expect((await visitor.auth('/get-session')).body).toBeNull()
    const fields = { form: 'sign-in', login: email.toUpperCase(), password: PASSWORD }
    const wrong = await visitor.send('/sign-in', { ...fields, password: 'not the password' })
    expect(wrong).toMatchObject({
      status: 401,
      sent: {
        values: { login: fields.login },
        failure: expect.stringContaining('Wrong email'),
        errors: { credentials: expect.any(String) },
      },
    })
    expect(JSON.stringify(wrong)).not.toContain('not the password')
    expect(await visitor.send('/sign-in?next=/dashboard/overview', fields)).toMatchObject({ to: '/dashboard/overview' })
    expect((await visitor.auth('/get-session')).body.user).toMatchObject({ email })
    for (const next of ['https://evil.example', '//evil.example', '/..//evil.example', '/a-link']) {
      const answer = await new Reader(ctx).send(`/sign-in?next=${encodeURIComponent(next)}`, fields)
      expect(answer).toMatchObject({ to: '/dashboard' })
    }
  })

  it('who signed in before has tries of their own by the form too, in a browser that keeps cookies by their paths', async () => {
    const email = freshEmail()
    await new Visitor(ctx).signUp(email)
    const { headers } = await new Visitor(ctx).signIn(email)
    const marks = headers.getSetCookie().filter((cookie) => cookie.startsWith('terse.device='))
    expect(marks).toEqual([expect.stringMatching(/^terse\.device=[\w.-]{40,}; Max-Age=\d+; Path=\/;/)])
    const [browser, mark] = /=([\w-]+)\.([\w-]+);/.exec(marks[0] ?? '')?.slice(1) ?? []
    const other = new Reader(ctx)
    other.cookies.set('terse.device', `${browser}.${mark}`)
    await other.send('/sign-up', account(freshEmail()))
    expect(other.cookies.get('terse.device')).toMatch(new RegExp(`^${browser}\\.[\\w-]{22}\\.${mark}$`))
  })

  it('a second factor is asked for', async () => {
    const [visitor, email] = [new Reader(ctx), freshEmail()]
    await visitor.send('/sign-up', account(email))
    const { totpURI, backupCodes } = (await visitor.auth('/two-factor/enable', { password: PASSWORD })).body
    await visitor.auth('/two-factor/verify-totp', { code: totp(totpURI) })
    const fields = { form: 'sign-in', login: email, password: PASSWORD }
    const second = new Reader(ctx)
    expect(await second.send('/sign-in?next=/admin', fields)).toMatchObject({ to: '/sign-in?step=code&next=%2Fadmin' })
    expect((await second.auth('/get-session')).body).toBeNull()
    expect(await second.send('/sign-in?step=code', { form: 'second-factor', code: 'abcdef', trust: 'on' })).toMatchObject({
      status: 401,
      sent: { values: { trust: 'on' }, errors: { code: expect.any(String) } },
    })
    const path = '/sign-in?step=backup&next=/dashboard/overview'
    expect(await second.send(path, { form: 'second-factor', code: backupCodes[0] })).toMatchObject({ to: '/dashboard/overview' })
    expect((await second.auth('/get-session')).body.user).toMatchObject({ email })
  })

  it('an address is confirmed, and a new password is set, by mail', async () => {
    const [visitor, email] = [new Reader(mailing), freshEmail()]
    expect(await visitor.send('/sign-up', account(email))).toMatchObject({ status: 200, sent: { result: { email } } })
    const early = await visitor.send('/sign-in', { form: 'sign-in', login: email, password: PASSWORD })
    expect(early).toMatchObject({
      status: 401,
      sent: { values: { login: email }, failure: expect.stringMatching(/you’ve confirmed your email/) },
    })
    expect(await visitor.send('/sign-in', { form: 'verification', email })).toMatchObject({ sent: { result: { email } } })
    const link = linkIn(await mailbox.mail(email, 2))
    await visitor.auth(link.pathname.slice('/api/auth'.length) + link.search)

    expect(await visitor.send('/reset', { form: 'reset', email })).toMatchObject({ status: 200, sent: { result: { email } } })
    const { search } = linkIn(await mailbox.mail(email, 3))
    const short = await visitor.send(`/reset-password${search}`, { form: 'new-password', password: 'short' })
    expect(short).toMatchObject({ status: 422, sent: { errors: { password: expect.any(String) } } })
    const chosen = { form: 'new-password', password: 'another correct horse' }
    expect(await visitor.send(`/reset-password${search}`, chosen)).toMatchObject({ status: 200, sent: { result: true } })
    expect(await visitor.send(`/reset-password${search}`, chosen)).toMatchObject({
      status: 400,
      sent: { failure: expect.stringContaining('Request a new one') },
    })
    expect((await new Visitor(mailing).signIn(email, chosen.password)).status).toBe(200)
  })

  it('an invitation that cannot be one is no page to sign up on', async () => {
    for (const token of ['a%0Ab', '%E0', 'a%20b']) {
      const [visitor, email] = [new Reader(ctx), freshEmail()]
      await visitor.send(`/invite/${token}`, { ...account(email), form: 'sign-up' })
      expect(await ctx.db.client.user.count({ where: { email } }), token).toBe(0)
    }
  })

  it('the first admin is made, and signed in', async () => {
    const { search } = new URL((await setupUrl(ctx.config, ctx.db)) ?? '')
    const [visitor, email] = [new Reader(ctx), freshEmail()]
    const fields = { ...account(email), form: 'setup' }
    expect(await visitor.send('/setup?token=guessed', fields)).toMatchObject({ status: 403, sent: { values: { email } } })
    expect(await visitor.send(`/setup${search}`, fields)).toMatchObject({ to: '/admin/setup' })
    expect((await visitor.auth('/get-session')).body.user).toMatchObject({ email, role: 'admin' })
  })

  it('no form gives back a field that is named as a secret', () => {
    for (const [name, { keeps, secrets = [] }] of Object.entries(FORMS)) {
      expect(
        keeps.filter((field) => secrets.includes(field) || /password|token|secret|code$/i.test(field)),
        name,
      ).toEqual(name === 'shorten' ? ['code'] : [])
    }
  })
})
