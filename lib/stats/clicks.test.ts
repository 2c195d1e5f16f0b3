import { describe, expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks, type TestClick } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { allClicks, listClicks } from './clicks'
import { clicksCsv, csvName, statsCsv } from './csv'
import { ClicksExportQuery, ClicksQuery, type ClickView, StatsQuery } from './schemas'
import { getStats } from './stats'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 4)
atEnd(() => db.close())

const BASE = Date.UTC(2026, 9, 20)
const NOW = new Date(BASE + 86_400_000)

async function linkWith(clicks: TestClick[]) {
  const link = { id: nextId(), createdAt: new Date(BASE) }
  await keepClicks(connection, link.id, clicks)
  return link
}

const page = (link: { id: bigint }, query: Record<string, string> = {}) => listClicks({ db }, link, ClicksQuery.parse(query), NOW)

async function gathered<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

describe('listClicks', () => {
  it('shows every click once, newest first, page by page, though many share a millisecond', async () => {
    const link = await linkWith(Array.from({ length: 25 }, (_, index) => ({ at: BASE + Math.floor(index / 10) })))
    await linkWith([{ at: BASE }])
    const seen: ClickView[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { clicks, nextCursor } = await page(link, { limit: '7', ...(cursor === '' ? {} : { cursor }) })
      expect(clicks.length).toBeLessThanOrEqual(7)
      seen.push(...clicks)
      cursor = nextCursor
    }
    const order = seen.map(({ at, id }) => `${at} ${id.padStart(20, '0')}`)
    expect(order).toEqual([...order].sort().reverse())
    expect(new Set(order).size).toBe(25)
  })

  it('takes filters, a kind, and a range', async () => {
    const link = await linkWith([
      { at: BASE, country: 'DE' },
      { at: BASE + 1, country: 'DE', kind: 'bot' },
      { at: BASE + 2, country: 'FR' },
    ])
    const times = async (query: Record<string, string>) => (await page(link, query)).clicks.map(({ at }) => Date.parse(at) - BASE)
    expect(await times({ country: 'DE' })).toEqual([1, 0])
    expect(await times({ country: 'DE', kind: 'person' })).toEqual([0])
    expect(await times({ from: new Date(BASE + 1).toISOString(), to: new Date(BASE + 2).toISOString() })).toEqual([1])
  })

  it.each(['1-1', 'x-y', '1-', "1-1' OR 1", `${'9'.repeat(30)}-1`])('refuses the cursor %s', async (cursor) => {
    await expect(page(await linkWith([]), { cursor })).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('an export of clicks', () => {
  it('holds all of them in order, in batches, and reads no further once nobody takes more', async () => {
    const link = await linkWith(
      Array.from({ length: 2_500 }, (_, index) => ({ at: BASE + Math.floor(index / 3), visitor: index })),
    )
    const batches = await gathered(allClicks({ db }, link, ClicksExportQuery.parse({}), NOW))
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 500])
    const times = batches.flat().map(({ at }) => at)
    expect(times).toEqual([...times].sort().reverse())
    expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(2_500)

    let reads = 0
    const counting = {
      rows: db.rows.bind(db),
      scan(...args: Parameters<typeof db.scan>) {
        reads += 1
        return db.scan(...args)
      },
    }
    const pieces = clicksCsv(allClicks({ db: counting as typeof db }, link, ClicksExportQuery.parse({}), NOW))
    await pieces.next()
    await pieces.next()
    await pieces.return()
    expect(reads).toBe(1)
  })
})

/** A reader of RFC 4180. */
function parse(csv: string): string[][] {
  const records: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

const HOSTILE = [
  ...[
    '=cmd()',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ';=cmd()',
    '＝1',
    '"quoted", and\r\nbroken',
    '<b>',
    '👩‍👩‍👧‍👦',
    'nul\0',
    "'; DROP TABLE Click; --",
  ],
]

describe('CSV', () => {
  it('brings any text through, and none that a spreadsheet would run', async () => {
    const link = await linkWith(HOSTILE.map((text, index) => ({ at: BASE + index, userAgent: text, city: text, utm_term: text })))
    const csv = (await gathered(clicksCsv(allClicks({ db }, link, ClicksExportQuery.parse({}), NOW)))).join('')
    const [header, ...records] = parse(csv)
    expect(records).toHaveLength(HOSTILE.length)
    const column = header?.indexOf('user_agent') ?? -1
    const texts = records.map((record) => record[column] ?? '')
    for (const cell of records.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/)
    const bare = (text: string) => text.replaceAll("'", '')
    expect(texts.map(bare).reverse()).toEqual(HOSTILE.map(bare))
    for (const record of records) expect(record).toHaveLength(header?.length ?? 0)
  })

  it('of statistics has the totals, each interval, and each value', async () => {
    const link = await linkWith([
      { at: BASE, country: 'DE', city: '=1+1', visitor: 1 },
      { at: BASE + 1, kind: 'bot' },
    ])
    const to = new Date(BASE + 7 * 3_600_000).toISOString()
    const stats = await getStats({ db }, link, StatsQuery.parse({ to }), 365, NOW)
    const records = parse([...statsCsv(stats)].join(''))
    expect(records.slice(0, 3)).toEqual([
      ['section', 'value', 'clicks', 'visitors', 'bots', 'previews', 'conversions', 'converted', 'revenue'],
      ['total', '', '2', '1', '1', '0', '0', '0', ''],
      ['hour', '2026-10-20T00:00:00.000Z', '2', '1', '', '', '', '', ''],
    ])
    expect(records).toContainEqual(['country', 'DE', '1', '1', '', '', '', '', ''])
    expect(records).toContainEqual(['city', "'=1+1", '1', '1', '', '', '', '', ''])
  })

  it.each([
    ['spring-sale', 'spring-sale-stats.csv'],
    ['../../etc/passwd', 'etc-passwd-stats.csv'],
    ['a"; filename="x\r\n', 'a-filename-x-stats.csv'],
    ['早い', 'link-stats.csv'],
    ['x'.repeat(128), `${'x'.repeat(60)}-stats.csv`],
  ])('of %j is named %s', (code, name) => {
    expect(csvName(code, 'stats')).toBe(name)
  })
})
