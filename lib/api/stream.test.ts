import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveHub, type Watcher } from '@/lib/stats/live'
import { pass } from '@/lib/testing/clock'
import { clickEvents, download } from './stream'

const file = (pieces: AsyncIterable<string>, signal = new AbortController().signal) =>
  download(pieces, { name: 'a.csv', type: 'text/csv', signal })

/** Endless pieces; `made` says how many there were, `isOver` whether making them was ended. */
function endless() {
  const state = { made: 0, isOver: false }
  async function* make() {
    try {
      for (;;) yield `${++state.made}\n`
    } finally {
      state.isOver = true
    }
  }
  return { state, pieces: make() }
}

describe('download', () => {
  it('makes nothing before it is read, and no more than was read', async () => {
    const { state, pieces } = endless()
    const reader = file(pieces).body?.getReader()
    expect(state.made).toBe(0)
    await reader?.read()
    await reader?.read()
    expect(state.made).toBe(2)
  })

  it('stops making when the client goes away', async () => {
    const { state, pieces } = endless()
    const reader = file(pieces).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(state).toEqual({ made: 1, isOver: true })
  })

  it('stops making when the request is given up', async () => {
    const { state, pieces } = endless()
    const request = new AbortController()
    const reader = file(pieces, request.signal).body?.getReader()
    await reader?.read()
    request.abort()
    expect((await reader?.read())?.done).toBe(true)
    expect(state).toEqual({ made: 1, isOver: true })
  })

  it('breaks off, so that the client knows, when making fails half-way', async () => {
    async function* failing() {
      yield 'one'
      throw new Error('MySQL is away')
    }
    await expect(file(failing()).text()).rejects.toThrow()
  })
})

describe('clickEvents', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const quiet = async () => new Map([[1n, 5]])
  const open = (hub: LiveHub<bigint>, signal = new AbortController().signal) =>
    clickEvents((watcher) => hub.watch(1n, 4, watcher, { account: null, client: '203.0.113.1' }), signal).body?.getReader()
  const next = async (reader: ReturnType<typeof open>) => new TextDecoder().decode((await reader?.read())?.value)

  it('says the number at once and when it changes, and breathes every 15 s', async () => {
    const reader = open(new LiveHub(quiet))
    expect(await next(reader)).toBe('event: clicks\ndata: {"clicks":4}\n\n')
    await pass(1_000)
    expect(await next(reader)).toBe('event: clicks\ndata: {"clicks":5}\n\n')
    await pass(14_000)
    expect(await next(reader)).toBe(': \n\n')
  })

  it.each(['cancelled', 'aborted'])('leaves nothing behind when it is %s', async (how) => {
    const hub = new LiveHub(quiet)
    const request = new AbortController()
    const reader = open(hub, request.signal)
    await next(reader)
    if (how === 'aborted') request.abort()
    else await reader?.cancel()
    expect(hub.watching).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('watches nothing for a client that has gone already', () => {
    const hub = new LiveHub(quiet)
    open(hub, AbortSignal.abort())
    expect(hub.watching).toBe(0)
  })

  it('lets go of a client that does not read, instead of keeping its messages', async () => {
    let watcher: Watcher | undefined
    let isLeft = false
    const begin = (given: Watcher) => {
      watcher = given
      return () => {
        isLeft = true
      }
    }
    const response = clickEvents(begin, new AbortController().signal)
    for (let clicks = 0; clicks < 1_000 && !isLeft; clicks++) watcher?.clicks(clicks)
    expect(isLeft).toBe(true)
    expect((await response.text()).match(/event/g)?.length).toBeLessThan(100)
  })

  it('ends within 30 s once who opened it may watch no longer, and not before', async () => {
    const hub = new LiveHub(quiet)
    let may = true
    const holder = { account: null, client: '203.0.113.1' }
    const { signal } = new AbortController()
    clickEvents(
      (watcher) => hub.watch(1n, 4, watcher, holder),
      signal,
      async () => may,
    )
    await pass(60_000)
    expect(hub.watching).toBe(1)
    may = false
    await pass(30_000)
    expect(hub.watching).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says why when its place was given to a newer one', async () => {
    let watcher: Watcher | undefined
    const begin = (given: Watcher) => {
      watcher = given
      return () => {}
    }
    const response = clickEvents(begin, new AbortController().signal)
    watcher?.end('replaced')
    expect(await response.text()).toBe('event: replaced\ndata: {}\n\n')
  })

  it('ends when the hub does, and is refused after that', async () => {
    const hub = new LiveHub(quiet)
    const reader = open(hub)
    await next(reader)
    hub.close()
    expect((await reader?.read())?.done).toBe(true)
    expect(() => open(hub)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  })
})
