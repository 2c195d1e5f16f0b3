import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { postLink } from '@/lib/api/links'
import { probeResponse } from '@/lib/api/web'
import { WRITE_TIMEOUT } from '@/lib/db/sql-gateway'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { freshEmail, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { proxyTo } from '@/lib/testing/proxy'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { hashPassword } from '@/lib/tools/password'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

const client = (number: number) => new Visitor(ctx, `198.51.100.${number}`)
const tryIn = async (number: number) => (await client(number).signIn(freshEmail(), 'a wrong password')).status

/** What others are answered until `work` is done: by /readyz, for a new link, and whether its redirect is known. */
async function othersDuring(work: Promise<unknown>): Promise<Set<string>> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  const answers = new Set<string>()
  for (let i = 0; !isOver || i === 0; i++) {
    const other = client(200)
    const ready = await other.ask(() => probeResponse('/readyz', new Request('http://terse.test/readyz')), 'GET', '/readyz')
    const made = await other.ask(postLink, 'POST', '/api/v1/links', { url: `https://example.com/${i}`, reuse: false })
    const full = `terse.test/${made.body.code}`
    ctx.lookup.invalidate(full)
    const { entry } = await ctx.lookup.find(full)
    answers.add(`${ready.status} ${made.status} ${entry.record?.kind}`)
  }
  return answers
}

describe('passwords that take long to compare', () => {
  it('are no outage of the database: sign-ins are answered in the end, and everybody else meanwhile', async () => {
    const { password } = await (await ctx.auth()).$context
    const { hash } = password
    // As where no thread is free for longer than a query may take.
    const free = delay(WRITE_TIMEOUT + 1_000)
    password.hash = async (text) => {
      await free
      return hash(text)
    }
    try {
      const tries = Promise.all(Array.from({ length: 12 }, (_, number) => tryIn(number)))
      expect(await othersDuring(tries)).toEqual(new Set(['200 201 link']))
      expect(await tries).toEqual(Array(12).fill(401))
      expect(ctx.db.breakerState).toBe('closed')
    } finally {
      password.hash = hash
    }
  }, 60_000)

  it('take turns: of sixty sign-ins at once a few compare at a time, one of each client, and all are answered', async () => {
    const { password } = await (await ctx.auth()).$context
    const { hash } = password
    let [now, most] = [0, 0]
    password.hash = async (text) => {
      most = Math.max(most, ++now)
      return hashPassword(text).finally(() => {
        now -= 1
      })
    }
    try {
      const tries = Promise.all(Array.from({ length: 60 }, (_, number) => tryIn(number % 6)))
      expect(await othersDuring(tries)).toEqual(new Set(['200 201 link']))
      expect(await tries).toEqual(Array(60).fill(401))
      expect(most).toBe(3)
    } finally {
      password.hash = hash
    }
  }, 60_000)
})

it('a right password that an outage comes after counts as no wrong one, nor does one that was not compared', async () => {
  const proxy = await proxyTo(url)
  const own = await testRuntime({ DATABASE_URL: proxy.url, REDIS_URL: redis.url, RATE_LIMIT: 'on' })
  const owner = new Visitor(own, '203.0.113.1')
  const { id, email } = await owner.signUp()
  owner.cookies.clear()
  const counted = async () => [
    await own.limits.counted('signIn', owner.address),
    await own.limits.counted('signInAccount', `name email ${email}`),
    await own.limits.counted('signInAccount', `account ${id}`),
  ]
  const { password } = await (await own.auth()).$context
  const { verify } = password
  password.verify = async (given) => {
    await proxy.cut()
    return verify(given)
  }
  expect((await owner.signIn(email)).status).toBe(503)
  expect(await counted()).toEqual([0, 0, 0])
  await proxy.mend()
  await expect
    .poll(
      () =>
        own.db.rows('SELECT 1').then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true)
  password.verify = async () => {
    throw new TerseError('unavailable', say('api.system.database'))
  }
  expect((await owner.signIn(email)).status).toBe(503)
  expect(await counted()).toEqual([0, 0, 0])
  password.verify = verify
  expect((await owner.signIn(email)).status).toBe(200)
})
