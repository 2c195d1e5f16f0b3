import { describe, expect, it } from 'vitest'
import { TransactionSize } from './transaction-size'

/** The size on a machine that counts so many clicks a second, after a while. */
function settled(rate: number): number {
  const size = new TransactionSize()
  for (let i = 0; i < 50; i++) size.took(size.clicks, (size.clicks / rate) * 1000)
  return size.clicks
}

describe('the clicks of one transaction', () => {
  it('are as many as can be counted in seconds, on a fast machine and on a slow one', () => {
    expect([100_000, 20_000, 5_000, 1_000].map(settled)).toEqual([32_000, 32_000, 16_000, 4_000])
  })

  it('get fewer when counting fails, but never so few that each costs more', () => {
    const size = new TransactionSize()
    for (let i = 0; i < 50; i++) size.shrink()
    expect(size.clicks).toBe(1_000)
  })

  it('become more while smaller pieces are taken since visitors feel it, but not for a few clicks', () => {
    const [some, few] = [new TransactionSize(), new TransactionSize()]
    for (let i = 0; i < 50; i++) {
      some.took(1_600, 80)
      few.took(100, 1)
    }
    expect([some.clicks, few.clicks]).toEqual([32_000, 8_000])
  })
})
