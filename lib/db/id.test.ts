import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIdSource, nextId } from './id'

const START = Date.UTC(2026, 0, 1)

describe('ids', () => {
  it('are unique and increasing, whatever the clock does: stand still, step back, jump', () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 1023 }), (deltas, node) => {
        let now = START + 1e10
        const next = createIdSource(() => now, node)
        let last = -1n
        for (const delta of deltas) {
          now += delta
          const id = next()
          expect(id).toBeGreaterThan(last)
          last = id
        }
      }),
    )
  })

  it('are unique when more are made in one millisecond than there are numbers for it', () => {
    const next = createIdSource(() => START + 1_000, 5)
    const ids = Array.from({ length: 20_000 }, next)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? id))).toBe(true)
  })

  it('of two processes in the same millisecond are different', () => {
    const ids = Array.from({ length: 1024 }, (_, node) => createIdSource(() => START + 1_000, node)())
    expect(new Set(ids).size).toBe(1024)
  })

  it('begin with the time, so that a later one of any process is the greater', () => {
    const early = createIdSource(() => START + 1_000, 1023)
    const late = createIdSource(() => START + 1_010, 0)
    const ids = Array.from({ length: 10_000 }, early)
    expect(late()).toBeGreaterThan(ids.at(-1) ?? 0n)
  })

  it('fit a signed BIGINT until 2095', () => {
    const last = createIdSource(() => Date.UTC(2095, 0, 1), 1023)()
    expect(last).toBeLessThan(2n ** 63n)
    expect(nextId()).toBeGreaterThan(0n)
  })
})
