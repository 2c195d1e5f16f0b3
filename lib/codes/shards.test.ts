import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashCode, SHARDS, shardKeys } from './shards'

describe('shards', () => {
  it('place a code where every earlier release placed it', () => {
    const places = ['go.example.com/abc', 'localhost/Ab', 'localhost/aB', 'terse.test/春天', ''].map((full) => hashCode(full))
    expect(places).toMatchInlineSnapshot(`
      [
        {
          "full": "go.example.com/abc",
          "h1": 215581290,
          "h2": 2503704989,
          "shard": 13,
        },
        {
          "full": "localhost/Ab",
          "h1": 3590836181,
          "h2": 384101391,
          "shard": 12,
        },
        {
          "full": "localhost/aB",
          "h1": 3365788756,
          "h2": 4223151485,
          "shard": 9,
        },
        {
          "full": "terse.test/春天",
          "h1": 1812549039,
          "h2": 569821433,
          "shard": 6,
        },
        {
          "full": "",
          "h1": 1092336802,
          "h2": 3758135755,
          "shard": 0,
        },
      ]
    `)
  })

  it('divide codes evenly, so that no filter fills before the others', () => {
    const counts = new Array<number>(SHARDS).fill(0)
    for (let i = 0; i < 32_000; i++) {
      const { shard } = hashCode(`terse.test/${i.toString(36)}`)
      counts[shard] = (counts[shard] ?? 0) + 1
    }
    // A filter has room for a tenth more than its share.
    expect(Math.max(...counts)).toBeLessThan(2_200)
    expect(Math.min(...counts)).toBeGreaterThan(1_800)
  })

  it('have hashes in range, the second odd, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (full) => {
        const { shard, h1, h2 } = hashCode(full)
        expect(shard).toBeGreaterThanOrEqual(0)
        expect(shard).toBeLessThan(SHARDS)
        for (const hash of [h1, h2]) expect(hash).toBe(hash >>> 0)
        expect(h2 % 2).toBe(1)
      }),
    )
  })

  it('have all their keys under one hash tag of their own, so that a script touches one slot of a cluster', () => {
    const tagOf = (key: string) => /^[^{]*\{([^}]+)\}/.exec(key)?.[1]
    const tags = Array.from({ length: SHARDS }, (_, shard) => {
      const { record, copy, ...keys } = shardKeys(shard)
      const all = [...Object.values(keys), ...[record, copy].flatMap((key) => [key('host/{codes:99}'), key('host/}x{')])]
      expect(new Set(all).size).toBe(all.length)
      expect(new Set(all.map(tagOf)).size).toBe(1)
      return tagOf(keys.bloom)
    })
    expect(new Set(tags).size).toBe(SHARDS)
    expect(tags[7]).toBe('codes:07')
  })

  it('are no others', () => {
    expect(() => shardKeys(SHARDS)).toThrow(RangeError)
    expect(() => shardKeys(-1)).toThrow(RangeError)
  })
})
