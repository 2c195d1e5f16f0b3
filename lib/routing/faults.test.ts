import { describe, expect, it } from 'vitest'
import { faultsOf } from './faults'
import type { Condition } from './rules'

const NOW = Date.UTC(2026, 10, 22)
const at = (ms: number) => new Date(NOW + ms).toISOString()
const url = 'https://there.example/'
const of = (...rules: Condition[][]) =>
  faultsOf(
    rules.map((when) => ({ when, url })),
    NOW,
  )

describe('a rule that can never decide', () => {
  it.each<[string, Condition[], string, number]>([
    ['a list of nothing', [{ of: 'os', in: [] }], 'none', 0],
    ['no day of the week', [{ of: 'time', zone: 'UTC', days: [] }], 'none', 0],
    ['a time that ends before it begins', [{ of: 'date', from: at(2), to: at(1) }], 'empty', 0],
    ['a time that is over', [{ of: 'date', to: at(0) }], 'over', 0],
    [
      'two systems at once',
      [
        { of: 'os', in: ['iOS'] },
        { of: 'device', in: ['mobile'] },
        { of: 'os', in: ['Android', 'Windows'] },
      ],
      'conflict',
      2,
    ],
    [
      'a country and not this country',
      [
        { of: 'country', in: ['DE', 'AT'] },
        { of: 'country', in: ['DE', 'AT', 'CH'], not: true },
      ],
      'conflict',
      1,
    ],
    [
      'not a country and this country',
      [
        { of: 'country', in: ['DE', 'AT', 'CH'], not: true },
        { of: 'country', in: ['DE', 'AT'] },
      ],
      'conflict',
      1,
    ],
    [
      'two times that do not meet',
      [
        { of: 'date', to: at(5) },
        { of: 'date', from: at(5) },
      ],
      'conflict',
      0,
    ],
  ])('%s', (_, when, why, place) => {
    expect(of(when)).toEqual([{ rule: 0, why, place }])
  })

  it.each<[string, Condition[], Condition[]]>([
    ['the same', [{ of: 'os', in: ['iOS'] }], [{ of: 'os', in: ['iOS'] }]],
    ['one without conditions', [], [{ of: 'os', in: ['iOS'] }]],
    ['the same in other letters', [{ of: 'os', in: ['ios'] }], [{ of: 'os', in: ['iOS'] }]],
    ['a longer list', [{ of: 'os', in: ['iOS', 'Android'] }], [{ of: 'os', in: ['Android'] }]],
    [
      'fewer conditions',
      [{ of: 'os', in: ['iOS'] }],
      [
        { of: 'country', in: ['DE'] },
        { of: 'os', in: ['iOS'] },
      ],
    ],
    ['fewer exceptions', [{ of: 'os', in: ['iOS'], not: true }], [{ of: 'os', in: ['iOS', 'Android'], not: true }]],
    ['a longer time', [{ of: 'date', to: at(9) }], [{ of: 'date', from: at(0), to: at(9) }]],
    ['any value of a parameter', [{ of: 'query', name: 'a' }], [{ of: 'query', name: 'a', in: ['1'] }]],
    ['more days', [{ of: 'time', zone: 'UTC', from: '00:05' }], [{ of: 'time', zone: 'UTC', from: '00:05', days: [1] }]],
  ])('is behind %s', (_, before, after) => {
    expect(of(before, after)).toEqual([{ rule: 1, why: 'shadowed', place: 0 }])
  })

  it('is told from those that can', () => {
    expect(
      of(
        [{ of: 'os', in: ['iOS'] }],
        [{ of: 'os', in: ['iOS', 'Android'] }],
        [{ of: 'country', in: ['DE'], not: true }],
        [
          { of: 'country', in: [], not: true },
          { of: 'query', name: 'a', in: ['1'] },
        ],
        [{ of: 'query', name: 'a', in: ['1', '2'] }],
        [{ of: 'query', name: 'c', in: ['X'] }],
        [{ of: 'query', name: 'c', in: ['x'] }],
        [{ of: 'query', name: 'b' }],
        [
          { of: 'query', name: 'b', not: true },
          { of: 'date', from: at(5), to: at(6) },
        ],
        [
          { of: 'referrer', in: ['example.com'] },
          { of: 'referrer', in: ['shop.example.com'] },
        ],
        [{ of: 'time', zone: 'UTC', from: '00:05', days: [1] }],
        [{ of: 'time', zone: 'UTC', from: '00:05' }],
        [],
      ),
    ).toEqual([])
  })
})
