import { hash as bcrypt } from '@node-rs/bcrypt'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertLinks } from '@/lib/links/insert'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { Limits } from '@/lib/net/limits'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, HOST, linkRow } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { hashPassword } from '@/lib/tools/password'
import { answer } from './answer'
import { PasswordTries, waitAfter } from './password-tries'

const { url } = await testDatabase()
const server = await testRedis()
const given = { DATABASE_URL: url, REDIS_URL: server.url, RATE_LIMIT: 'on' }
const [one, two] = [await testRuntime(given), await testRuntime(given)]
const passwordHash = await hashPassword('right')
/** Wrong, and told so without the costly hash. */
const WRONG = 'x'.repeat(300)
beforeAll(() => settled(one, two))

async function lockedLink(hash = passwordHash): Promise<string> {
  const link = linkRow({ code: freshCode(), passwordHash: hash })
  await insertLinks(one.db.client, [link])
  await one.registry.announceMany([{ full: link.fullShortUrl, version: link.version }])
  return link.code
}

async function post(ctx: typeof one, code: string, address: string, password: string): Promise<number> {
  const { status } = await answer(ctx.answering, {
    method: 'POST',
    path: `/${code}`,
    query: '',
    rawHeaders: ['Host', HOST],
    host: HOST,
    accept: '*/*',
    language: '',
    client: () => ({ ...UNKNOWN_CLIENT, address }),
    body: async () => `password=${password}`,
  })
  return status
}

const address = (i: number) => `198.51.${i >> 8}.${i & 255}`

describe("a link's password", () => {
  it('opens the link for those who know it, however many others guess', async () => {
    const code = await lockedLink()
    const guesses = Array.from({ length: 220 }, (_, i) => post(i % 2 === 0 ? one : two, code, address(i), WRONG))
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([403]))
    expect(await post(one, code, address(1_000), 'right')).toBe(303)
    expect(await post(two, code, address(1_001), 'right')).toBe(303)
  })

  it('can be given as often as one likes, by many people behind one address at once', async () => {
    const code = await lockedLink()
    const all = await Promise.all(Array.from({ length: 25 }, () => post(one, code, address(2_000), 'right')))
    expect(all).toEqual(Array(25).fill(303))
  })

  it('can be tried ten times in five minutes by one client, by whichever processes, though at once', async () => {
    const code = await lockedLink()
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, i) => post(i % 2 === 0 ? one : two, code, address(3_000), WRONG)),
    )
    expect(all.filter((status) => status === 403)).toHaveLength(10)
    expect(all.filter((status) => status === 429)).toHaveLength(20)
    expect(await post(one, code, address(3_000), 'right')).toBe(429)
    expect(await post(one, code, address(3_001), 'right')).toBe(303)
  })

  it('is compared so often in a minute for one client, over all links, though it is right', async () => {
    const tries = new PasswordTries(one.limits)
    let compared = 0
    const isRight = async () => {
      compared += 1
      return true
    }
    const all = Array.from({ length: 150 }, (_, i) => tries.try(address(6_000), `${HOST}/of-mine-${i % 30}`, isRight))
    const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected')
    expect([compared, refused.length]).toEqual([120, 30])
    expect(await tries.try(address(6_001), `${HOST}/of-mine-0`, isRight)).toBe(true)
  })

  it('that came with a costly hash keeps so many waiting and no more: the others are told to come again', async () => {
    const code = await lockedLink(await bcrypt('right', 12))
    const all = await Promise.all(Array.from({ length: 40 }, (_, i) => post(one, code, address(7_000 + i), 'wrong')))
    expect([403, 503].map((status) => all.filter((one) => one === status).length)).toEqual([21, 19])
    expect(await post(one, code, address(7_100), 'right')).toBe(303)
  })

  it('is looked at later and later, up to five seconds, for those alone who gave a wrong one', async () => {
    const waits: number[] = []
    // A count that Redis is late with is let go, and so is its wait.
    const limits = new Limits(await openRedis(server.url), true, one.config.LINKS_PER_MINUTE)
    const tries = new PasswordTries(limits, async (ms) => waits.push(ms))
    const full = `${HOST}/${freshCode()}`
    const guess = (client: string, right = false) => tries.try(client, full, async () => right)
    for (let i = 0; i < 200; i++) await guess(address(4_000 + i))
    expect(waits).toEqual([])
    expect(await guess(address(4_000), true)).toBe(true)
    expect(await guess(address(5_000), true)).toBe(true)
    expect(waits).toEqual([5_000])
    const growing = [0, 20, 21, 60, 100, 120, 1_000].map(waitAfter)
    expect(growing).toEqual([0, 0, 50, 2_000, 4_000, 5_000, 5_000])
  })
})
