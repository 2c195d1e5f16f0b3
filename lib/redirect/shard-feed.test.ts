import { describe, expect, it, vi } from 'vitest'
import { shiftableClock } from '@/lib/testing/clock'
import { ShardFeed } from './shard-feed'

/** A feed that began at change 100, and when it was read. */
function begun(): { feed: ShardFeed; gaps: () => number; at: number } {
  const onGap = vi.fn()
  const feed = new ShardFeed(onGap)
  const at = performance.now()
  feed.read(100, 0, at)
  onGap.mockClear()
  return { feed, gaps: () => onGap.mock.calls.length, at }
}

describe('the feed of a shard', () => {
  it('has a gap when a change names another before it than the last that was heard', () => {
    const { feed, gaps } = begun()
    feed.heard(100, 105)
    feed.heard(105, 107)
    expect(gaps()).toBe(0)
    feed.heard(109, 112)
    expect(gaps()).toBe(1)
    feed.heard(112, 113)
    expect(gaps()).toBe(1)
  })

  it('confirms nothing while a change that was read of has not been heard, and has a gap at the next reading', () => {
    const { feed, gaps, at } = begun()
    feed.read(101, 100, at + 250)
    expect(feed.confirmedAt).toBe(at)
    feed.read(101, 100, at + 500)
    expect(gaps()).toBe(1)
    expect(feed.confirmedAt).toBe(at + 500)
    expect(feed.doubtedAt).toBeGreaterThanOrEqual(at)
  })

  it('has no gap when the message comes a little after the reading, however many follow', () => {
    const { feed, gaps, at } = begun()
    for (let number = 101; number < 200; number++) {
      feed.read(number, number - 1, at + number)
      feed.heard(number - 1, number)
      expect(feed.confirmedAt).toBe(at + number)
    }
    expect(gaps()).toBe(0)
  })

  it('has a gap when the numbers go back: Redis lost its data, or got old data back', () => {
    const { feed, gaps, at } = begun()
    feed.read(90, 100, at + 250)
    expect(gaps()).toBe(1)
    feed.heard(90, 95)
    feed.heard(95, 100)
    expect(gaps()).toBe(1)
  })

  it('tells until when what was read is known to have been right: to the last confirmation, or to the one before the doubt', () => {
    const clock = shiftableClock()
    const { feed, at } = begun()
    const reading = (ms: number) => {
      clock.forward(ms)
      const now = performance.now()
      feed.read(100, 100, now)
      return now
    }
    expect(feed.rightUntil(at - 1_000)).toBe(at - 1_000)
    const [read, confirmed] = [reading(10), reading(500)]
    expect(feed.rightUntil(read)).toBe(confirmed)
    feed.doubt()
    const later = reading(500)
    expect(feed.rightUntil(read)).toBe(confirmed)
    expect(feed.rightUntil(later)).toBe(later)
    feed.doubt()
    expect(feed.rightUntil(read)).toBe(read)
    expect(feed.rightUntil(later)).toBe(later)
  })

  it('takes a message that comes late, after the gap that it left was seen, for what it is', () => {
    const clock = shiftableClock()
    const { feed, gaps, at } = begun()
    feed.read(101, 100, at + 250)
    feed.read(102, 100, at + 500)
    const { doubtedAt } = feed
    clock.forward(10)
    feed.heard(100, 101)
    feed.heard(101, 102)
    feed.heard(102, 103)
    expect(gaps()).toBe(1)
    expect(feed.doubtedAt).toBe(doubtedAt)
    expect(feed.number).toBe(103)
  })
})
