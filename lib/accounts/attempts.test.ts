import { describe, expect, it } from 'vitest'
import { removeAccount } from '@/lib/api/account'
import { authResponse } from '@/lib/api/auth'
import { limitKey } from '@/lib/net/address'
import { Limits } from '@/lib/net/limits'
import { setRuntime } from '@/lib/runtime'
import { freshEmail, hashesDuring, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { BASE_URL, settled, testRuntime } from '@/lib/testing/runtime'
import { totp } from '@/lib/testing/totp'

const { url } = await testDatabase()
const redis = await testRedis()
const open = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, RATE_LIMIT: 'on' })
const patient = new Limits(await openRedis(redis.url), true, ctx.config.LINKS_PER_MINUTE)
await settled(ctx)

const LIMIT = 60
const GUESSES = LIMIT + 5

let addresses = 0
const nextAddress = () => {
  addresses += 1
  return `2001:db8:${addresses.toString(16)}::1`
}
/** Somebody at an address of their own. */
const stranger = () => new Visitor(ctx, nextAddress())

/** Runs `work`. @returns how many passwords were hashed and compared meanwhile,  */
async function checked(work: () => Promise<unknown>): Promise<number> {
  const { password } = await (await ctx.auth()).$context
  const { verify } = password
  let count = 0
  // Every guess is wrong, and told so at once: what is looked at is how many come this far.
  password.verify = async () => {
    count += 1
    return false
  }
  try {
    await work()
  } finally {
    password.verify = verify
  }
  return count
}

/** Many guesses at one password, of which none is right. */
const guesses = (guess: () => Promise<unknown>) =>
  checked(async () => {
    for (let i = 0; i < GUESSES; i++) await guess()
  })

type Guess = (account: { email: string; handle: string }, i: number) => Promise<unknown>

const SHAPES: [string, Guess][] = [
  ['by the address', ({ email }) => stranger().signIn(email, 'a wrong password')],
  [
    'by the address in other letters',
    ({ email }, i) => stranger().signIn(i % 2 ? email.toUpperCase() : email, 'a wrong password'),
  ],
  ['by the handle', ({ handle }) => stranger().auth('/sign-in/username', { username: handle, password: 'a wrong password' })],
  [
    'by the handle with an address of anyone beside it',
    ({ handle }) => stranger().auth('/sign-in/username', { username: handle, password: 'a wrong password', email: freshEmail() }),
  ],
  [
    'by the address with a handle of anyone beside it',
    ({ email }, i) =>
      stranger().auth('/sign-in/email', { username: String(20_000_000 + i), email, password: 'a wrong password' }),
  ],
  [
    'by both in turn',
    ({ email, handle }, i) =>
      i % 2
        ? stranger().signIn(email, 'a wrong password')
        : stranger().auth('/sign-in/username', { username: handle, password: 'a wrong password' }),
  ],
  [
    'in the form of a page',
    ({ email }) =>
      posted('application/x-www-form-urlencoded', String(new URLSearchParams({ email, password: 'a wrong password' }))),
  ],
  ['as text', ({ email }) => posted('text/plain', JSON.stringify({ email, password: 'a wrong password' }))],
  [
    'with a field twice',
    ({ email }, i) => posted('application/json', `{"email":"${i}@example.com","email":"${email}","password":"a wrong password"}`),
  ],
]

/** Signs in with a body of any shape, from an address of its own. */
async function posted(type: string, body: string): Promise<Response> {
  setRuntime(ctx)
  const client = { address: nextAddress(), network: '', viaProxy: false }
  const headers = { 'content-type': type, origin: BASE_URL }
  return ctx.scope.run({ client }, () =>
    authResponse(new Request(`${BASE_URL}/api/auth/sign-in/email`, { method: 'POST', headers, body })),
  )
}

describe('guesses at the password of one account', () => {
  it.each(SHAPES)(`end at the limit: %s`, async (_shape, guess) => {
    const account = await new Visitor(open).signUp()
    // That so many of them end there is held below. Here it is that they count, in any shape.
    const left = 3
    const earlier = Array.from({ length: LIMIT - left }, () => patient.reserve('signInAccount', `account ${account.id}`))
    await Promise.all(earlier)
    const count = await checked(async () => {
      for (let i = 0; i < left + 5; i++) await guess(account, i)
    })
    // Fewer where the shape is refused before the password is looked at.
    expect(count).toBeLessThanOrEqual(left)
  })

  it('end at the limit when all are sent at once', async () => {
    const { email } = await new Visitor(open).signUp()
    const count = await checked(() =>
      Promise.all(Array.from({ length: GUESSES }, () => stranger().signIn(email, 'a wrong password'))),
    )
    expect(count).toBeLessThanOrEqual(LIMIT)
  })

  it('are limited too where a session asks for the password once more', async () => {
    const thief = new Visitor(open)
    const { handle } = await thief.signUp()
    const within = new Visitor(ctx, '2001:db8:ffff::1')
    for (const [name, value] of thief.cookies) within.cookies.set(name, value)
    const count = await checked(async () => {
      for (let i = 0; i < 15; i++) {
        await within.auth('/two-factor/enable', { password: 'a wrong password' })
        await within.auth('/change-password', { currentPassword: 'a wrong password', newPassword: 'another long password' })
        await within.ask(removeAccount, 'DELETE', '/api/v1/account', { handle, password: 'a wrong password', links: 'keep' })
      }
    })
    expect(count).toBeLessThanOrEqual(20)
  })
})

describe('the owner', () => {
  it('is not locked out by others where they signed in before, and is elsewhere until it is over', async () => {
    const home = stranger()
    const { email, handle } = await new Visitor(open).signUp()
    expect((await home.signIn(email)).status).toBe(200)
    await home.auth('/sign-out', {})
    await guesses(() => stranger().signIn(email, 'a wrong password'))
    expect((await stranger().signIn(email)).status).toBe(429)
    expect((await home.signIn(email)).status).toBe(200)
    await home.auth('/sign-out', {})
    expect((await home.auth('/sign-in/username', { username: handle, password: PASSWORD })).status).toBe(200)
  })

  it('is not locked out by others behind the same address', async () => {
    const { email } = await new Visitor(open).signUp()
    const [home, neighbour] = [new Visitor(ctx, '203.0.113.9'), new Visitor(ctx, '203.0.113.9')]
    expect((await home.signIn(email)).status).toBe(200)
    for (let i = 0; i < 25; i++) await neighbour.signIn(email, 'a wrong password')
    expect((await neighbour.signIn(email)).status).toBe(429)
    expect((await home.signIn(email)).status).toBe(200)
  })

  it('may sign in as often as they like: only what fails counts', async () => {
    const { email } = await new Visitor(open).signUp()
    const visitor = new Visitor(ctx, '203.0.113.10')
    for (let i = 0; i < 25; i++) {
      visitor.cookies.clear()
      expect((await visitor.signIn(email)).status).toBe(200)
    }
  })

  it('may sign in so often in a minute, with the right password too, and has so many sessions: the oldest end', async () => {
    const { id, email } = await new Visitor(open).signUp()
    const { password } = await (await ctx.auth()).$context
    const { verify } = password
    password.verify = async () => true
    try {
      const statuses: number[] = []
      for (let i = 0; i < 125; i++) statuses.push((await stranger().signIn(email)).status)
      expect(statuses).toEqual([...Array(120).fill(200), ...Array(5).fill(429)])
    } finally {
      password.verify = verify
    }
    expect(await ctx.db.client.session.count({ where: { userId: id } })).toBe(100)
    const one = stranger()
    for (let i = 0; i < 120; i++) await ctx.limits.consume('attempts', `client ${limitKey(one.address)}`)
    expect((await one.signIn((await new Visitor(open).signUp()).email)).status).toBe(429)
  })

  it('is not found by a handle: tries under one name do not tell which other name is the same account’s', async () => {
    const { email, handle } = await new Visitor(open).signUp()
    const guess = (name: string) =>
      name.includes('@')
        ? stranger().signIn(name, 'a wrong password')
        : stranger().auth('/sign-in/username', { username: name, password: 'a wrong password' })
    expect(await guesses(() => guess(handle))).toBe(LIMIT)
    expect((await guess(handle)).status).toBe(429)
    const tell = async (name: string) => {
      const { status, body } = await guess(name)
      return [status, body]
    }
    const hashes = await hashesDuring(ctx, async () => {
      expect(await tell(email)).toEqual(await tell(freshEmail()))
    })
    // As costly as where there is no such account.
    expect(hashes).toBe(2)
    expect((await stranger().signIn(email)).status).toBe(401)
  })

  it('gives no free guesses to one who has the mark of another account’s browser, or a forged one', async () => {
    const [mine, victim] = [await new Visitor(open).signUp(), await new Visitor(open).signUp()]
    const thief = stranger()
    expect((await thief.signIn(mine.email)).status).toBe(200)
    const marks = [...thief.cookies].filter(([name]) => /device/.test(name))
    expect(marks).not.toEqual([])
    await guesses(() => stranger().signIn(victim.email, 'a wrong password'))
    const [[name, value]] = marks as [[string, string]]
    for (const forged of [value, value.replace(/^[^.]+/, 'AAAAAAAAAAAAAAAAAAAAAA'), `${value}x`, '', 'a.b', value.slice(0, -1)]) {
      const again = stranger()
      again.cookies.set(name, forged)
      expect((await again.signIn(victim.email, PASSWORD)).status).toBe(429)
    }
  })
})

describe('guesses at the second factor', () => {
  it('end at a limit, over all challenges, and do not lock out the owner', async () => {
    const owner = new Visitor(open)
    const { email } = await owner.signUp()
    const { body: enabled } = await owner.auth('/two-factor/enable', { password: PASSWORD })
    expect((await owner.auth('/two-factor/verify-totp', { code: totp(enabled.totpURI, -1) })).status).toBe(200)
    const home = stranger()
    await home.signIn(email)
    expect((await home.auth('/two-factor/verify-totp', { code: totp(enabled.totpURI) })).status).toBe(200)
    await home.auth('/sign-out', {})
    const wrong = totp(enabled.totpURI) === '000000' ? '111111' : '000000'
    const statuses: number[] = []
    for (let i = 0; i < 8; i++) {
      const thief = stranger()
      await thief.signIn(email)
      for (let j = 0; j < 3; j++) {
        const path = j === 1 ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
        statuses.push((await thief.auth(path, { code: wrong })).status)
      }
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
    expect(statuses.at(-1)).toBe(429)
    await home.signIn(email)
    expect((await home.auth('/two-factor/verify-totp', { code: totp(enabled.totpURI, 1) })).status).toBe(200)
  })
})
