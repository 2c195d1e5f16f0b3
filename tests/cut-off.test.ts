import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, destination, eventually, ownServers, query, type Servers, watch } from './harness'
import { startProxy, type TcpProxy } from './proxy'

let servers: Servers
let env: { DATABASE_URL: string; REDIS_URL: string }
let one: App
/** To Redis from the process that is cut off. */
let proxy: TcpProxy
let lone: App

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  one = await App.start(env)
  proxy = await startProxy(servers.redis.port)
  lone = await App.start({ ...env, REDIS_URL: servers.redisUrl.replace(`:${servers.redis.port}`, `:${proxy.port}`) })
})

afterAll(async () => {
  expect(await Promise.all([one?.stop(), lone?.stop()])).toEqual([0, 0])
  await proxy?.close()
  await servers?.stop()
})

describe.each(['cut', 'freeze'] as const)('only one process is off Redis (%s)', (how) => {
  /** Holds when `by` leads from this code to `url`, or answers `status`, within a second. */
  const sees = (by: App, { code }: { code: string }, expected: { url?: string; status?: number }) =>
    eventually(
      () => by.get(`/${code}`),
      ({ status, headers }) => (expected.url ? headers.location === expected.url : status === expected.status),
      1_000,
    )

  /** How many changes Redis has not heard, as far as this process has read. */
  const unheard = async (app: App) => JSON.parse((await app.get('/readyz')).body).dependencies.redis.unheardChanges as number

  test('what either changes or makes is right in both within a second, and nothing else is denied meanwhile', async () => {
    const make = () => one.create({ url: destination() })
    const untouched = await make()
    const asked = [one, lone].map((app) =>
      watch(
        () => app.get(`/${untouched.code}`),
        ({ headers }) => headers.location === untouched.url,
      ),
    )
    for (const [near, far] of [
      [one, lone],
      [lone, one],
    ] as const) {
      proxy.heal()
      await Promise.all([one.trusted(), lone.trusted()])
      const [edited, deleted, disabled] = [await make(), await make(), await make()]
      // In the memory of both.
      for (const app of [one, lone]) for (const { code } of [edited, deleted, disabled]) await app.get(`/${code}`)
      proxy[how]()
      const url = destination()
      expect((await near.manage('PATCH', edited, { url })).status).toBe(200)
      await sees(far, edited, { url })
      expect((await near.manage('DELETE', deleted)).status).toBe(204)
      await sees(far, deleted, { status: 410 })
      expect((await near.manage('POST', deleted, undefined, '/restore')).status).toBe(200)
      await sees(far, deleted, { url: deleted.url })
      expect((await near.manage('PATCH', disabled, { enabled: false })).status).toBe(200)
      await sees(far, disabled, { status: 410 })
      for (let i = 0; i < 3; i++) {
        // At the worst moment: when the other has just read that there is nothing that Redis has not heard.
        await eventually(
          () => unheard(far),
          (rows) => rows === 0,
        )
        const made = await near.create({ url: destination() })
        // Given to a client, so it may be denied nowhere, not even once.
        for (const app of [far, near]) expect((await app.get(`/${made.code}`)).headers.location).toBe(made.url)
      }
      proxy.heal()
      await Promise.all([one.trusted(), lone.trusted()])
      const rows = await query<{ n: number }>(servers.databaseUrl, 'SELECT COUNT(*) AS n FROM Outbox')
      expect(rows[0]?.n).toBe(0)
      for (const app of [one, lone]) {
        expect((await app.get(`/${edited.code}`)).headers.location).toBe(url)
        expect((await app.get(`/${disabled.code}`)).status).toBe(410)
      }
      // And hears of changes as before.
      expect((await near.manage('PATCH', edited, { url: edited.url })).status).toBe(200)
      await sees(far, edited, { url: edited.url })
    }
    for (const { wrong, asked: times } of await Promise.all(asked.map((each) => each.stop()))) {
      expect(wrong).toEqual([])
      expect(times).toBeGreaterThan(20)
    }
  })
})
