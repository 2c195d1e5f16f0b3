import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pass } from '@/lib/testing/clock'
import { countsOfLinks, LiveHub } from './live'

/** Links as MySQL has them; `asked` lists the ids of each query. */
function fakeDatabase(links: Map<bigint, bigint>) {
  const asked: bigint[][] = []
  const db = {
    asked,
    isDown: false,
    async rows<Row>(_sql: string, ...ids: unknown[]): Promise<Row[]> {
      asked.push(ids as bigint[])
      if (db.isDown) throw new Error('MySQL is away')
      return [...links].filter(([id]) => ids.includes(id)).map(([id, clicks]) => ({ id, clicks })) as Row[]
    },
  }
  return db
}

const ME = { account: null, client: '203.0.113.1' }

function watcher() {
  const told: (number | string)[] = []
  return { told, clicks: (count: number) => void told.push(count), end: (why?: string) => void told.push(why ?? 'end') }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('LiveHub', () => {
  it('asks once a second for all links together, and tells only what changed', async () => {
    const links = new Map([1n, 2n, 3n].map((id) => [id, 10n]))
    const db = fakeDatabase(links)
    const hub = new LiveHub(countsOfLinks(db))
    const [one, same, two] = [watcher(), watcher(), watcher()]
    hub.watch(1n, 10, one, ME)
    hub.watch(1n, 9, same, ME)
    hub.watch(2n, 10, two, ME)
    await pass(3_000)
    expect(db.asked).toEqual([
      [1n, 2n],
      [1n, 2n],
      [1n, 2n],
    ])
    links.set(1n, 12n)
    await pass(2_000)
    expect([one.told, same.told, two.told]).toEqual([[10, 12], [10, 12], [10]])
  })

  it('asks nothing while nobody watches', async () => {
    const db = fakeDatabase(new Map([[1n, 1n]]))
    const hub = new LiveHub(countsOfLinks(db))
    const unwatch = hub.watch(1n, 1, watcher(), ME)
    await pass(1_000)
    unwatch()
    unwatch()
    await pass(10_000)
    expect(db.asked).toHaveLength(1)
    expect(hub.watching).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has one query under way at a time, even when those who watched leave and come back during it', async () => {
    let answer = () => {}
    const db = { rows: vi.fn(() => new Promise<never[]>((resolve) => (answer = () => resolve([])))) }
    const hub = new LiveHub(countsOfLinks(db as unknown as Parameters<typeof countsOfLinks>[0]))
    const unwatch = hub.watch(1n, 1, watcher(), ME)
    await pass(1_000)
    unwatch()
    const late = watcher()
    hub.watch(2n, 1, late, ME)
    await pass(5_000)
    expect(db.rows).toHaveBeenCalledTimes(1)
    answer()
    await pass(1_000)
    expect(db.rows).toHaveBeenCalledTimes(2)
    expect(late.told).toEqual([1])
  })

  it('survives an outage of MySQL and goes on afterwards', async () => {
    const links = new Map([[1n, 1n]])
    const db = fakeDatabase(links)
    const one = watcher()
    new LiveHub(countsOfLinks(db)).watch(1n, 1, one, ME)
    db.isDown = true
    await pass(5_000)
    expect(one.told).toEqual([1])
    links.set(1n, 2n)
    db.isDown = false
    await pass(1_000)
    expect(one.told).toEqual([1, 2])
  })

  it('ends watching a link that is deleted', async () => {
    const links = new Map([[1n, 1n]])
    const hub = new LiveHub(countsOfLinks(fakeDatabase(links)))
    const one = watcher()
    hub.watch(1n, 1, one, ME)
    links.clear()
    await pass(1_000)
    expect(one.told).toEqual([1, 'end'])
    expect(hub.watching).toBe(0)
  })

  it('ends all of it when the process stops, and begins nothing then', async () => {
    const hub = new LiveHub(countsOfLinks(fakeDatabase(new Map([[1n, 1n]]))))
    const one = watcher()
    hub.watch(1n, 1, one, ME)
    hub.close()
    expect(one.told).toEqual([1, 'end'])
    expect(vi.getTimerCount()).toBe(0)
    expect(() => hub.watch(1n, 1, watcher(), ME)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })
})

describe('places', () => {
  const links = new Map(Array.from({ length: 50 }, (_, i) => [BigInt(i), 1n]))
  const stranger = (n: number) => ({ account: null, client: `198.51.100.${n}` })
  const member = (n: number, client = ME.client) => ({ account: `account ${n}`, client })
  /** Watchers of so many connections, in their order. */
  const watch = (hub: LiveHub<bigint>, who: typeof ME | ReturnType<typeof member>, count: number, linkId = 1n) =>
    Array.from({ length: count }, () => {
      const one = watcher()
      hub.watch(linkId, 1, one, who)
      return one
    })
  const alive = (watchers: ReturnType<typeof watcher>[]) => watchers.filter(({ told }) => told.length === 1).length

  it('of one client who opens 1,000 are taken from itself, and everybody else gets one', () => {
    const hub = new LiveHub(countsOfLinks(fakeDatabase(links)))
    const greedy = Array.from({ length: 1_000 }, (_, i) => watch(hub, ME, 1, BigInt(i % 50))).flat()
    expect(alive(greedy)).toBe(20)
    expect(alive(greedy.slice(-20))).toBe(20)
    expect(greedy[0]?.told).toEqual([1, 'replaced'])
    expect(alive(watch(hub, stranger(1), 1))).toBe(1)
    expect(hub.watching).toBe(21)
  })

  it('of an account are its own wherever it comes from, and those of accounts behind one address are each their own', () => {
    const hub = new LiveHub(countsOfLinks(fakeDatabase(links)))
    const roaming = Array.from({ length: 40 }, (_, i) => watch(hub, member(1, `198.51.100.${i}`), 1)).flat()
    expect(alive(roaming)).toBe(20)
    const colleagues = Array.from({ length: 100 }, (_, i) => watch(hub, member(i + 2), 2, 2n)).flat()
    expect(alive(colleagues)).toBe(200)
  })

  it('of one address are bounded however many accounts it has: who has most of them makes room', () => {
    const hub = new LiveHub(countsOfLinks(fakeDatabase(links)))
    const modest = watch(hub, member(0), 1)
    const greedy = Array.from({ length: 50 }, (_, i) => watch(hub, member(i + 1), 20, BigInt(i))).flat()
    expect([hub.watching, alive(modest), alive(greedy)]).toEqual([250, 1, 249])
    expect(alive(watch(hub, member(99), 1))).toBe(1)
    expect(hub.watching).toBe(250)
  })

  it('on one link are bounded, and taken from who has most of them', () => {
    const hub = new LiveHub(countsOfLinks(fakeDatabase(links)))
    const modest = watch(hub, stranger(0), 1)
    for (let i = 1; i <= 40; i++) watch(hub, stranger(i), 20)
    expect([hub.watching, alive(modest)]).toEqual([250, 1])
    expect(alive(watch(hub, stranger(200), 1, 2n))).toBe(1)
  })

  it('are bounded in all: a client with many makes room for one with none, and one with as few does not', () => {
    const hub = new LiveHub(countsOfLinks(fakeDatabase(links)), 1_000, 6)
    const greedy = watch(hub, ME, 4)
    const others = [
      watch(hub, stranger(1), 1),
      watch(hub, stranger(2), 1),
      watch(hub, stranger(3), 1),
      watch(hub, stranger(4), 1),
    ].flat()
    expect([alive(greedy), alive(others), hub.watching]).toEqual([2, 4, 6])
    watch(hub, stranger(5), 1)
    expect(() => watch(hub, stranger(6), 1)).toThrow(expect.objectContaining({ code: 'unavailable' }))
    // A holder who has one already gets the new one in its place.
    const [first] = others
    expect(alive(watch(hub, stranger(1), 1))).toBe(1)
    expect(first?.told).toEqual([1, 'replaced'])
  })

  it('are free again once their watchers leave', () => {
    const hub = new LiveHub(countsOfLinks(fakeDatabase(links)), 1_000, 1)
    const unwatch = hub.watch(1n, 1, watcher(), ME)
    expect(() => hub.watch(1n, 1, watcher(), stranger(1))).toThrow(expect.objectContaining({ code: 'unavailable' }))
    unwatch()
    hub.watch(1n, 1, watcher(), stranger(1))
    expect(hub.watching).toBe(1)
  })
})
