import { expect, it } from 'vitest'
import { openRedis, ownRedis, testRedis } from './redis'
import { controlOf, replicate } from './sentinel'

it('a Redis that still writes what it was sent by its master ends when it is asked', async () => {
  const master = await testRedis()
  await (await openRedis(master.url)).client.mset(Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`key ${i}`, '1'])))
  const { redis, stop } = await ownRedis()
  const replica = controlOf(redis.url)
  // A millisecond a key: its first append-only file takes two seconds.
  await replica.config('SET', 'rdb-key-save-delay', '1000')
  await replicate(master.url, replica)
  await expect.poll(() => replica.info('persistence'), { timeout: 10_000 }).toContain('aof_rewrite_in_progress:1')
  await stop()
  expect(redis.pid).toBeUndefined()
})
