import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UnderWay } from './under-way'

const LIMITS = { most: 4, mostEach: 2, kept: 60_000, gone: 10_000 }

describe('work that somebody else takes their time for', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Begins what never ends unless `end` is called. */
  function silent() {
    const works = new UnderWay<string>(LIMITS)
    const ends = new Map<string, (result: string) => void>()
    const begun: string[] = []
    const ask = async (who: string, name: string) => {
      const result = works.within(100, { who, name }, () => {
        begun.push(name)
        return new Promise<string>((resolve) => ends.set(name, resolve))
      })
      await vi.advanceTimersByTimeAsync(100)
      return result
    }
    return { ask, begun, end: (name: string) => ends.get(name)?.(`${name} done`) }
  }

  it('goes on until it is asked for again, and is begun once', async () => {
    const { ask, begun, end } = silent()
    expect(await ask('alice', 'a1')).toBeNull()
    expect(await ask('alice', 'a1')).toBeNull()
    end('a1')
    expect(await ask('alice', 'a1')).toEqual({ result: 'a1 done' })
    expect(begun).toEqual(['a1'])
    await ask('alice', 'a1')
    expect(begun).toEqual(['a1', 'a1'])
  })

  it('is no more than a share for each, so that nobody can hold all places', async () => {
    const { ask, begun } = silent()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await ask('alice', name)
    await ask('bob', 'b1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
  })

  it('has the next place for who has least under way, not for who asks most often', async () => {
    const { ask, begun, end } = silent()
    for (const name of ['a1', 'b1', 'a2', 'b2']) await ask(name.startsWith('a') ? 'alice' : 'bob', name)
    await ask('alice', 'a3')
    await ask('carol', 'c1')
    end('a1')
    await ask('alice', 'a1')
    await ask('alice', 'a3')
    await ask('bob', 'b3')
    expect(begun).toEqual(['a1', 'b1', 'a2', 'b2'])
    await ask('carol', 'c1')
    expect(begun.at(-1)).toBe('c1')
  })

  it('has no place kept for who does not come back', async () => {
    const { ask, begun, end } = silent()
    for (const name of ['a1', 'b1', 'a2', 'b2']) await ask(name.startsWith('a') ? 'alice' : 'bob', name)
    await ask('carol', 'c1')
    await vi.advanceTimersByTimeAsync(LIMITS.gone)
    end('a1')
    await ask('alice', 'a1')
    await ask('alice', 'a3')
    expect(begun.at(-1)).toBe('a3')
  })
})
