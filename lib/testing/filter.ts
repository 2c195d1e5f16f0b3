import { randomUUID } from 'node:crypto'
import { type FilterSettings, filterSize } from '@/lib/codes/rebuild'
import { CHANGES_CHANNEL, type Change, Registry } from '@/lib/codes/registry'
import { codeScripts } from '@/lib/codes/scripts'
import { SHARDS, shardKeys, shardOf } from '@/lib/codes/shards'
import type { RedisGateway } from '@/lib/redis/gateway'

export const SMALL_FILTER: FilterSettings = { capacity: 10_000, maxCapacity: 100_000, errorRate: 0.01, implementation: 'bitmap' }

/** Begins an empty generation of every shard's filter, to be swapped in by `swapFilter`. */
export async function reserveFilter(redis: RedisGateway, settings = SMALL_FILTER): Promise<string> {
  const rebuild = randomUUID()
  const { capacity, bits, hashes } = filterSize(settings)
  for (let shard = 0; shard < SHARDS; shard++) {
    const keys = shardKeys(shard)
    const args = [settings.implementation, bits, hashes, capacity, settings.errorRate, rebuild]
    await redis.bulk(codeScripts.reserve, [keys.next, keys.nextMarker], args)
  }
  return rebuild
}

export async function swapFilter(redis: RedisGateway, rebuild: string): Promise<number[]> {
  return Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => {
      const keys = shardKeys(shard)
      return redis.bulk(codeScripts.swap, [keys.bloom, keys.marker, keys.next, keys.nextMarker], [rebuild])
    }),
  )
}

/** Trusts every shard as it is: for a test in which there is nothing that it could have missed. */
export async function trustFilter(redis: RedisGateway): Promise<void> {
  for (let shard = 0; shard < SHARDS; shard++) {
    const { bloom, marker, changes } = shardKeys(shard)
    const [server, , lastBeat] = await redis.bulk(codeScripts.beat, [bloom, marker], [])
    await redis.bulk(codeScripts.trust, [bloom, marker, changes], [server, lastBeat ?? '', CHANGES_CHANNEL, shard])
  }
}

/** An empty database with an empty filter that is trusted. */
export async function freshFilter(redis: RedisGateway, settings = SMALL_FILTER): Promise<void> {
  await redis.client.flushdb()
  await swapFilter(redis, await reserveFilter(redis, settings))
  await trustFilter(redis)
}

/** Publishes a change as a writer does who has heard of all others, so that Redis holds its record. */
export async function publishHeard(redis: RedisGateway, change: Change): Promise<void> {
  const { changes } = shardKeys(shardOf(change.full))
  await redis.client.setnx(changes, '1')
  await new Registry(redis, 0).publish(change, Number(await redis.client.get(changes)))
}
