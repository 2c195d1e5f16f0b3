import { describe, expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks, type TestClick } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { REHEARSED, rehearse } from './rehearsal'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 4)
atEnd(() => db.close())

const BASE = Date.UTC(2026, 9, 20)
const HOME = 'https://example.com/'
const GERMAN = { when: [{ of: 'country' as const, in: ['DE'] }], url: 'https://example.com/de' }
const CAMPAIGN = { when: [{ of: 'query' as const, name: 'utm_source', in: ['mail'] }], url: 'https://example.com/mail' }
const NEAR = {
  when: [
    { of: 'country' as const, in: ['FR'] },
    { of: 'address' as const, in: ['203.0.113.0/24'] },
  ],
  url: 'https://example.com/near',
}

async function linkWith(clicks: TestClick[]) {
  const link = { id: nextId(), url: HOME }
  await keepClicks(connection, link.id, clicks)
  return link
}

describe('rules are rehearsed', () => {
  it('on what is kept of clicks, each click once, and say what they cannot tell', async () => {
    const link = await linkWith([
      { at: BASE, country: 'DE', utm_source: 'mail' },
      { at: BASE + 1, country: 'FR' },
      { at: BASE + 2, country: 'IT', utm_source: 'mail' },
      { at: BASE + 3, country: 'IT' },
    ])
    expect(await rehearse({ db }, link, { rules: [GERMAN, NEAR, CAMPAIGN] })).toEqual({
      clicks: 4,
      unknown: 1,
      rules: [
        { url: GERMAN.url, clicks: 1 },
        { url: NEAR.url, clicks: 0 },
        { url: CAMPAIGN.url, clicks: 1 },
      ],
      others: [{ url: HOME, clicks: 1 }],
    })
  })

  it('on the latest 10,000, the others by the shares of a split', async () => {
    const old = Array.from({ length: 500 }, (_, i) => ({ at: BASE + i, country: 'DE' }))
    const late = Array.from({ length: REHEARSED }, (_, i) => ({ at: BASE + 1_000 + i, country: 'IT' }))
    const link = await linkWith([...old, ...late])
    const variants = [
      { url: 'https://example.com/a', weight: 75 },
      { url: 'https://example.com/b', weight: 25 },
    ]
    expect(await rehearse({ db }, link, { rules: [GERMAN], split: { variants } })).toEqual({
      clicks: REHEARSED,
      unknown: 0,
      rules: [{ url: GERMAN.url, clicks: 0 }],
      others: [
        { url: 'https://example.com/a', clicks: 7_500 },
        { url: 'https://example.com/b', clicks: 2_500 },
      ],
    })
    const winner = 'https://example.com/b'
    const { others } = await rehearse({ db }, link, { rules: [GERMAN], split: { variants, winner } })
    expect(others).toEqual([{ url: winner, clicks: REHEARSED }])
  })

  it('on a link that nobody followed yet', async () => {
    const link = await linkWith([])
    expect(await rehearse({ db }, link, { rules: [GERMAN] })).toMatchObject({
      clicks: 0,
      rules: [{ clicks: 0 }],
      others: [{ clicks: 0 }],
    })
  })
})
