import { describe, expect, it } from 'vitest'
import { type FieldChange, isLeading } from './changes'
import { Pasts, pastOf } from './past'

const createdAt = new Date('2026-01-01T00:00:00Z')
const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const change = (n: number, changes: FieldChange[], wasOpen = true) => ({ at: day(n), wasOpen, changes: JSON.stringify(changes) })
const url = (from: string, to: string): FieldChange => ({ field: 'url', from, to })
const now = { url: 'https://c.example/', routing: null }
const open = { createdAt, historyHiddenAt: null }

describe('where a link led before', () => {
  it('is nowhere else, of a link that was never changed', () => {
    expect(pastOf(now, open, [], 0)).toEqual({ since: +createdAt, hiddenSince: null, before: [], more: 0 })
  })

  it('is told the latest first, each until it was replaced', () => {
    const changes = [
      change(9, [url('https://b.example/', now.url), { field: 'title', from: '', to: 'C' }]),
      change(5, [url('https://a.example/', 'https://b.example/')]),
    ]
    expect(pastOf(now, open, changes, 3)).toEqual({
      since: +day(9),
      hiddenSince: null,
      before: [
        { to: { url: 'https://b.example/', others: [] }, until: +day(9) },
        { to: { url: 'https://a.example/', others: [] }, until: +day(5) },
      ],
      more: 3,
    })
  })

  it('names where rules led some visitors, and passes over changes of conditions alone', () => {
    const when = (os: string) => ({ rules: [{ when: [{ of: 'os' as const, in: [os] }], url: 'https://ios.example/' }] })
    const changes = [
      change(9, [{ field: 'routing', from: when('iOS'), to: null }]),
      change(8, [{ field: 'routing', from: when('macOS'), to: when('iOS') }]),
      change(7, [{ field: 'routing', from: null, to: when('macOS') }]),
    ]
    const { since, before } = pastOf(now, open, changes, 0)
    expect(since).toBe(+day(9))
    expect(before).toEqual([
      { to: { url: now.url, others: ['https://ios.example/'] }, until: +day(9) },
      { to: { url: now.url, others: [] }, until: +day(7) },
    ])
  })

  it('names all of a split until its end, and then the one that stays', () => {
    const variants = ['https://a.example/', 'https://b.example/'].map((to) => ({ url: to, weight: 50 }))
    const routing = { split: { variants, winner: 'https://b.example/' } }
    const { before } = pastOf(
      { ...now, routing },
      open,
      [change(9, [{ field: 'routing', from: { split: { variants } }, to: routing }])],
      0,
    )
    expect(before).toEqual([{ to: { url: now.url, others: variants.map((variant) => variant.url) }, until: +day(9) }])
  })

  it('keeps to itself what visitors could not see at the time, but not that there was something', () => {
    const { since, before } = pastOf(now, open, [change(9, [url('https://secret.example/', now.url)], false)], 0)
    expect(since).toBe(+day(9))
    expect(before).toEqual([{ to: null, until: +day(9) }])
  })

  it('tells where it led once it had ended, and that is no other destination', () => {
    const ended = (from: string | null, to: string | null): FieldChange => ({ field: 'expiredUrl', from, to })
    const changes = [
      change(9, [ended('https://over.example/', 'https://elsewhere.example/')]),
      change(7, [url('https://a.example/', now.url), ended(null, 'https://over.example/')]),
      change(5, [ended('https://locked.example/', null)], false),
    ]
    expect(isLeading([ended(null, 'https://over.example/')])).toBe(true)
    expect(pastOf(now, open, changes, 0)).toMatchObject({
      since: +day(7),
      before: [
        { to: { url: 'https://over.example/', others: [] }, until: +day(9), ended: true },
        { to: { url: 'https://a.example/', others: [] }, until: +day(7) },
        { to: { url: '', others: [] }, until: +day(7), ended: true },
        { to: null, until: +day(5), ended: true },
      ],
    })
  })

  it('says of one that was changed more often than is known no more than is known', () => {
    const changes = [9, 8].map((n) => change(n, [{ field: 'expiredUrl', from: null, to: 'https://over.example/' }]))
    expect(pastOf(now, open, changes, 0).since).toBe(+createdAt)
    expect(pastOf(now, open, changes, 1).since).toBe(+day(8))
  })

  it('is not told where the owner keeps it private; since when it leads where it leads, and since when that is so, is', () => {
    const hidden = { createdAt, historyHiddenAt: day(12) }
    const past = pastOf(now, hidden, [change(9, [url('https://b.example/', now.url)])], 4)
    expect(past).toEqual({ since: +day(9), hiddenSince: +day(12), before: [], more: 0 })
  })
})

it('remembers as many links as have short histories, and few of those with long ones', async () => {
  const long = { rules: [{ when: [{ of: 'os' as const, in: ['iOS'] }], url: `https://ios.example/${'x'.repeat(100_000)}` }] }
  const countOf = async (changes: unknown[]) => {
    let reads = 0
    const rows = async (sql: string) => {
      if (sql.includes('FROM Link ')) {
        reads++
        return [open]
      }
      return sql.includes('COUNT(*)') ? [{ count: changes.length }] : changes
    }
    const pasts = new Pasts({ rows: rows as never })
    for (let time = 0; time < 2; time++) {
      for (let id = 0; id < 100; id++) await pasts.find({ ...now, id: String(id), version: '1' })
    }
    return reads
  }
  expect(await countOf([change(9, [url('https://a.example/', now.url)])])).toBe(100)
  expect(await countOf([change(9, [{ field: 'routing', from: long, to: null }])])).toBe(200)
})
