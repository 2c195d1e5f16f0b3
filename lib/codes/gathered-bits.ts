import type { RedisGateway } from '@/lib/redis/gateway'
import { FilterLostError } from './registry'
import { codeScripts } from './scripts'
import { hashCode, SHARDS, shardKeys } from './shards'

/** Bytes that one script takes to Redis, which does nothing else meanwhile. */
const PIECE = 1_000_000

/**
 * The bits of many codes, gathered in memory and merged into the coming filter a piece at a time: to set them one by one in
 * a script keeps Redis busy for 14 µs a code, in which it answers no redirect. The bits are those of lua/prelude-add.lua.
 */
export class GatheredBits {
  private readonly shards: Uint8Array[]
  /** Codes added since the last merge. */
  count = 0

  /**
   * @param bits of the bitmap of one shard
   * @param hashes bits of one code
   */
  constructor(
    private readonly bits: number,
    private readonly hashes: number,
  ) {
    this.shards = Array.from({ length: SHARDS }, () => new Uint8Array(bytesOf(bits)))
  }

  add(full: string): void {
    const { shard, h1, h2 } = hashCode(full)
    const bytes = this.shards[shard] as Uint8Array
    const { bits } = this
    // h1 + i * h2 modulo the bits, step by step: no number is large, and none is divided.
    const step = h2 % bits
    for (let i = 0, at = h1 % bits; i < this.hashes; i++) {
      // Redis counts bits from the highest of the first byte.
      ;(bytes[at >>> 3] as number) |= 0x80 >>> (at & 7)
      at += step
      if (at >= bits) at -= bits
    }
    this.count += 1
  }

  /**
   * Has Redis add what was gathered, and forgets it. What others add there meanwhile stays.
   * @param rebuild the id of the rebuild that the coming filter belongs to
   * @throws FilterLostError when that is not there any more; else what Redis throws
   */
  async merge(redis: RedisGateway, rebuild: string): Promise<void> {
    for (const [shard, bytes] of this.shards.entries()) {
      const { next, nextMarker, gathered } = shardKeys(shard)
      for (let at = 0; at < bytes.length; at += PIECE) {
        const piece = Buffer.from(bytes.subarray(at, at + PIECE))
        const merged = await redis.bulk(codeScripts.merge, [next, nextMarker, gathered], [rebuild, at, piece])
        if (merged !== 1) throw new FilterLostError(`the coming filter of shard ${shard} is gone`)
      }
      bytes.fill(0)
    }
    this.count = 0
  }
}

/** Of a bitmap in Redis. */
export const bytesOf = (bits: number) => Math.ceil(bits / 8)
