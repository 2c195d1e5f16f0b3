import { describe, expect, it } from 'vitest'
import { HEALTH_NUMBERS } from '@/lib/links/health'
import { DAY, HOUR } from '@/lib/tools/time'
import { afterCheck, type Finding, type Health, ofFailure, ofStatus } from './judge'
import { looksParked } from './parking'

const gone: Finding = { is: 'wrong', reason: 'status', status: 404 }
const unreachable: Finding = { is: 'wrong', reason: 'timeout', status: null }
const parked: Finding = { is: 'wrong', reason: 'parked', status: 200 }
const checked = (findings: readonly (readonly [hours: number, finding: Finding])[]) =>
  findings.reduce<Health | null>((health, [hours, finding]) => afterCheck(health, finding, hours * HOUR), null)

describe('a destination', () => {
  it('is dead after three failures over two days, in whatever way it failed, and not before', () => {
    expect(checked([[0, gone]])?.state).toBe(HEALTH_NUMBERS.failing)
    expect(
      checked([
        [0, gone],
        [1, gone],
        [2, gone],
        [40, gone],
      ])?.state,
    ).toBe(HEALTH_NUMBERS.failing)
    expect(
      checked([
        [0, gone],
        [48, unreachable],
      ])?.state,
    ).toBe(HEALTH_NUMBERS.failing)
    expect(
      checked([
        [0, gone],
        [24, unreachable],
        [48, gone],
      ]),
    ).toMatchObject({ state: HEALTH_NUMBERS.dead, failures: 3, since: 0, reason: 'status', status: 404 })
  })

  it('is well as soon as it answers, and starts over', () => {
    expect(
      checked([
        [0, gone],
        [24, gone],
        [48, gone],
        [72, { is: 'well' }],
      ]),
    ).toBeNull()
    expect(
      checked([
        [0, gone],
        [24, gone],
        [30, { is: 'well' }],
        [48, gone],
      ])?.state,
    ).toBe(HEALTH_NUMBERS.failing)
  })

  it('stays what it was when a check says nothing', () => {
    const dead = checked([
      [0, gone],
      [24, gone],
      [48, gone],
    ])
    expect(afterCheck(dead, { is: 'unknown' }, 3 * DAY)).toMatchObject({ state: HEALTH_NUMBERS.dead, failures: 3 })
    expect(checked([[0, { is: 'unknown' }]])).toBeNull()
  })

  it('looks parked after two checks, and is a threat at once', () => {
    expect(checked([[0, parked]])?.state).toBe(HEALTH_NUMBERS.failing)
    expect(
      checked([
        [0, parked],
        [24, parked],
      ])?.state,
    ).toBe(HEALTH_NUMBERS.parked)
    expect(
      checked([
        [0, gone],
        [24, parked],
      ])?.state,
    ).toBe(HEALTH_NUMBERS.failing)
    expect(checked([[0, { is: 'wrong', reason: 'threat', status: null }]])?.state).toBe(HEALTH_NUMBERS.threat)
  })

  it.each([
    [200, 'well'],
    [204, 'well'],
    [304, 'well'],
    [404, 'wrong'],
    [410, 'wrong'],
    [500, 'wrong'],
    [503, 'wrong'],
    [401, 'unknown'],
    [403, 'unknown'],
    [405, 'unknown'],
    [418, 'unknown'],
    [429, 'unknown'],
    [451, 'unknown'],
  ])('that answers %i is %s', (status, is) => {
    expect(ofStatus(status).is).toBe(is)
  })

  it.each([
    ['name', 'wrong'],
    ['certificate', 'wrong'],
    ['connection', 'wrong'],
    ['timeout', 'wrong'],
    ['redirects', 'wrong'],
    ['private', 'unknown'],
    ['port', 'unknown'],
    ['scheme', 'unknown'],
    ['encoding', 'unknown'],
    ['other', 'unknown'],
  ] as const)('that cannot be asked for its %s is %s', (failure, is) => {
    expect(ofFailure(failure).is).toBe(is)
  })
})

describe('a page', () => {
  const from = new URL('https://old.example/page')
  it.each([
    ['ends at a service that parks names', new URL('https://www.hugedomains.com/domain_profile.cfm?d=old'), ''],
    ['is made by such a service', from, '<script src="https://img.sedoparking.com/templates/x.js"></script>'],
    ['offers its own host for sale', from, '<title>old.example is for sale. This domain is for sale!</title>'],
  ])('looks parked that %s', (_, at, html) => {
    expect(looksParked(from, at, html)).toBe(true)
  })

  it.each([
    ['writes about it', from, '<title>How to buy this domain</title>'],
    ['sells another', from, '<title>This domain is for sale: other.example</title>'],
    ['is such a service itself', new URL('https://www.sedo.com/'), '<title>Sedo</title>'],
    ['has a cart', new URL('https://shop.example/'), '<title>Shop: all for sale</title>'],
  ])('does not that %s', (_, at, html) => {
    expect(looksParked(from, at, html)).toBe(false)
  })

  it('does not where the link leads to such a service on purpose', () => {
    const dan = new URL('https://dan.com/buy-domain/x')
    expect(looksParked(dan, dan, '')).toBe(false)
  })
})
