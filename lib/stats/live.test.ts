import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveHub } from './live'

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

function watcher() {
  const told: (number | 'end')[] = []
  return { told, clicks: (count: number) => void told.push(count), end: () => void told.push('end') }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('LiveHub', () => {
  it('asks once a second for all links together, and tells only what changed', async () => {
    const links = new Map([1n, 2n, 3n].map((id) => [id, 10n]))
    const db = fakeDatabase(links)
    const hub = new LiveHub(db)
    const [one, same, two] = [watcher(), watcher(), watcher()]
    hub.watch(1n, 10, one)
    hub.watch(1n, 9, same)
    hub.watch(2n, 10, two)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(db.asked).toEqual([
      [1n, 2n],
      [1n, 2n],
      [1n, 2n],
    ])
    links.set(1n, 12n)
    await vi.advanceTimersByTimeAsync(2_000)
    expect([one.told, same.told, two.told]).toEqual([[10, 12], [10, 12], [10]])
  })

  it('asks nothing while nobody watches', async () => {
    const db = fakeDatabase(new Map([[1n, 1n]]))
    const hub = new LiveHub(db)
    const unwatch = hub.watch(1n, 1, watcher())
    await vi.advanceTimersByTimeAsync(1_000)
    unwatch()
    unwatch()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(db.asked).toHaveLength(1)
    expect(hub.watching).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has one query under way at a time, even when those who watched leave and come back during it', async () => {
    let answer = () => {}
    const db = { rows: vi.fn(() => new Promise<never[]>((resolve) => (answer = () => resolve([])))) }
    const hub = new LiveHub(db as unknown as ConstructorParameters<typeof LiveHub>[0])
    const unwatch = hub.watch(1n, 1, watcher())
    await vi.advanceTimersByTimeAsync(1_000)
    unwatch()
    const late = watcher()
    hub.watch(2n, 1, late)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(db.rows).toHaveBeenCalledTimes(1)
    answer()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(db.rows).toHaveBeenCalledTimes(2)
    expect(late.told).toEqual([1])
  })

  it('survives an outage of MySQL and goes on afterwards', async () => {
    const links = new Map([[1n, 1n]])
    const db = fakeDatabase(links)
    const one = watcher()
    new LiveHub(db).watch(1n, 1, one)
    db.isDown = true
    await vi.advanceTimersByTimeAsync(5_000)
    expect(one.told).toEqual([1])
    links.set(1n, 2n)
    db.isDown = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.told).toEqual([1, 2])
  })

  it('ends watching a link that is deleted', async () => {
    const links = new Map([[1n, 1n]])
    const hub = new LiveHub(fakeDatabase(links))
    const one = watcher()
    hub.watch(1n, 1, one)
    links.clear()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(one.told).toEqual([1, 'end'])
    expect(hub.watching).toBe(0)
  })

  it('takes so many watchers and no more, until one leaves', () => {
    const hub = new LiveHub(fakeDatabase(new Map()), 1_000, 2)
    const unwatch = hub.watch(1n, 1, watcher())
    hub.watch(1n, 1, watcher())
    expect(() => hub.watch(1n, 1, watcher())).toThrow(expect.objectContaining({ code: 'unavailable' }))
    unwatch()
    hub.watch(1n, 1, watcher())
  })

  it('ends all of it when the process stops, and begins nothing then', async () => {
    const hub = new LiveHub(fakeDatabase(new Map([[1n, 1n]])))
    const one = watcher()
    hub.watch(1n, 1, one)
    hub.close()
    expect(one.told).toEqual([1, 'end'])
    expect(vi.getTimerCount()).toBe(0)
    expect(() => hub.watch(1n, 1, watcher())).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })
})
