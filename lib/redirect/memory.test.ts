import { describe, expect, it } from 'vitest'
import { Routing } from '@/lib/routing/routing'
import { linkRecord } from '@/lib/testing/links'
import { Memory } from './memory'
import type { ShardFeed } from './shard-feed'

const feed = {
  doubtedAt: Number.NEGATIVE_INFINITY,
  isLive: () => true,
  rightUntil: () => Number.POSITIVE_INFINITY,
} as unknown as ShardFeed
const memory = () => new Memory(4_000_000, { inShard: () => feed }, { vouches: () => true })

const rules = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ when: [{ of: 'city', in: [`City ${i}`] }], url: `https://example.com/${i}` }))
const entryOf = (count: number, url = 'https://example.com/') => {
  const record = linkRecord({ url, routing: Routing.of(JSON.stringify({ rules: rules(count) })) })
  return { record, filledAt: performance.now(), feed }
}

describe('a record in memory', () => {
  it.each([1, 100])('is read once, however often it is asked for: with %i rules', (count) => {
    const held = memory()
    held.keep('terse.test/a', 0, entryOf(count))
    const entries = Array.from({ length: 5 }, () => held.fresh('terse.test/a'))
    expect(entries[0]?.record).toMatchObject({ url: 'https://example.com/' })
    expect(new Set(entries).size).toBe(1)
  })

  it('is what it was last kept as, also if it is long', () => {
    const held = memory()
    held.keep('terse.test/a', 0, entryOf(100, 'https://example.com/before'))
    held.fresh('terse.test/a')
    held.keep('terse.test/a', 0, entryOf(100, 'https://example.com/after'))
    expect(held.fresh('terse.test/a')?.record).toMatchObject({ url: 'https://example.com/after' })
    held.forget('terse.test/a')
    expect(held.fresh('terse.test/a')).toBeUndefined()
  })
})
