import { describe, expect, it } from 'vitest'
import { restFor, Strain, sizeFor } from './give-way'

/** What is measured of an interval in which redirects waited this long. */
function interval(strain: Strain, wait: number, loopDelay = 0): number {
  for (let turn = 0; turn < 50; turn++) strain.note(wait)
  return strain.measure(loopDelay)
}

describe('what visitors feel', () => {
  it('is nothing while they wait as long as ever, whether their Redis is near or far', () => {
    for (const wait of [0.3, 2, 40]) {
      const strain = new Strain()
      for (let i = 0; i < 100; i++) expect(interval(strain, wait * (1 + (i % 3) * 0.05))).toBe(0)
    }
  })

  it('grows with how much longer they wait, by the answer of Redis or by the event loop, and ends with it', () => {
    const strain = new Strain()
    interval(strain, 1)
    const [some, more] = [interval(strain, 1.7), interval(strain, 2)]
    expect(some).toBeGreaterThan(0)
    expect(more).toBeGreaterThan(some)
    expect(interval(strain, 9)).toBe(1)
    expect(interval(strain, 1, 9)).toBe(1)
    expect(interval(strain, 1)).toBe(0)
  })

  it('is nothing where nobody comes', () => {
    const strain = new Strain()
    interval(strain, 1)
    expect(interval(strain, 50)).toBe(1)
    expect(strain.measure(50)).toBe(0)
  })

  it('is measured against a machine that became slower, after a while', () => {
    const strain = new Strain()
    interval(strain, 1)
    const measured = Array.from({ length: 1_000 }, () => interval(strain, 4))
    expect([measured[0], measured.at(-1)]).toEqual([1, 0])
  })
})

describe('counting', () => {
  it('rests the longer the more is felt, and a fifth of the time is always its own', () => {
    expect([0, 0.5, 1].map((strain) => restFor(100, strain, 0))).toEqual([0, 200, 400])
  })

  it('rests less the longer clicks have waited, and not at all after a minute: a backlog is bounded', () => {
    expect([5_000, 10_000, 35_000, 60_000, 600_000].map((waited) => restFor(100, 1, waited))).toEqual([400, 400, 200, 0, 0])
  })

  it('rests for no more than a second after work that took long since MySQL stood still', () => {
    expect(restFor(10_000, 1, 10_000)).toBe(1_000)
  })

  it('takes smaller pieces while it is felt, and never none', () => {
    expect([0, 0.25, 1].map((strain) => sizeFor(8_000, strain))).toEqual([8_000, 4_000, 1_600])
    expect(sizeFor(1, 1)).toBe(1)
  })
})
