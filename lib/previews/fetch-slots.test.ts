import { describe, expect, it } from 'vitest'
import { APART, type DueLink, FetchSlots, MOST_DUE, WAITING } from './fetch-slots'

let last = 0n
const link = (ownerId: string | null, host: string): DueLink => {
  last += 1n
  return { linkId: last, ownerId, url: `https://${host}/${last}` }
}
const links = (count: number, ownerId: string, host = (n: number) => `${n}.example`) =>
  Array.from({ length: count }, (_, n) => link(ownerId, host(n)))
const never = () => new Promise<void>(() => {})

describe('slots', () => {
  it('are shared: an account with many slow pages leaves room for others, whoever comes first', () => {
    const slots = new FetchSlots()
    const [alice, bob] = [links(40, 'alice'), link('bob', 'bob.example')]
    const { next } = slots.choose([...alice, bob])
    expect(next).toHaveLength(3)
    expect(next).toContain(bob)
    for (const one of next) slots.hold(one, never)
    const carol = link('carol', 'carol.example')
    expect(slots.choose([...alice, bob, carol]).next).toEqual([carol])
  })

  it('are no more than there are, the first of each account before the second of any', () => {
    const slots = new FetchSlots()
    const accounts = Array.from({ length: 10 }, (_, n) => `account ${n}`)
    const { next } = slots.choose(accounts.flatMap((account) => links(2, account)))
    expect(next.map(({ ownerId }) => ownerId)).toEqual(accounts.slice(0, 8))
    for (const one of next) slots.hold(one, never)
    expect(slots.choose([link('late', 'late.example')]).next).toEqual([])
  })

  it('ask a host for one page at a time for each account, and hold up no other host of it', () => {
    const slots = new FetchSlots()
    const same = links(5, 'alice', () => 'slow.example')
    const [other, bob] = [link('alice', 'other.example'), link('bob', 'slow.example')]
    expect(slots.choose([...same, other, bob]).next).toEqual([same[0], bob, other])
  })

  it('are given back when the work is done', async () => {
    const slots = new FetchSlots()
    const [one] = links(1, 'alice')
    if (!one) throw new Error('none')
    slots.hold(one, async () => {})
    expect(slots.choose([one]).next).toEqual([])
    await slots.ended(1_000)
    expect(slots.size).toBe(0)
    expect(slots.choose([one]).next).toEqual([one])
  })
})

describe('what an account has waiting', () => {
  it('stays where it is as far as it is little; the rest is given times, one after another, and hides nobody’s', () => {
    const slots = new FetchSlots()
    const alice = links(MOST_DUE, 'alice', () => 'slow.example')
    const { next, later } = slots.choose(alice, 1_000)
    expect(next).toEqual([alice[0]])
    const rest = alice.slice(1 + WAITING).map(({ linkId }) => linkId)
    expect(later).toEqual([{ linkIds: rest, wait: APART }])
    // Those that were read next come behind them.
    const more = links(WAITING + 3, 'alice', () => 'slow.example')
    expect(slots.choose(more, 1_000).later).toEqual([
      { linkIds: more.slice(-2).map(({ linkId }) => linkId), wait: (rest.length + 1) * APART },
    ])
    // An hour later all of these times are over.
    expect(
      slots.choose(
        links(WAITING + 2, 'alice', () => 'slow.example'),
        3_600_000,
      ).later,
    ).toMatchObject([{ wait: APART }])
  })

  it('counts for each account alone', () => {
    const accounts = Array.from({ length: 5 }, (_, n) => `account ${n}`)
    expect(new FetchSlots().choose(accounts.flatMap((account) => links(WAITING, account))).later).toEqual([])
  })
})
