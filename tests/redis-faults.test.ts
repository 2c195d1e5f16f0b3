import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, eventually, privateServers, query, type Servers, watch } from './harness'

let servers: Servers
let one: App
let two: App

beforeAll(async () => {
  servers = await privateServers()
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  one = await App.start(env)
  two = await App.start(env)
})

afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()])
  await servers?.stop()
})

const destination = () => `https://example.com/${Math.random()}`
const tierCount = async (app: App, tier: string) =>
  Number(
    new RegExp(`terse_redirect_duration_seconds_count\\{outcome="not-found",tier="${tier}"\\} (\\d+)`).exec(
      (await app.get('/metrics')).body,
    )?.[1] ?? 0,
  )
const outboxSize = async () => Number((await query<{ n: number }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Outbox'))[0]?.n)

/** Until an unknown code is answered by the filter again, by both processes. */
async function trusted(): Promise<void> {
  for (const app of [one, two]) {
    await eventually(
      async () => {
        const before = await tierCount(app, 'filter')
        await app.get(`/never${Math.random().toString(36).slice(2)}`)
        return (await tierCount(app, 'filter')) - before
      },
      (grown) => grown === 1,
    )
  }
}

describe('Redis away', () => {
  test('stopped: links redirect, unknown codes are 404, links are made and edited, and all is known again afterwards', async () => {
    await trusted()
    const before = await one.create({ url: destination() })
    await servers.redis.stop()
    expect((await two.get(`/${before.code}`)).status).toBe(302)
    expect((await one.get('/surely-not-there')).status).toBe(404)

    const made = await one.create({ url: destination() })
    // Given to a client, so no process may deny it, not even once.
    expect((await two.get(`/${made.code}`)).headers.location).toBe(made.url)
    const edited = destination()
    expect((await one.manage('PATCH', before, { url: edited })).status).toBe(200)
    await eventually(
      () => two.get(`/${before.code}`),
      (answer) => answer.headers.location === edited,
      1_000,
    )
    expect((await one.manage('DELETE', made)).status).toBe(204)
    await eventually(
      () => two.get(`/${made.code}`),
      (answer) => answer.status === 410,
      1_000,
    )
    expect(await outboxSize()).toBeGreaterThan(0)

    await servers.redis.start()
    await eventually(outboxSize, (rows) => rows === 0)
    await trusted()
    expect((await two.get(`/${before.code}`)).headers.location).toBe(edited)
    expect((await two.get(`/${made.code}`)).status).toBe(410)
  })

  test('frozen: redirects and creation go on, and no link is denied', async () => {
    const link = await one.create({ url: destination() })
    await servers.redis.kill('SIGSTOP')
    try {
      const begun = Date.now()
      expect((await two.get(`/${link.code}`)).status).toBe(302)
      expect(Date.now() - begun).toBeLessThan(2_000)
      const made = await one.create({ url: destination() })
      expect((await two.get(`/${made.code}`)).headers.location).toBe(made.url)
      expect((await two.get('/surely-not-there')).status).toBe(404)
    } finally {
      await servers.redis.kill('SIGCONT')
    }
    await eventually(outboxSize, (rows) => rows === 0)
    await trusted()
  })
})

describe('Redis forgetful', () => {
  test('flushed in the middle of use: not one wrong answer, and the filter comes back by itself', async () => {
    const links = await Promise.all(Array.from({ length: 20 }, () => one.create({ url: destination() })))
    let turn = 0
    const asked = watch(
      () => [one, two][turn++ % 2]?.get(`/${links[turn % links.length]?.code}`) ?? one.get('/'),
      (answer) => answer.status === 302,
    )
    const client = new Redis(servers.redisUrl)
    await client.flushall()
    await client.quit()
    await trusted()
    const made = await two.create({ url: destination() })
    expect((await one.get(`/${made.code}`)).status).toBe(302)
    const { asked: times, wrong } = await asked.stop()
    expect(wrong).toEqual([])
    expect(times).toBeGreaterThan(20)
  })

  test('one filter evicted, its marker left: no link of that shard is denied', async () => {
    await trusted()
    const links = await Promise.all(Array.from({ length: 40 }, () => one.create({ url: destination() })))
    const client = new Redis(servers.redisUrl)
    const keys = (await client.keys('{codes:*')).filter((key) => /:(bloom|link:.*)$/.test(key))
    await client.del(...keys)
    await client.quit()
    // A third process has none of them in memory.
    const three = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
    for (const link of links) expect((await three.get(`/${link.code}`)).status).toBe(302)
    await three.stop()
    await trusted()
  })

  test('restored from an older copy: every link made since redirects, edits and deletions since hold', async () => {
    await trusted()
    const folder = join(servers.dir, 'redis')
    const edited = await one.create({ url: destination() })
    const deleted = await one.create({ url: destination() })
    await servers.redis.stop()
    cpSync(folder, `${folder}.old`, { recursive: true })
    await servers.redis.start()
    await trusted()

    const made = await Promise.all(Array.from({ length: 20 }, () => one.create({ url: destination() })))
    const target = destination()
    expect((await one.manage('PATCH', edited, { url: target })).status).toBe(200)
    expect((await one.manage('DELETE', deleted)).status).toBe(204)
    let turn = 0
    const asked = watch(
      () => two.get(`/${made[turn++ % made.length]?.code}`),
      (answer) => answer.status === 302,
    )
    await servers.redis.kill('SIGKILL')
    rmSync(folder, { recursive: true })
    cpSync(`${folder}.old`, folder, { recursive: true })
    await servers.redis.start()
    // A process that has nothing in memory sees what the old copy would say.
    const three = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
    for (const link of made) expect((await three.get(`/${link.code}`)).status).toBe(302)
    expect((await three.get(`/${edited.code}`)).headers.location).toBe(target)
    expect((await three.get(`/${deleted.code}`)).status).toBe(410)
    await trusted()
    for (const link of made) expect((await three.get(`/${link.code}`)).status).toBe(302)
    expect((await three.get(`/${edited.code}`)).headers.location).toBe(target)
    expect((await asked.stop()).wrong).toEqual([])
    await three.stop()
  })
})
