import { afterAll, expect, it } from 'vitest'
import { Registry } from '@/lib/codes/registry'
import { DatabaseGateway } from '@/lib/db/gateway'
import { insertLinks } from '@/lib/links/insert'
import { testDatabase } from '@/lib/testing/database'
import { SMALL_FILTER } from '@/lib/testing/filter'
import { linkRow, SILENT } from '@/lib/testing/links'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { controlOf, replicate, startSentinel } from '@/lib/testing/sentinel'
import { CodeReconciler } from './code-reconciler'
import { encodeRecord, toRecord } from './record'

const servers = [await testRedis(), await testRedis()] as const
const [one, two] = [controlOf(servers[0].url), controlOf(servers[1].url)]
const { url } = await testDatabase()
const db = new DatabaseGateway(url, 4)
afterAll(() => db.close())

it('behind a Sentinel, links are known before, during and after a failover, and trusted again by themselves', async () => {
  const password = decodeURIComponent(new URL(servers[0].url).password)
  await two.config('SET', 'requirepass', password)
  await one.config('SET', 'masterauth', password)
  await replicate(servers[0].url, two)
  const redis = await openRedis(await startSentinel(servers[0].url))
  const registry = new Registry(redis, 90_000)
  const reconciler = new CodeReconciler({ redis, db, registry, settings: SMALL_FILTER, log: SILENT })
  const portOf = async () => /tcp_port:(\d+)/.exec(await redis.client.info('server'))?.[1]
  expect(await portOf()).toBe(String(servers[0].port))

  const create = async () => {
    const link = linkRow()
    await registry.claim([link.fullShortUrl])
    await insertLinks(db.client, [link])
    const value = encodeRecord(toRecord(link))
    await registry.publish({ full: link.fullShortUrl, value, freedAt: null }, null).catch(() => {}) // the reconciler tells it
    return link
  }
  const trusted = () =>
    registry.lookup('terse.test/unknown').then(
      ({ trusted }) => trusted,
      () => false,
    )
  const kept = () => reconciler.check().then(trusted, () => false)
  await expect.poll(kept, { timeout: 20_000, interval: 50 }).toBe(true)

  const links = [await create(), await create()]
  await servers[0].kill('SIGKILL')
  let wrong = 0
  const asked = async () => {
    links.push(await create())
    for (const { fullShortUrl } of links) {
      const answer = await registry.lookup(fullShortUrl).catch(() => null)
      if (answer?.trusted && !answer.mayExist) wrong += 1
    }
    return (await kept()) && (await portOf())
  }
  await expect.poll(asked, { timeout: 30_000, interval: 50 }).toBe(String(servers[1].port))
  expect(wrong).toBe(0)
  for (const { fullShortUrl } of links)
    expect(await registry.lookup(fullShortUrl)).toMatchObject({ trusted: true, mayExist: true })

  // The former master comes back as one, and is made a replica; nobody goes back to it.
  await servers[0].start()
  const role = async () => /role:(\w+)/.exec(await one.info('replication').catch(() => ''))?.[1]
  await expect.poll(role, { timeout: 30_000, interval: 50 }).toBe('slave')
  expect(await portOf()).toBe(String(servers[1].port))
  expect(await trusted()).toBe(true)
})
