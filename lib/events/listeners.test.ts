import { describe, expect, it } from 'vitest'
import { eventBits } from './kinds'
import { LISTENERS_DELAY, Listeners, type Read } from './listeners'

/** A table of webhooks that are on, and how often it was read. */
function table(rows: { ownerId: string; events: number }[]) {
  let reads = 0
  const read: Read = async <Row>(sql: string, values: unknown[]) => {
    reads += 1
    const found = sql.includes(' IN (')
      ? rows.filter(({ ownerId }) => values.includes(ownerId))
      : rows.slice(0, Number(values[0]))
    return found as Row[]
  }
  return { read, reads: () => reads }
}

describe('who listens', () => {
  it('is read at most twice a second, and not while nothing happens', async () => {
    let now = 0
    const { read, reads } = table([{ ownerId: 'a', events: eventBits(['link.created']) }])
    const listeners = new Listeners(() => now)
    for (; now < 10_000; now += 1) {
      expect(await listeners.hears('link.created', 'a', read)).toBe(true)
      expect(await listeners.hears('link.clicked', 'a', read)).toBe(false)
      expect(await listeners.hears('link.created', 'b', read)).toBe(false)
      expect(await listeners.hears('link.created', null, read)).toBe(false)
    }
    expect(reads()).toBeLessThanOrEqual(21)
  })

  it('is known of a new webhook by the time that is answered', async () => {
    let now = 0
    const rows: { ownerId: string; events: number }[] = []
    const { read } = table(rows)
    const listeners = new Listeners(() => now)
    expect(await listeners.anyHears('report.received', read)).toBe(false)
    rows.push({ ownerId: 'a', events: eventBits(['report.received']) })
    now += LISTENERS_DELAY
    expect(await listeners.anyHears('report.received', read)).toBe(true)
  })

  it('is asked each time where there are too many to remember', async () => {
    const rows = Array.from({ length: 6_000 }, (_, i) => ({ ownerId: String(i), events: eventBits(['link.clicked']) }))
    const { read } = table(rows)
    const listeners = new Listeners()
    expect(await listeners.hears('link.clicked', '5999', read)).toBe(true)
    expect(await listeners.hears('link.created', '5999', read)).toBe(false)
    expect(await listeners.hears('link.clicked', '6000', read)).toBe(false)
    expect([...(await listeners.among(['1', 'x', '5998'], 'link.clicked', read))]).toEqual(['1', '5998'])
  })

  it('is not known when it cannot be read, and is read again', async () => {
    const { read } = table([{ ownerId: 'a', events: eventBits(['link.created']) }])
    const listeners = new Listeners()
    const fails: Read = () => Promise.reject(new Error('away'))
    await expect(listeners.hears('link.created', 'a', fails)).rejects.toThrow('away')
    expect(await listeners.hears('link.created', 'a', read)).toBe(true)
  })
})
