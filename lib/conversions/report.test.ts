import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextId } from '@/lib/db/id'
import { writer } from '@/lib/i18n/translate'
import { idempotencyOf } from '@/lib/links/idempotency'
import { ClickIds, WINDOW_DAYS } from '@/lib/routing/click-ids'
import { StatsQuery } from '@/lib/stats/schemas'
import { getStats } from '@/lib/stats/stats'
import { keepAccount } from '@/lib/testing/accounts'
import { keepClicks } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { SECRET, testRuntime } from '@/lib/testing/runtime'
import { DAY, HOUR } from '@/lib/tools/time'
import { answerReport } from './answer'
import { deleteConversionsOf } from './delete'
import { reportConversions } from './report'

const { url, connection } = await testDatabase()
const server = await testRedis()
const runtime = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
const tokens = new ClickIds(SECRET)
const alice = { id: 'alice' }
const bob = { id: 'bob' }
const write = writer({ language: 'en', locale: 'en-GB' })
beforeAll(() => Promise.all([keepAccount(runtime.db, 'alice'), keepAccount(runtime.db, 'bob')]))

/** A link of alice's, without more than its row. */
let link = { id: 0n, createdAt: new Date() }
beforeEach(async () => {
  link = { id: nextId(), createdAt: new Date(NOW - DAY) }
  await connection.query(
    `INSERT INTO Link (id, domainId, code, fullShortUrl, url, urlHash, ownerId, createdAt, updatedAt, version)
     VALUES (?, 1, ?, ?, 'https://a.example/', '', 'alice', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), ?)`,
    [link.id, `c${link.id}`, `localhost/c${link.id}`, link.id],
  )
})

const NOW = Math.floor(Date.now() / HOUR) * HOUR - HOUR
const click = (at = NOW, name = '', linkId = link.id) => tokens.make(String(linkId), at, name)
const report = (conversions: object[], account = alice) => reportConversions(runtime, account, conversions)
const outcomes = async (conversions: object[], account = alice) =>
  (await report(conversions, account)).map(({ outcome }) => outcome)
const told = async (query: object = {}) => {
  const input = StatsQuery.parse({ from: new Date(NOW - DAY).toISOString(), to: new Date(NOW + HOUR).toISOString(), ...query })
  const { conversions } = await getStats(runtime, link, input, Number.POSITIVE_INFINITY)
  return conversions
}
const problems = async (conversion: object, account = alice) => {
  const [result] = await report([conversion], account)
  return result?.outcome === 'refused' ? result.errors.map(({ path, message }) => `${path}: ${write(message)}`) : result?.outcome
}

describe('a conversion', () => {
  it('counts before its click is counted, and beside it afterwards', async () => {
    expect(await outcomes([{ clickId: click(), name: 'purchase', value: '49.90', currency: 'eur' }])).toEqual(['counted'])
    expect(await told()).toMatchObject({
      conversions: 1,
      converted: 1,
      rate: null,
      revenue: [{ currency: 'EUR', value: '49.90' }],
    })
    await keepClicks(connection, link.id, [
      { at: NOW, visitor: 1 },
      { at: NOW + 1, visitor: 2 },
      { at: NOW + 2, visitor: 3, kind: 'bot' },
    ])
    expect(await told()).toMatchObject({ conversions: 1, converted: 1, rate: 0.5, names: [{ name: 'purchase', conversions: 1 }] })
  })

  it('counts once, however often and by however many at once it is reported', async () => {
    const clickId = click()
    const one = { clickId, eventId: 'order-1', value: 10, currency: 'EUR' }
    const all = await Promise.all(Array.from({ length: 16 }, () => outcomes([one, one])))
    expect(all.flat().filter((outcome) => outcome === 'counted')).toHaveLength(1)
    expect(all.flat().filter((outcome) => outcome === 'repeated')).toHaveLength(31)
    expect(await told()).toMatchObject({ conversions: 1, converted: 1, revenue: [{ currency: 'EUR', value: '10.00' }] })
  })

  it('makes a click converted once, whatever came of it, with 16 events at once', async () => {
    const clickId = click()
    await Promise.all(Array.from({ length: 16 }, (_, i) => report([{ clickId, eventId: `event-${i}-${link.id}` }])))
    expect(await told()).toMatchObject({ conversions: 16, converted: 1 })
  })

  it('is another one for each event, and without an ID of the event for each report', async () => {
    const clickId = click()
    expect(await outcomes([{ clickId }, { clickId }, { clickId, eventId: `a${link.id}` }])).toEqual([
      'counted',
      'counted',
      'counted',
    ])
    expect(await told()).toMatchObject({ conversions: 3, converted: 1 })
  })

  it('counts up to 100 times for a click, however many reports come at once', async () => {
    const clickId = click()
    const many = Array.from({ length: 80 }, () => ({ clickId }))
    const all = (await Promise.all([outcomes(many), outcomes(many), outcomes([...many, { clickId: click(NOW + 1) }])])).flat()
    expect(all.filter((outcome) => outcome === 'counted')).toHaveLength(101)
    expect(all.filter((outcome) => outcome === 'refused')).toHaveLength(140)
    expect(await problems({ clickId })).toEqual(['clickId: At most 100 events count for a click.'])
    expect(await told()).toMatchObject({ conversions: 101, converted: 2 })
  })

  it('has a name of its own among the first 50 of its hour, and is in the totals under any', async () => {
    const named = (from: number, currency: string) =>
      Array.from({ length: 40 }, (_, i) => ({ clickId: click(NOW + from), name: `name-${from + i}`, value: '1', currency }))
    const all = await Promise.all([0, 40, 80, 120].map((from) => outcomes(named(from, from < 80 ? 'EUR' : 'JPY'))))
    expect(new Set(all.flat())).toEqual(new Set(['counted']))
    const rows = await connection.query<{ span: number; n: bigint }[]>(
      'SELECT span, COUNT(*) AS n FROM ConversionRollup WHERE linkId = ? AND conversions > 0 GROUP BY span',
      [link.id],
    )
    for (const { n } of rows) expect(Number(n)).toBeLessThanOrEqual(52)
    const { conversions, revenue, names } = (await told()) ?? {}
    expect({ conversions, revenue }).toEqual({
      conversions: 160,
      revenue: [
        { currency: 'EUR', value: '80.00' },
        { currency: 'JPY', value: '80' },
      ],
    })
    expect(names).toHaveLength(50)
    expect(names?.every(({ name }) => name.startsWith('name-'))).toBe(true)
    const known = String(names?.[0]?.name)
    await report([{ clickId: click(NOW + 9), name: known, value: '1', currency: names?.[0]?.revenue[0]?.currency }])
    expect((await told())?.names[0]).toMatchObject({ name: known, conversions: 2 })
  })

  it('keeps currencies apart, takes refunds from the revenue, and counts those for no conversion', async () => {
    const [one, two] = [click(), click()]
    await report([
      { clickId: one, value: '100', currency: 'EUR', name: 'purchase' },
      { clickId: two, value: '5000', currency: 'JPY', name: 'purchase' },
      { clickId: one, value: '-30.5', currency: 'EUR', name: 'refund' },
      { clickId: click(), value: '-1', currency: 'EUR', name: 'refund' },
      { clickId: click(), name: 'sign-up' },
    ])
    expect(await told()).toMatchObject({
      conversions: 3,
      converted: 3,
      revenue: [
        { currency: 'EUR', value: '68.50' },
        { currency: 'JPY', value: '5000' },
      ],
      names: [
        { name: 'purchase', conversions: 2, revenue: [{ value: '100.00' }, { value: '5000' }] },
        { name: 'sign-up', conversions: 1, revenue: [] },
        { name: 'refund', conversions: 0, revenue: [{ currency: 'EUR', value: '-31.50' }] },
      ],
    })
  })

  it('adds up exactly, beyond what a double holds', async () => {
    const most = '10000000000000'
    await report(Array.from({ length: 100 }, (_, i) => ({ clickId: click(), value: i === 0 ? '0.01' : most, currency: 'EUR' })))
    expect((await told())?.revenue).toEqual([{ currency: 'EUR', value: '990000000000000.01' }])
  })

  it('is told by destination, hour and day, and in minutes', async () => {
    const [A, B] = ['https://a.example/', 'https://b.example/']
    await keepClicks(connection, link.id, [
      { at: NOW - 5 * HOUR, visitor: 1, destination: A },
      { at: NOW, visitor: 1, destination: A },
      { at: NOW, visitor: 2, destination: B },
    ])
    await report([
      { clickId: click(NOW - 5 * HOUR, A), value: '1', currency: 'EUR' },
      { clickId: click(NOW, B), value: '2', currency: 'EUR' },
    ])
    const hours = await told({ interval: 'hour' })
    expect(hours?.destinations).toEqual([
      { value: A, conversions: 1, converted: 1, rate: 0.5, revenue: [{ currency: 'EUR', value: '1.00' }] },
      { value: B, conversions: 1, converted: 1, rate: 1, revenue: [{ currency: 'EUR', value: '2.00' }] },
    ])
    const counted = hours?.series.filter(({ conversions }) => conversions > 0).map(({ at }) => Date.parse(at))
    expect(counted).toEqual([NOW - 5 * HOUR, NOW])
    expect(await told({ destination: B })).toMatchObject({
      conversions: 1,
      rate: 1,
      revenue: [{ currency: 'EUR', value: '2.00' }],
    })
    const from = new Date(NOW - 60_000).toISOString()
    const minutes = { from, to: new Date(NOW + 60_000).toISOString(), interval: 'minute' }
    expect(await told(minutes)).toMatchObject({
      conversions: 1,
      converted: 1,
      rate: 0.5,
      series: [],
      revenue: [{ value: '2.00' }],
    })
    expect(await told({ country: 'DE' })).toBeNull()
    expect(await told({ kind: 'bot' })).toBeNull()
  })

  it('is refused with what is wrong, and the others count', async () => {
    const clickId = click()
    expect(await outcomes([{ clickId: 'x' }, { clickId }, 7 as never, { clickId, value: 'x', currency: 'EUR' }])).toEqual([
      ...['refused', 'counted', 'refused', 'refused'],
    ])
    const own = (wrong: object) => problems({ clickId, ...wrong })
    expect(await own({ clickId: `${clickId.slice(0, -1)}-` })).toEqual([
      'clickId: This click ID isn’t one that this site created.',
    ])
    expect(await problems({ clickId }, bob)).toEqual(['clickId: The link of this click isn’t yours, or it no longer exists.'])
    expect(await own({ clickId: click(NOW, '', nextId()) })).toEqual([
      'clickId: The link of this click isn’t yours, or it no longer exists.',
    ])
    expect(await own({ clickId: click(NOW - (WINDOW_DAYS + 1) * DAY) })).toEqual([
      'clickId: This click ID has expired. Conversions count up to 90 days after the click.',
    ])
    expect(await own({ value: '1' })).toEqual(['currency: Enter a value.'])
    expect(await own({ currency: 'EUR' })).toEqual(['value: Enter a value.'])
    expect(await own({ value: '1', currency: 'XYZ' })).toEqual(['currency: Use an ISO 4217 code, such as EUR.'])
    expect(await own({ value: '1.234', currency: 'EUR' })).toEqual([
      'value: Use a decimal number with no more digits than EUR has, such as 49.90.',
    ])
    expect(await own({ value: 2 ** 53, currency: 'EUR' })).toEqual([
      'value: This number is too large to arrive exactly. Send a smaller value.',
    ])
    expect(await own({ value: '10000000000000.01', currency: 'EUR' })).toEqual(['value: Use a value up to 10000000000000.00.'])
    expect(await own({ at: new Date(Date.now() + DAY).toISOString() })).toEqual(['at: This time is in the future.'])
    expect(await own({ at: new Date(NOW - DAY).toISOString() })).toEqual(['at: This time is before the click.'])
    expect(await own({ name: 'x'.repeat(41) })).toEqual(['name: Use at most 40 characters.'])
    expect(await own({ visitor: 'x' })).toEqual(['visitor: There’s no such field.'])
  })

  it('goes with its account, and counts for a link in the bin', async () => {
    await report([{ clickId: click() }])
    await connection.query(
      `INSERT INTO DeletedLink (id, domainId, code, fullShortUrl, ownerId, snapshot, version, deletedAt)
       SELECT id, domainId, code, fullShortUrl, ownerId, '', version, UTC_TIMESTAMP(3) FROM Link WHERE id = ?`,
      [link.id],
    )
    await connection.query('DELETE FROM Link WHERE id = ?', [link.id])
    expect(await outcomes([{ clickId: click() }])).toEqual(['counted'])
    expect(await told()).toMatchObject({ conversions: 2 })
    await deleteConversionsOf(runtime.db, 'alice')
    expect(await told()).toMatchObject({ conversions: 0, revenue: [] })
    expect(await connection.query('SELECT * FROM Conversion WHERE linkId = ?', [link.id])).toEqual([])
  })
})

describe('a report with a key', () => {
  const named = (key: string, body: unknown) => idempotencyOf(SECRET, key, 'alice', body)
  const send = (key: string, inputs: object[]) => answerReport(runtime, alice, inputs, named(key, inputs), write)

  it('is answered the same again, also when it comes twice at once, and counts once', async () => {
    const inputs = [{ clickId: click() }, { clickId: 'x' }]
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(`k${link.id}`, inputs)))
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    for (const answer of answers) expect(answer).toMatchObject({ counted: 1, refused: 1, results: answers[0]?.results })
    expect(await told()).toMatchObject({ conversions: 1 })
    await expect(send(`k${link.id}`, [{ clickId: click() }])).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('is refused as a whole where all are wrong, which is not remembered', async () => {
    await expect(send(`w${link.id}`, [{ clickId: 'x' }, { clickId: 'y' }])).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'conversions.0.clickId' }, { path: 'conversions.1.clickId' }],
    })
    await expect(send(`w${link.id}`, [{ clickId: 'x' }])).rejects.toMatchObject({ errors: [{ path: 'conversions.0.clickId' }] })
  })
})
