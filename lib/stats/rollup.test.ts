import { expect, it } from 'vitest'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { hourlyValues } from './rollup'

it.each([1, 9, 10, 11, 5_000, 50_000])(
  'a year of %i hosts is asked for in parts of up to 20,000 steps, each hour once',
  async (hosts) => {
    const hours: number[] = []
    const rows = async (sql: string, _: bigint, values: string[]) => {
      const named = /hour IN \(([\d,]+)\)/.exec(sql)?.[1]?.split(',').map(Number) ?? []
      expect(named.length === 1 || named.length * values.length <= 20_000).toBe(true)
      hours.push(...named)
      return []
    }
    const values = Array.from({ length: hosts }, (_, i) => `host${i}.example`)
    await hourlyValues({ rows } as unknown as DatabaseGateway, [1n], { dimension: 'referrer', values }, 1_000, 9_760)
    expect(hours).toEqual(Array.from({ length: 8_760 }, (_, i) => 1_000 + i))
  },
)
