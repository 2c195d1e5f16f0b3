import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { negotiate } from '@/lib/i18n/languages'
import type { Runtime } from '@/lib/runtime'
import { freshEmail, type Told, Visitor } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { CLIENT, OidcProvider, type Person } from '@/lib/testing/oidc'
import { testRedis } from '@/lib/testing/redis'
import { BASE_URL, testRuntime } from '@/lib/testing/runtime'
import { createInvitation } from './invitations'
import { banAccount } from './standing'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const provider = await OidcProvider.open()
atEnd(() => provider.close())
const client = { OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret }
const settings = { DATABASE_URL: url, REDIS_URL: redis.url, OIDC_ISSUER: provider.issuer, ...client }
const ctx = await testRuntime(settings)
const invitingCtx = await testRuntime({ ...settings, SIGN_UP: 'invitation' })
const closedCtx = await testRuntime({ ...settings, SIGN_UP: 'closed' })

let people = 0
function person(given: Partial<Person> = {}): Person {
  people += 1
  return { sub: `person-${people}`, email: freshEmail(), email_verified: true, name: 'Olga', ...given }
}

/** Goes to the provider and comes back. */
async function signIn(visitor: Visitor, who: Person, path = '/sign-in/social'): Promise<Told> {
  const begun = await visitor.auth(path, { provider: 'oidc', callbackURL: '/dashboard', errorCallbackURL: '/sign-in' })
  const authorization = new URL(begun.body.url)
  expect(authorization.origin).toBe(provider.issuer)
  expect(authorization.searchParams.get('redirect_uri')).toBe(`${BASE_URL}/api/auth/callback/oidc`)
  const back = provider.agree(authorization, who)
  return visitor.auth(back.pathname.slice('/api/auth'.length) + back.search)
}

const me = async (visitor: Visitor) => (await visitor.auth('/get-session')).body?.user ?? null
const errorOf = (told: Told) => new URL(told.headers.get('location') ?? '', BASE_URL).searchParams.get('error')
const users = async () => Number((await connection.query('SELECT COUNT(*) AS n FROM User'))[0].n)

describe('signing in by the provider', () => {
  it('makes an account with a handle the first time, and finds it again', async () => {
    const who = person()
    const [first, again] = [new Visitor(ctx), new Visitor(ctx)]
    const told = await signIn(first, who)
    expect([told.status, told.headers.get('location')]).toEqual([302, '/dashboard'])
    const user = await me(first)
    expect(user).toMatchObject({ email: who.email, name: 'Olga', emailVerified: true, role: 'user', image: null })
    expect(user.username).toMatch(/^[1-9]\d{7}$/)
    await signIn(again, { ...who, email: freshEmail() })
    expect((await me(again)).id).toBe(user.id)
  })

  it('makes an account by a name that shows all it holds', async () => {
    const visitor = new Visitor(ctx)
    await signIn(visitor, person({ name: 'Ol\u202ega\nAdmin' }))
    expect(await me(visitor)).toMatchObject({ name: 'Olga Admin' })
    const nobody = person({ name: '\u200b\u202e' })
    await signIn(new Visitor(ctx), nobody)
    expect(await ctx.db.client.user.findUnique({ where: { email: nobody.email } })).toMatchObject({
      name: nobody.email.split('@')[0],
    })
  })

  it('is refused when the provider’s signature is not its own', async () => {
    const visitor = new Visitor(ctx)
    const before = await users()
    provider.forging = true
    const told = await signIn(visitor, person())
    provider.forging = false
    expect([told.status, errorOf(told), await me(visitor)]).toEqual([302, expect.any(String), null])
    expect(await users()).toBe(before)
  })

  it('does not open an account that someone else made for that address', async () => {
    const { email } = await new Visitor(ctx).signUp()
    for (const verified of [true, false]) {
      const visitor = new Visitor(ctx)
      const told = await signIn(visitor, person({ email, email_verified: verified }))
      expect([errorOf(told), await me(visitor)]).toEqual(['account_not_linked', null])
    }
  })

  it('does not open an account of the same, confirmed address before its owner links it, nor after it was unlinked', async () => {
    const owner = new Visitor(ctx)
    const { id, email } = await owner.signUp()
    await ctx.db.client.user.update({ where: { id }, data: { emailVerified: true } })
    const who = person({ email })
    const told = async () => errorOf(await signIn(new Visitor(ctx), who))
    expect(await told()).toBe('account_not_linked')
    await signIn(owner, who, '/link-social')
    expect(await told()).toBe(null)
    const { body: accounts } = await owner.auth('/list-accounts')
    const linked = accounts.find((account: { providerId: string }) => account.providerId === 'oidc')
    expect((await owner.auth('/unlink-account', { accountId: linked.id })).status).toBe(200)
    expect(await told()).toBe('account_not_linked')
  })

  it('opens an account that its owner has linked while signed in', async () => {
    const [owner, again] = [new Visitor(ctx), new Visitor(ctx)]
    const { id, email } = await owner.signUp()
    const who = person({ email })
    await signIn(owner, who, '/link-social')
    await signIn(again, who)
    expect((await me(again)).id).toBe(id)
  })

  it('is refused to a banned account', async () => {
    const [visitor, again, who] = [new Visitor(ctx), new Visitor(ctx), person()]
    await signIn(visitor, who)
    await banAccount(ctx, (await me(visitor)).id, { reason: 'spam', until: null })
    const told = await signIn(again, who)
    expect([told.status < 400 ? errorOf(told) : told.body.code, await me(again)]).toEqual(['BANNED_USER', null])
  })
})

describe('SIGN_UP holds for the provider’s people too', () => {
  const refused = async (own: Runtime, who: Person) => {
    const visitor = new Visitor(own)
    const before = await users()
    const told = await signIn(visitor, who)
    expect([await me(visitor), await users()]).toEqual([null, before])
    return errorOf(told)
  }
  const admin = { id: 'admin', name: '', email: '', handle: '10000000', role: 'admin' } as const

  it('closed: only those who have an account', async () => {
    expect(await refused(closedCtx, person())).toBe('SIGN_UP_CLOSED')
    const who = person()
    await signIn(new Visitor(ctx), who)
    const visitor = new Visitor(closedCtx)
    await signIn(visitor, who)
    expect(await me(visitor)).toMatchObject({ email: who.email })
  })

  it('invitation: those whose address is invited, where the provider vouches for it', async () => {
    const who = person()
    expect(await refused(invitingCtx, who)).toBe('INVITATION_NEEDED')
    await createInvitation(invitingCtx, admin, { email: who.email, days: 7 }, negotiate(''))
    expect(await refused(invitingCtx, { ...who, email_verified: false })).toBe('INVITATION_NEEDED')
    const visitor = new Visitor(invitingCtx)
    await signIn(visitor, who)
    expect(await me(visitor)).toMatchObject({ email: who.email })
    expect(await refused(invitingCtx, person({ email: who.email.replace('@', '+x@') }))).toBe('INVITATION_NEEDED')
  })
})

it('a provider that does not answer keeps nobody from signing in otherwise', async () => {
  // Takes connections and says nothing.
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  atEnd(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const own = await testRuntime({ ...settings, OIDC_ISSUER: `http://127.0.0.1:${port}` })
  const begun = performance.now()
  await new Visitor(own).signUp()
  expect(performance.now() - begun).toBeLessThan(5_000)
})
