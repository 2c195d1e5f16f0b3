import { expect, it } from 'vitest'
import { getAccount } from '@/lib/api/account'
import { negotiate } from '@/lib/i18n/languages'
import { PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { identify, identifyByCookie } from './identify'
import { createKey, listKeys } from './keys'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)

const ACCOUNT = '/api/v1/account'
const byKey = (key: string) => new Visitor(ctx).ask(getAccount, 'GET', ACCOUNT, undefined, { authorization: `Bearer ${key}` })
const cookiesOf = (visitor: Visitor) =>
  new Headers({ cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })

it('64 requests at once by one key are all answered, and its use is noted', async () => {
  const { id } = await new Visitor(ctx).signUp()
  const { key = '' } = await createKey(ctx, id, { name: 'script', scope: 'read', expiresInDays: null }, negotiate(''))
  const answers = await Promise.all(Array.from({ length: 64 }, () => byKey(key)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(64)
  const [row] = await listKeys(ctx, id)
  expect(Date.parse(row?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

it('a key that was made by better-auth’s plugin, as earlier releases did, is good still', async () => {
  const { id } = await new Visitor(ctx).signUp()
  const hash = 'kh6NdD3PZKbR65vA_5BtU3zpa8FvWeifJfYbmf7Dejo'
  const permissions = '{"links":["read"]}'
  const data = { id: 'former', referenceId: id, key: hash, permissions, createdAt: new Date(), updatedAt: new Date() }
  await ctx.db.client.apiKey.create({ data })
  expect((await byKey(`terse_${'aB'.repeat(32)}`)).status).toBe(200)
  expect((await byKey(`terse_${'Ab'.repeat(32)}`)).status).toBe(401)
})

it('what was taken back elsewhere counts at once, though it was good a moment ago', async () => {
  const visitor = new Visitor(ctx)
  const { id } = await visitor.signUp()
  const { key = '', id: keyId } = await createKey(ctx, id, { name: 'script', scope: 'write', expiresInDays: 1 }, negotiate(''))
  const keyStatus = async () => (await byKey(key)).status
  const sessionStatus = async () => (await visitor.ask(getAccount, 'GET', ACCOUNT)).status
  expect([await keyStatus(), await sessionStatus()]).toEqual([200, 200])
  await connection.query('UPDATE ApiKey SET enabled = FALSE WHERE id = ?', [keyId])
  expect(await keyStatus()).toBe(401)
  await connection.query('UPDATE ApiKey SET enabled = TRUE WHERE id = ?', [keyId])
  expect(await keyStatus()).toBe(200)
  await connection.query('UPDATE ApiKey SET expiresAt = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE id = ?', [keyId])
  await connection.query('UPDATE Session SET expiresAt = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE userId = ?', [id])
  expect([await keyStatus(), await sessionStatus()]).toEqual([401, 401])
})

it('a cookie with another signature opens nothing', async () => {
  const visitor = new Visitor(ctx)
  await visitor.signUp()
  expect((await identify(ctx, cookiesOf(visitor))).actor.account).not.toBeNull()
  const [[name, value] = ['', '']] = visitor.cookies
  visitor.cookies.set(
    name,
    value.replace(/.(?=\.)/, (c) => (c === 'a' ? 'b' : 'a')),
  )
  expect((await identify(ctx, cookiesOf(visitor))).actor.account).toBeNull()
  visitor.cookies.set(name, value.replace(/\..*$/, '.AAAA'))
  expect((await identify(ctx, cookiesOf(visitor))).actor.account).toBeNull()
})

it('a session that is used stays: the answers of the API prolong it, pages only look', async () => {
  const { email, id } = await new Visitor(ctx).signUp()
  const visitor = new Visitor(ctx)
  await visitor.auth('/sign-in/email', { email, password: PASSWORD })
  const age = () => connection.query('UPDATE Session SET expiresAt = UTC_TIMESTAMP() + INTERVAL 10 DAY WHERE userId = ?', [id])
  const ends = async () => {
    const [row] = await ctx.db.client.session.findMany({ where: { userId: id }, orderBy: { createdAt: 'desc' }, take: 1 })
    return (row?.expiresAt.getTime() ?? 0) - Date.now()
  }
  await age()
  expect((await identify(ctx, cookiesOf(visitor))).cookies).toEqual([])
  expect(await ends()).toBeLessThan(11 * 86_400_000)
  const { headers } = await visitor.ask(getAccount, 'GET', ACCOUNT)
  expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^terse\.session_token=.*Max-Age=2592000/)])
  expect(await ends()).toBeGreaterThan(29 * 86_400_000)
})

it.each(['Basic YTpi', 'Bearer terse_nope', 'Bearer', 'nonsense'])(
  'a page is shown by the cookie alone, whatever “%s” means',
  async (header) => {
    const visitor = new Visitor(ctx)
    const { id } = await visitor.signUp()
    const headers = cookiesOf(visitor)
    headers.set('authorization', header)
    expect((await identifyByCookie(ctx, headers)).actor.account?.id).toBe(id)
    expect((await identifyByCookie(ctx, new Headers({ authorization: header }))).actor.account).toBeNull()
  },
)
