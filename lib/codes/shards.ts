import murmurhash from 'murmurhash'

export const SHARDS = 16

/** A full short URL, and the hashes under which Redis knows it. */
export interface HashedCode {
  full: string
  shard: number
  h1: number
  h2: number
}

/** Never change these seeds: they place every code in its shard and its filter. */
export function hashCode(full: string): HashedCode {
  // Encoded once, since the package encodes a string again for each hash.
  const bytes = Buffer.from(full)
  const h1 = murmurhash.v3(bytes, 0x7e25e)
  // Odd, so that the probes of the filter walk over the whole bitmap.
  const h2 = (murmurhash.v3(bytes, 0x5eed) | 1) >>> 0
  return { full, shard: murmurhash.v3(bytes, 0) % SHARDS, h1, h2 }
}

/** A time in ms, or -Infinity, as Redis takes it for the score of a freed code. */
export const scoreOf = (time: number) => (Number.isFinite(time) ? time : '-inf')

/** The shard of a full short URL: `hashCode(full).shard`. */
export const shardOf = (full: string) => murmurhash.v3(Buffer.from(full), 0) % SHARDS

const KEYS = Array.from({ length: SHARDS }, (_, shard) => {
  // One hash tag for all keys of a shard: every script touches one slot of a Redis Cluster.
  const tag = `{codes:${String(shard).padStart(2, '0')}}`
  return {
    bloom: `${tag}:bloom`,
    marker: `${tag}:marker`,
    next: `${tag}:next`,
    nextMarker: `${tag}:next:marker`,
    /** Bits that a rebuild has gathered, while a script merges them into the coming filter. */
    gathered: `${tag}:next:gathered`,
    freed: `${tag}:freed`,
    /** The number of the last change that was published in this shard. */
    changes: `${tag}:changes`,
    /** Which of the copies of this shard are current; on a Redis near an edge process. */
    nearby: `${tag}:nearby`,
    /** There, the copy of one link's slim record. */
    copy: (full: string) => `${tag}:copy:${full}`,
    /** Key of one link's slim record. */
    record: (full: string) => `${tag}:link:${full}`,
  }
})

export function shardKeys(shard: number) {
  const keys = KEYS[shard]
  if (!keys) throw new RangeError(`no shard ${shard}`)
  return keys
}
