import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { App, destination, eventually, ownServers, query, type Servers, unknownCode, watch } from './harness'

let servers: Servers
let one: App
let two: App
/** Keeps nothing in memory, so that each of its answers is what Redis and MySQL make of the moment. */
let cold: App

beforeAll(async () => {
  servers = await ownServers()
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  one = await App.start(env)
  two = await App.start(env)
  cold = await App.start({ ...env, ROLE: 'edge', CACHE_MB: '0' })
})

afterAll(async () => {
  for (const app of [one, two, cold]) expect(app?.log).not.toMatch(/unhandled|"level":60/i)
  expect(await Promise.all([one?.stop(), two?.stop(), cold?.stop()])).toEqual([0, 0, 0])
  await servers?.stop()
})

const trusted = () => Promise.all([one, two, cold].map((app) => app.trusted()))
beforeEach(async () => {
  await trusted()
})

const outboxSize = async () => Number((await query<{ n: number }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Outbox'))[0]?.n)
const makeLinks = (count: number, app = one) =>
  Promise.all(Array.from({ length: count }, () => app.create({ url: destination() })))

async function withRedis<T>(work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(servers.redisUrl)
  return work(client).finally(() => client.disconnect())
}

/** Asks for all of `links` in turn, of each process, from now until told to stop: each must lead where it should. */
function watchAll(links: { code: string; url: string }[], apps = [one, two, cold]) {
  const watches = apps.map((app) => {
    let turn = 0
    let asked = links[0]
    return watch(
      () => {
        asked = links[turn++ % links.length]
        return app.get(`/${asked?.code}`)
      },
      ({ headers }) => headers.location === asked?.url,
    )
  })
  return {
    /** After each link was asked for at least once in each process. */
    async stop() {
      await Promise.all(
        watches.map((each) =>
          eventually(
            () => each.asked,
            (asked) => asked > links.length,
          ),
        ),
      )
      const results = await Promise.all(watches.map((each) => each.stop()))
      expect(results.flatMap(({ wrong }) => wrong)).toEqual([])
    },
  }
}

describe('Redis away', () => {
  test('stopped: links redirect, unknown codes are 404, links are made and edited, and all is known again afterwards', async () => {
    const links = await makeLinks(10)
    const [edited, deleted] = await makeLinks(2)
    if (!edited || !deleted) throw new Error('no links')
    const asked = watchAll(links)
    await servers.redis.stop()
    for (const app of [one, two, cold]) expect((await app.get(`/${unknownCode()}`)).status).toBe(404)

    const made = await one.create({ url: destination() })
    // Given to a client, so no process may deny it, not even once.
    for (const app of [two, cold]) expect((await app.get(`/${made.code}`)).headers.location).toBe(made.url)
    expect((await one.api('POST', '/links', { url: destination(), code: made.code })).status).toBe(409)
    const url = destination()
    expect((await one.manage('PATCH', edited, { url })).status).toBe(200)
    await eventually(
      () => two.get(`/${edited.code}`),
      ({ headers }) => headers.location === url,
      1_000,
    )
    expect((await one.manage('DELETE', deleted)).status).toBe(204)
    await eventually(
      () => two.get(`/${deleted.code}`),
      ({ status }) => status === 410,
      1_000,
    )
    expect(await outboxSize()).toBeGreaterThanOrEqual(3)

    await servers.redis.start()
    const since = watchAll([made, { ...edited, url }])
    await eventually(outboxSize, (rows) => rows === 0)
    await trusted()
    await since.stop()
    await asked.stop()
    for (const app of [one, two, cold]) expect((await app.get(`/${deleted.code}`)).status).toBe(410)
    expect((await two.api('POST', '/links', { url, code: deleted.code })).status).toBe(409)
    // Not only MySQL knows: each is in Redis as it is now. MySQL is asked as well when the outbox was last read too long ago.
    for (const known of [made, { ...edited, url }]) {
      const byRedis = async () => {
        const before = await cold.answered('redirect', 'redis')
        expect((await cold.get(`/${known.code}`)).headers.location).toBe(known.url)
        return (await cold.answered('redirect', 'redis')) - before
      }
      await eventually(byRedis, (grown) => grown === 1)
    }
  })

  test('frozen: redirects and creation go on quickly, and no link is denied', async () => {
    const links = await makeLinks(20)
    const asked = watchAll(links)
    let since: ReturnType<typeof watchAll> | undefined
    await servers.redis.kill('SIGSTOP')
    try {
      for (const { code, url } of links) {
        const begun = Date.now()
        expect((await cold.get(`/${code}`)).headers.location).toBe(url)
        expect(Date.now() - begun).toBeLessThan(1_500)
      }
      const begun = Date.now()
      const made = [await one.create({ url: destination() })]
      expect(Date.now() - begun).toBeLessThan(4_000)
      expect((await two.get(`/${unknownCode()}`)).status).toBe(404)
      // Enough of them for the breaker to open: those are claims that Redis never hears of.
      made.push(...(await makeLinks(20)))
      since = watchAll(made)
      for (const { code, url } of made) expect((await cold.get(`/${code}`)).headers.location).toBe(url)
    } finally {
      await servers.redis.kill('SIGCONT')
    }
    // From its first moment on Redis is believed only for what it has heard.
    await eventually(outboxSize, (rows) => rows === 0)
    await trusted()
    await since?.stop()
    await asked.stop()
  })
})

describe('Redis forgetful', () => {
  const folder = () => join(servers.dir, 'redis')

  test.each([
    ['flushed', () => withRedis((client) => client.flushall())],
    [
      'restarted empty',
      async () => {
        await servers.redis.kill('SIGKILL')
        rmSync(folder(), { recursive: true })
        mkdirSync(folder())
        await servers.redis.start()
      },
    ],
  ])('%s in the middle of use: not one wrong answer, and the filter comes back by itself', async (_how, forget) => {
    const links = await makeLinks(20)
    const asked = watchAll(links)
    const unknown = watch(
      () => cold.get(`/${unknownCode()}`),
      ({ status }) => status === 404,
    )
    let forgotten = false
    const made: { code: string; url: string }[] = []
    const creating = (async () => {
      // From before until some time after, so that links are made in every moment of it.
      for (let after = 0; after < 10; after += forgotten ? 1 : 0) {
        const link = await one.create({ url: destination() })
        expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
        made.push(link)
      }
    })()
    await eventually(
      () => made.length,
      (count) => count > 2,
    )
    await forget()
    forgotten = true
    await creating
    await trusted()
    await asked.stop()
    expect((await unknown.stop()).wrong).toEqual([])
    for (const link of [...links, ...made]) expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
  })

  test('one part evicted, its marker left: no link of that shard is denied', async () => {
    const links = await makeLinks(40)
    const asked = watchAll(links, [cold])
    const gone = await withRedis(async (client) => {
      const keys = (await client.keys('{codes:*')).filter((key) => /:(bloom|link:.*)$/.test(key))
      return client.del(...keys)
    })
    expect(gone).toBeGreaterThan(40)
    await trusted()
    await asked.stop()
    for (const link of links) expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
  })

  test('restored from an older copy: every link made since redirects, edits and deletions since hold, at every moment', async () => {
    const edited = await one.create({ url: destination() })
    const deleted = await one.create({ url: destination() })
    const restored = await one.create({ url: destination() })
    await one.manage('DELETE', restored)
    await servers.redis.stop()
    cpSync(folder(), `${folder()}.old`, { recursive: true })
    await servers.redis.start()
    await trusted()

    const made = await makeLinks(20)
    const url = destination()
    expect((await one.manage('PATCH', edited, { url })).status).toBe(200)
    expect((await one.manage('DELETE', deleted)).status).toBe(204)
    expect((await one.manage('POST', restored, undefined, '/restore')).status).toBe(200)
    const asked = watchAll([...made, { ...edited, url }, restored])
    const askedDeleted = watch(
      () => cold.get(`/${deleted.code}`),
      ({ status }) => status === 410,
    )
    await servers.redis.kill('SIGKILL')
    rmSync(folder(), { recursive: true })
    cpSync(`${folder()}.old`, folder(), { recursive: true })
    await servers.redis.start()
    await trusted()
    const before = await cold.answered('redirect', 'redis')
    for (const link of [...made, { ...edited, url }, restored]) {
      expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
    }
    // By then Redis itself has the new records again: not every answer came from MySQL.
    expect(await cold.answered('redirect', 'redis')).toBeGreaterThan(before)
    await asked.stop()
    expect((await askedDeleted.stop()).wrong).toEqual([])
    expect((await two.api('POST', '/links', { url, code: deleted.code })).status).toBe(409)
  })
})
