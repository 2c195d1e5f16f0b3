import { expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks, type TestClick } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { DAY, HOUR } from '@/lib/tools/time'
import { listClicks } from './clicks'
import { ClicksQuery, StatsQuery } from './schemas'
import { sourceOf } from './sources'
import { getStats } from './stats'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 8)
atEnd(() => db.close())

const BASE = Date.UTC(2026, 9, 20)
const NOW = BASE + 10 * DAY

async function linkWith(clicks: TestClick[]) {
  const link = { id: nextId(), createdAt: new Date(BASE) }
  await keepClicks(connection, link.id, clicks)
  return link
}

const ask = (link: { id: bigint; createdAt: Date }, query: Record<string, string> = {}) =>
  getStats({ db }, link, StatsQuery.parse(query), 365, new Date(NOW))

it.each([
  ['t.co', 'X'],
  ['mobile.twitter.com', 'X'],
  ['l.facebook.com', 'Facebook'],
  ['m.facebook.com', 'Facebook'],
  ['com.facebook.katana', 'Facebook'],
  ['com.Slack', 'Slack'],
  ['app.slack.com', 'Slack'],
  ['google.com', 'Google'],
  ['google.de', 'Google'],
  ['images.google.co.uk', 'Google'],
  ['google.com.br', 'Google'],
  ['mail.google.com', 'Gmail'],
  ['r.search.yahoo.com', 'Yahoo'],
  ['old.reddit.com', 'Reddit'],
  ['google.example.com', 'google.example.com'],
  ['notfacebook.com', 'notfacebook.com'],
  ['facebook.com.evil.example', 'facebook.com.evil.example'],
  ['news.example', 'news.example'],
  ['localhost', 'localhost'],
  ['constructor', 'constructor'],
  ['', ''],
])('a click from %j came from %j', (host, source) => {
  expect(sourceOf(host)).toBe(source)
})

const hosts = ['t.co', 'x.com', 't.co', 'l.facebook.com', 'news.example', '']
const clicks = hosts.map((referrer, visitor) => ({ at: BASE + visitor * HOUR, referrer, visitor }))

it('hosts of one source are counted under its name, and under their own', async () => {
  const { breakdown } = await ask(await linkWith(clicks))
  const plain = (shares: { value: string; clicks: number }[]) => shares.map(({ value, clicks: count }) => [value, count])
  expect(plain(breakdown.source)).toEqual([
    ['X', 3],
    ['', 1],
    ['Facebook', 1],
    ['news.example', 1],
  ])
  expect(plain(breakdown.referrer).slice(0, 2)).toEqual([
    ['t.co', 2],
    ['', 1],
  ])
})

it('a source merges hosts that alone are too rare to be shown', async () => {
  const countries = ['de', 'fr', 'it', 'es', 'nl']
  const link = await linkWith([
    ...countries.map((country, visitor) => ({ at: BASE + visitor, referrer: `google.${country}`, visitor })),
    ...[6, 7, 8].map((visitor) => ({ at: BASE + visitor, referrer: 'news.example', visitor })),
  ])
  const { breakdown } = await ask(link, { limit: '1' })
  expect(breakdown.source).toEqual([{ value: 'Google', clicks: 5, visitors: 5 }])
  expect(breakdown.referrer).toEqual([{ value: 'news.example', clicks: 3, visitors: 3 }])
})

it.each<Record<string, string>>([{ country: '' }, {}])(
  'a filter by source finds the clicks of its hosts, and shows these (with %j)',
  async (more) => {
    const link = await linkWith(clicks)
    const x = await ask(link, { ...more, source: 'X' })
    expect(x).toMatchObject({ totals: { clicks: 3, visitors: 3 }, breakdown: { source: [{ value: 'X', clicks: 3 }] } })
    expect(x.breakdown.referrer).toEqual([
      { value: 't.co', clicks: 2, visitors: 2 },
      { value: 'x.com', clicks: 1, visitors: 1 },
    ])
    expect((await ask(link, { ...more, source: 'news.example' })).totals.clicks).toBe(1)
    expect((await ask(link, { ...more, source: '' })).totals.clicks).toBe(1)
    expect((await ask(link, { ...more, source: 'Reddit' })).totals.clicks).toBe(0)
    expect((await ask(link, { ...more, referrer: 't.co' })).breakdown.source).toEqual([{ value: 'X', clicks: 2, visitors: 2 }])
    const { clicks: listed } = await listClicks({ db }, link, ClicksQuery.parse({ ...more, source: 'X' }), new Date(NOW))
    expect(listed.map(({ referrer }) => referrer)).toEqual(['t.co', 'x.com', 't.co'])
  },
)
