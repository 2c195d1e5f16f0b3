import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ALL_PARTITIONS, partitionKeys } from '@/lib/clicks/stream'
import { shardKeys } from '@/lib/codes/shards'
import { replicated, testCluster } from '@/lib/testing/cluster'
import { appDatabase } from '@/lib/testing/database'
import { Browser } from './browser'
import { expectCountedOnce, Load, uncounted } from './clicks'
import { App, destination, eventually } from './harness'
import { Traffic } from './traffic'

// A failover, and as long again until replicas are in step.
vi.setConfig({ testTimeout: 90_000 })

const MASTERS = 3
const cluster = await testCluster({ replicas: true })
const database = await appDatabase()
const servers = { databaseUrl: database.url }
const folder = mkdtempSync(join(tmpdir(), 'terse-cluster-'))
const apps: App[] = []
let count = 0

async function start(settings: Record<string, string> = {}): Promise<App> {
  const own = { DATABASE_URL: database.url, REDIS_URL: cluster.url, DATA_DIR: join(folder, String(count++)) }
  const app = await App.start({ ...own, ...settings })
  apps.push(app)
  return app
}

const stopAll = () => Promise.all(apps.splice(0).map((app) => app.stop()))
beforeAll(() => masters().then((found) => replicated(found.map(clientOf))))
afterEach(stopAll)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})

const clientOf = (node: number) => cluster.clients[node] as Redis
const slotOf = async (key: string) => Number(await clientOf(await anyNode()).call('CLUSTER', 'KEYSLOT', key))

/** The number of a node that answers. */
async function anyNode(): Promise<number> {
  const alive = cluster.nodes.findIndex(({ pid }) => pid !== undefined)
  return alive
}

/** Numbers of the nodes that are masters of some slots now, as they say themselves. */
async function masters(): Promise<number[]> {
  const roles = await Promise.all(
    cluster.clients.map((client, i) =>
      cluster.nodes[i]?.pid === undefined ? 'gone' : client.info('replication').then((info) => /role:(\w+)/.exec(info)?.[1]),
    ),
  )
  return roles.flatMap((role, i) => (role === 'master' ? [i] : []))
}

/** The master that has a key, and a replica of it. */
async function ownerOf(key: string): Promise<{ master: number; replica: number }> {
  const slot = await slotOf(key)
  const ranges = (await clientOf(await anyNode()).call('CLUSTER', 'SLOTS')) as [number, number, ...[string, number][]][]
  const [, , ...nodes] = ranges.find(([first, last]) => first <= slot && slot <= last) ?? [0, 0]
  const [master = -1, replica = -1] = nodes.map(([, port]) => cluster.nodes.findIndex((node) => node.port === port))
  return { master, replica }
}

const leads = (node: number) => eventually(masters, (found) => found.includes(node), 30_000)

/** Of keys in several slots, and of scripts that failed, as one does that touches a key of another node. */
async function slotErrors(): Promise<string[]> {
  const stats = await Promise.all((await masters()).map((node) => clientOf(node).info('errorstats', 'commandstats')))
  return stats.join('\n').match(/^(errorstat_CROSSSLOT:|cmdstat_eval(sha)?:.*failed_calls=[1-9]).*$/gm) ?? []
}

test('all that Terse asks of Redis touches one slot at a time, and clicks are spread over the masters', async () => {
  const app = await start({ ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery' })
  await app.trusted()
  const browser = new Browser(app)
  const asked = async (method: string, path: string, body?: unknown, type?: string) => {
    const answer = await browser.ask(method, path, body, type)
    expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status) => status < 300), expect.anything()])
    return answer
  }
  await asked('POST', '/api/auth/sign-in/email', { email: 'ada@example.com', password: 'correct horse battery' })
  await asked('POST', '/api/auth/sign-up/email', { name: 'Bob', email: 'bob@example.com', password: 'correct horse battery' })
  await asked('POST', '/api/auth/sign-in/email', { email: 'ada@example.com', password: 'correct horse battery' })
  const links = await Promise.all(Array.from({ length: 40 }, () => app.create({ url: destination() })))
  for (const [i, link] of links.entries()) {
    expect((await app.get(`/${link.code}`)).status).toBe(302)
    if (i % 4 === 0) expect((await app.manage('PATCH', link, { url: destination() })).status).toBe(200)
    if (i % 4 === 1) expect((await app.manage('DELETE', link)).status).toBe(204)
    if (i % 8 === 1) expect((await app.manage('POST', link, undefined, '/restore')).status).toBe(200)
  }
  await asked('POST', '/api/v1/spoken', { url: destination(), digits: 4, ttl: 3600 })
  await asked('POST', '/api/v1/reports', { shortUrl: `localhost/${links[0]?.code}`, reason: 'spam' })
  await asked('POST', '/api/v1/links/import', `${destination()}\n${destination()}`, 'text/csv')
  await asked('POST', '/api/v1/admin/rebuild')
  await app.trusted()
  await eventually(
    () => app.metric('terse_click_backlog_batches'),
    (waiting) => waiting === 0,
  )
  expect(await slotErrors()).toEqual([])

  const owners = new Set<number>()
  for (const { stream } of ALL_PARTITIONS.map(partitionKeys)) {
    const { master } = await ownerOf(stream)
    const facts = (await clientOf(master).call('XINFO', 'STREAM', stream)) as unknown[]
    expect(facts[facts.indexOf('entries-added') + 1]).toBeGreaterThan(0)
    owners.add(master)
  }
  expect(owners.size).toBe(MASTERS)
})

describe('under load', () => {
  /** Two whole processes and one that keeps nothing in memory, and what people do with them. */
  async function underLoad(): Promise<Traffic> {
    const all = [await start({ CLICK_REPLICAS: '1' }), await start({ CLICK_REPLICAS: '1' })]
    all.push(await start({ CLICK_REPLICAS: '1', CACHE_MB: '0' }))
    for (const app of all) await app.trusted()
    const link = await (all[0] as App).create({ url: destination() })
    const traffic = new Traffic(all, link)
    await traffic.more()
    return traffic
  }

  async function expectAllWell(traffic: Traffic): Promise<void> {
    await traffic.stop()
    expect(traffic.wrong).toEqual([])
    expect(traffic.clicks.wrong).toEqual([])
    // Redis is never what a change waits for; MySQL may be, on a busy machine.
    expect(traffic.refusedEarly).toBe(0)
    await expectCountedOnce(servers, traffic.clicks)
    for (const app of apps) {
      expect(await app.metric('terse_clicks_captured_total{to="lost"}')).toBe(0)
      for (const { code, url } of traffic.created) expect((await app.get(`/${code}`)).headers.location).toBe(url)
    }
  }

  test('a master is killed: its replica leads, changes are seen within a second, and every click counts once', async () => {
    const traffic = await underLoad()
    const { master, replica } = await ownerOf(partitionKeys(0).stream)
    await cluster.nodes[master]?.kill('SIGKILL')
    await traffic.more()
    await leads(replica)
    await traffic.more()
    // Until it is back, as a replica, no other has a copy of the clicks.
    await cluster.nodes[master]?.start()
    await replicated((await masters()).map(clientOf))
    const before = await apps[0]?.metric('terse_clicks_captured_total{to="redis"}')
    await traffic.more()
    expect(await apps[0]?.metric('terse_clicks_captured_total{to="redis"}')).toBeGreaterThan(before ?? 0)
    for (const app of apps) await app.trusted()
    await expectAllWell(traffic)
  })

  test('slots are moved to another master: changes are seen within a second, and every click counts once', async () => {
    const traffic = await underLoad()
    const keys = [partitionKeys(1).stream, shardKeys(3).bloom, shardKeys(6).bloom, '{handles}:about']
    for (const key of keys) {
      const { master } = await ownerOf(key)
      const to = (await masters()).find((other) => other !== master) ?? master
      await moveSlot(await slotOf(key), master, to, () => traffic.more(50))
      await traffic.more(100)
    }
    for (const app of apps) await app.trusted()
    await expectAllWell(traffic)
  })

  /** @param halfway waited for when some of its keys have moved and others have not */
  async function moveSlot(slot: number, from: number, to: number, halfway: () => Promise<void>): Promise<void> {
    const [source, target] = [clientOf(from), clientOf(to)]
    const [fromId, toId] = [await source.call('CLUSTER', 'MYID'), await target.call('CLUSTER', 'MYID')]
    await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(fromId))
    await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(toId))
    const { port = 0, password = '' } = target.options
    for (let moved = 0; ; moved++) {
      const [key] = (await source.call('CLUSTER', 'GETKEYSINSLOT', slot, 1)) as string[]
      if (key === undefined) break
      // It may have expired, or been deleted, in between.
      await source.call('MIGRATE', '127.0.0.1', port, key, 0, 5_000, 'REPLACE', 'AUTH', String(password))
      if (moved === 0) await halfway()
    }
    for (const node of [to, from, ...(await masters())]) {
      await clientOf(node).call('CLUSTER', 'SETSLOT', slot, 'NODE', String(toId))
    }
  }
})

test('a master dies whose replica stood still: what CLICK_REPLICAS promised is there, and only that', async () => {
  const setUp = await start()
  const links = [await setUp.create({ url: destination() }), await setUp.create({ url: destination() })]
  await stopAll()
  // Nobody counts meanwhile: what is on a master alone is lost with it.
  const [safe, plain] = [await start({ ROLE: 'edge', CLICK_REPLICAS: '1' }), await start({ ROLE: 'edge', CLICK_REPLICAS: '0' })]
  const { master, replica } = await ownerOf(partitionKeys(2).stream)
  await cluster.nodes[replica]?.kill('SIGSTOP')
  const loads = [safe, plain].map((app, i) => new Load(() => app.port, links[i]?.code ?? ''))
  const received = (more: number) => {
    const before = loads.map((load) => load.received.length)
    return eventually(
      () => loads.map((load, i) => load.received.length - (before[i] ?? 0)),
      (grown) => grown.every((n) => n > more),
      30_000,
    )
  }
  await received(300)
  expect(await safe.metric('terse_clicks_captured_total{to="spool"}')).toBeGreaterThan(0)
  await cluster.nodes[master]?.kill('SIGKILL')
  await cluster.nodes[replica]?.kill('SIGCONT')
  await leads(replica)
  await received(100)
  await Promise.all(loads.map((load) => load.stop()))
  await cluster.nodes[master]?.start()
  await replicated((await masters()).map(clientOf))
  const worker = await start({ ROLE: 'worker' })
  const [kept, lost] = loads as [Load, Load]
  expect([kept.wrong, lost.wrong]).toEqual([[], []])
  await expectCountedOnce(servers, kept)
  await eventually(
    () => worker.metric('terse_click_backlog_batches'),
    (waiting) => waiting === 0,
  )
  // The other asked for no replica: by this the test is seen to notice a loss.
  expect(await uncounted(servers, lost)).toBeGreaterThan(0)
})
