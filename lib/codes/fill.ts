import type { RedisGateway } from '@/lib/redis/gateway'
import { capacitiesOf, type FilterSettings, filterSize, SHARD_MARGIN } from './rebuild'
import { codeScripts, type FilterReply } from './scripts'
import { SHARDS, scoreOf, shardKeys } from './shards'

/** Bytes of a shard's bitmap in which set bits are counted: a million bits tell its fill to a thousandth, in well under a ms. */
const SAMPLE = 131_072

/** What Redis holds of codes. */
export interface FilterState {
  /** 'native', 'bitmap', or '' without a filter. */
  implementation: string
  shards: number
  /** Shards whose "no" is believed. */
  trustedShards: number
  /** About how many were ever added. */
  codes: number
  /** How many it was made for. */
  capacity: number
  /** Share of bits that are set, 0 to 1. */
  fill: number
  /** Share of unknown codes that it takes for known ones, as full as it is now. */
  estimatedError: number
  /** The same as it was asked for, at full capacity. */
  errorRate: number
  /** Freed codes, those in quarantine included. */
  freed: number
}

/** @param settings what is asked for now; the filter may have been made for something else. @throws what Redis throws */
export async function readFilter(
  redis: RedisGateway,
  settings: Pick<FilterSettings, 'capacity' | 'maxCapacity' | 'errorRate'>,
  sample = SAMPLE,
): Promise<FilterState> {
  const replies = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => {
      const { bloom, marker, freed } = shardKeys(shard)
      return redis.bulk(codeScripts.filter, [bloom, marker, freed], [sample])
    }),
  )
  const shards = replies.map(toShard)
  const sum = (of: (shard: Shard) => number) => shards.reduce((total, shard) => total + of(shard), 0)
  return {
    implementation: shards.find(({ implementation }) => implementation !== '')?.implementation ?? '',
    shards: SHARDS,
    trustedShards: sum(({ trusted }) => trusted),
    codes: Math.round(sum(({ codes }) => codes)),
    capacity: capacityOf(shards, settings),
    // Codes are spread evenly over the shards, and so are the unknown ones that are asked for.
    fill: sum(({ fill }) => fill) / SHARDS,
    estimatedError: sum(({ error }) => error) / SHARDS,
    errorRate: Math.max(...shards.map(({ errorRate }) => errorRate)),
    freed: sum(({ freed }) => freed),
  }
}

/** Freed codes that Redis keeps, at most: of others MySQL is asked. About 100 MB. */
export const MAX_FREED = 1_000_000
/** Removed at a time, so that nobody waits long behind it. */
const PRUNED_AT_ONCE = 1_000

/**
 * Forgets freed codes whose quarantine is over, and the oldest of more than there is room for.
 * @param before freed before this time (ms), or -Infinity
 * @returns how many. @throws what Redis throws
 */
export async function pruneFreed(redis: RedisGateway, before: number, most = MAX_FREED): Promise<number> {
  let pruned = 0
  for (let shard = 0; shard < SHARDS; shard++) {
    const args = [scoreOf(before), Math.floor(most / SHARDS), PRUNED_AT_ONCE]
    let removed: number
    do {
      removed = await redis.bulk(codeScripts.prune, [shardKeys(shard).freed], args)
      pruned += removed
    } while (removed === PRUNED_AT_ONCE)
  }
  return pruned
}

interface Shard {
  implementation: string
  trusted: number
  codes: number
  capacity: number
  fill: number
  error: number
  errorRate: number
  freed: number
}

/** What the shards were made for together. Each has its share, rounded up: of other settings, that has to do. */
function capacityOf(shards: readonly Shard[], settings: Pick<FilterSettings, 'capacity' | 'maxCapacity' | 'errorRate'>): number {
  const isMadeFor = (capacity: number) => {
    const share = filterSize({ ...settings, capacity }).capacity
    return shards.every((shard) => shard.capacity === share)
  }
  const sum = shards.reduce((total, { capacity }) => total + capacity, 0)
  return capacitiesOf(settings).find(isMadeFor) ?? Math.floor(sum / SHARD_MARGIN)
}

function toShard(reply: FilterReply): Shard {
  const [implementation, trusted, capacity, rate, bits, hashes, looked, set, added, freed] = reply
  const errorRate = Number(rate)
  const common = { implementation, trusted, capacity, errorRate, freed }
  if (implementation === '') return { ...common, codes: 0, fill: 0, error: 0 }
  if (implementation === 'native') {
    // Of a filter of the best size, half of the bits are set when it holds what it was made for.
    const fill = 1 - 2 ** (-added / capacity)
    // Beyond that it grows by itself, and keeps to the error rate by looking in several places.
    return { ...common, codes: added, fill, error: Math.min(errorRate, fill ** -Math.log2(errorRate)) }
  }
  // The last bit that is clear still tells something: a full bitmap holds at least so many.
  const fill = Math.min(set, looked - 1) / looked
  // Swamidass and Baldi, 2007: n = -m/k ln(1 - X/m) for X of m bits that k probes have set.
  return { ...common, codes: -(bits / hashes) * Math.log(1 - fill), fill, error: fill ** hashes }
}
