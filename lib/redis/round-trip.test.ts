import { afterEach, describe, expect, it, vi } from 'vitest'
import { Registry } from '@/lib/codes/registry'
import { atEnd } from '@/lib/testing/cleanup'
import { proxyTo } from '@/lib/testing/proxy'
import { testRedis } from '@/lib/testing/redis'
import { RedisGateway } from './gateway'

const server = await testRedis()
const proxy = await proxyTo(server.url)
afterEach(async () => {
  proxy.delay(0)
  await server.kill('SIGCONT')
})

async function gateway(): Promise<RedisGateway> {
  const redis = new RedisGateway(proxy.url)
  atEnd(() => redis.close())
  expect(await redis.connected(10_000)).toBe(true)
  return redis
}

describe('patience with Redis', () => {
  it('follows the way: at 150 ms every question is answered, from the first one on', async () => {
    proxy.delay(75)
    const redis = await gateway()
    const registry = new Registry(redis, 1_000)
    for (let i = 0; i < 10; i++) await expect(registry.lookup(`terse.test/${i}`)).resolves.toMatchObject({ record: null })
    // Also with the patience of clicks.
    for (let i = 0; i < 10; i++) await redis.use((client) => client.xadd('stream', '*', 'a', 'b'), 50)
    expect(redis.breakerState).toBe('closed')
  })

  it('does not follow a server that is near and slow', async () => {
    const redis = await gateway()
    await vi.waitFor(() => expect(redis.roundTrip).toBeLessThan(100), { timeout: 10_000 })
    await server.kill('SIGSTOP')
    await expect(redis.use((client) => client.ping())).rejects.toThrow('Redis took longer than')
    await server.kill('SIGCONT')
    expect(redis.roundTrip).toBeLessThan(100)
  })
})
