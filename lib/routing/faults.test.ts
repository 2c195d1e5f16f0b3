import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultsOf } from './faults'
import { type Condition, compileRules } from './rules'

const NOW = Date.UTC(2026, 10, 22)
const at = (ms: number) => new Date(NOW + ms).toISOString()
const url = 'https://there.example/'
const of = (...rules: Condition[][]) =>
  faultsOf(
    rules.map((when) => ({ when, url })),
    NOW,
  )

const some = (...values: string[]) => fc.subarray(values, { minLength: 1 })
const not = fc.constantFrom({}, { not: true })
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(some('iOS', 'android', 'Linux'), not).map(([values, rest]) => ({ of: 'os' as const, in: values, ...rest })),
  fc
    .tuple(some('example.com', 'shop.example.com', 'other.example', 'a.shop.example.com'), not)
    .map(([values, rest]) => ({ of: 'referrer' as const, in: values, ...rest })),
  fc.tuple(some('1', '2', '3'), not).map(([values, rest]) => ({ of: 'query' as const, name: 'a', in: values, ...rest })),
  not.map((rest) => ({ of: 'query' as const, name: 'a', ...rest })),
  fc
    .tuple(some('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '192.168.0.0/16', '2001:db8::/32', '::/0', '0.0.0.0/1'), not)
    .map(([values, rest]) => ({ of: 'address' as const, in: values, ...rest })),
  fc.constantFrom<Condition>({ of: 'date' }, { of: 'date', from: at(5) }, { of: 'date', to: at(5) }),
  fc
    .tuple(
      fc.subarray([1, 2, 7], { minLength: 1 }),
      fc.constantFrom('00:00', '09:00', '22:30'),
      fc.constantFrom('05:00', '09:00'),
    )
    .map(([days, from, to]) => ({ of: 'time' as const, zone: 'UTC', days, from, to })),
)
const visitor = fc.tuple(
  fc.record({
    device: fc.constant('mobile'),
    os: fc.constantFrom('iOS', 'Android', 'Linux', 'Windows', ''),
    browser: fc.constant(''),
    language: fc.constant(''),
    country: fc.constant(''),
    city: fc.constant(''),
    referrer: fc.constantFrom('', 'example.com', 'shop.example.com', 'a.shop.example.com', 'www.other.example', 'third.example'),
    query: fc.constantFrom('', '?a=1', '?a=2', '?a=1&a=2', '?a=2&a=3', '?a=4', '?a=1&a=4', '?a', '?b=1'),
    address: fc.constantFrom('10.0.0.1', '10.1.0.1', '10.1.2.3', '192.168.1.1', '200.0.0.1', '2001:db8::1', 'fe80::1', ''),
  }),
  // Any minute of a week.
  fc.integer({ min: 0, max: 7 * 1440 }).map((minute) => NOW + minute * 60_000),
)

describe('a rule that can never decide', () => {
  it.each<[string, Condition[], string, number]>([
    ['a list of nothing', [{ of: 'os', in: [] }], 'noValues', 0],
    ['no day of the week', [{ of: 'time', zone: 'UTC', days: [] }], 'noValues', 0],
    ['a time that ends before it begins', [{ of: 'date', from: at(2), to: at(1) }], 'emptyRange', 0],
    ['a time that is over', [{ of: 'date', to: at(0) }], 'past', 0],
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
    [
      'a parameter and none',
      [
        { of: 'query', name: 'a' },
        { of: 'query', name: 'a', not: true },
      ],
      'conflict',
      1,
    ],
    [
      'a value of a parameter and not this value',
      [
        { of: 'query', name: 'a', in: ['1', '2'], not: true },
        { of: 'query', name: 'b', in: ['1'] },
        { of: 'query', name: 'a', in: ['1'] },
      ],
      'conflict',
      2,
    ],
    [
      'two networks that do not meet',
      [
        { of: 'address', in: ['10.0.0.0/8', '2001:db8::/32'] },
        { of: 'address', in: ['192.168.0.0/16', '2001:db9::1'] },
      ],
      'conflict',
      1,
    ],
    [
      'a network and not all of it',
      [
        { of: 'address', in: ['10.0.0.0/8'] },
        { of: 'address', in: ['10.0.0.0/9', '::ffff:10.128.0.0/105'], not: true },
      ],
      'conflict',
      1,
    ],
    [
      'two days of the week',
      [
        { of: 'time', zone: 'Europe/Berlin', days: [1] },
        { of: 'time', zone: 'europe/berlin', days: [2] },
      ],
      'conflict',
      1,
    ],
    [
      'the night of a day and the morning before it',
      [
        { of: 'time', zone: 'UTC', days: [1], from: '22:00', to: '06:00' },
        { of: 'time', zone: 'UTC', days: [1], from: '00:00', to: '22:00' },
      ],
      'conflict',
      1,
    ],
    [
      'a site and not the one above it',
      [
        { of: 'referrer', in: ['shop.example.com', 'example.com'] },
        { of: 'referrer', in: ['example.com'], not: true },
      ],
      'conflict',
      1,
    ],
    [
      'two sites',
      [
        { of: 'referrer', in: ['example.com'] },
        { of: 'referrer', in: ['example.org', 'badexample.com'] },
      ],
      'conflict',
      1,
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
    ['a time without bounds', [{ of: 'date' }], [{ of: 'os', in: ['iOS'] }]],
    ['all of every week', [{ of: 'time', zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7] }], []],
    ['a whole day, from noon to noon', [{ of: 'time', zone: 'UTC', from: '12:00', to: '12:00' }], []],
    ['what it is not', [{ of: 'os', in: ['iOS'], not: true }], [{ of: 'os', in: ['Android'] }]],
    ['more days', [{ of: 'time', zone: 'UTC', from: '00:05' }], [{ of: 'time', zone: 'UTC', from: '00:05', days: [1] }]],
  ])('is behind %s', (_, before, after) => {
    expect(of(before, after)).toEqual([{ rule: 1, why: 'shadowed', place: 0 }])
  })

  it.each<[string, Condition[][], Condition[]]>([
    ['a system and all others', [[{ of: 'os', in: ['iOS'] }], [{ of: 'os', in: ['ios'], not: true }]], []],
    [
      'a parameter and none',
      [[{ of: 'query', name: 'a' }], [{ of: 'query', name: 'a', not: true }]],
      [{ of: 'os', in: ['iOS'] }],
    ],
    [
      'all its values, one by one',
      [
        [{ of: 'os', in: ['iOS'] }],
        [
          { of: 'os', in: ['Android'] },
          { of: 'country', in: ['DE', 'AT'] },
        ],
      ],
      [
        { of: 'os', in: ['Android', 'iOS'] },
        { of: 'country', in: ['DE'] },
      ],
    ],
    [
      'a network and all others',
      [[{ of: 'address', in: ['10.0.0.0/8'], not: true }], [{ of: 'address', in: ['10.0.0.0/8'] }]],
      [],
    ],
  ])('comes after %s', (_, before, after) => {
    expect(of(...before, after)).toEqual([{ rule: 2, why: 'covered', place: 2 }])
  })

  it('is none that a visitor was led by', () => {
    fc.assert(
      fc.property(fc.array(fc.array(condition, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (whens) => {
        const rules = whens.map((when, i) => ({ when, url: `${url}${i}` }))
        const never = new Set(faultsOf(rules, NOW).map(({ rule }) => rule))
        const ruleFor = compileRules(rules)
        const led = new Set(
          fc.sample(visitor, { numRuns: 300, seed: 7 }).flatMap(([facts, now]) => {
            const rule = ruleFor(facts, now)
            return rule ? [rules.indexOf(rule)] : []
          }),
        )
        return [...led].every((rule) => !never.has(rule))
      }),
      { numRuns: 300 },
    )
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
