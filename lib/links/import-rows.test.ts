import { describe, expect, it } from 'vitest'
import { fieldsOf, readSheet as readSheetUpTo } from './import-rows'

const MAX_ROWS = 20_000
const readSheet = (text: string) => readSheetUpTo(text, MAX_ROWS)
const rowsOf = async (text: string) => (await readSheet(text)).rows

describe('a list to import', () => {
  it('names its columns in any order, in any case, as this or another shortener does', async () => {
    expect(await rowsOf('title,url,code\nA page,https://a.example/,a\n')).toEqual([
      { title: 'A page', url: 'https://a.example/', code: 'a' },
    ])
    expect(await rowsOf('keyword,url,title\nab,https://a.example/,\n')).toEqual([{ code: 'ab', url: 'https://a.example/' }])
    expect(await rowsOf('Short code,Long URL,Max visits\nx,https://a.example/,7')).toEqual([
      { code: 'x', url: 'https://a.example/', maxClicks: '7' },
    ])
  })

  it('may be separated by commas, semicolons or tabs, quoted, and begin with a byte order mark', async () => {
    const row = { url: 'https://a.example/?a=1,2;3', title: 'He said “no”, "twice"\nand left' }
    const quoted = '"He said “no”, ""twice""\nand left"'
    for (const mark of [',', ';', '\t']) {
      expect(await rowsOf(`\uFEFFurl${mark}title\r\n"https://a.example/?a=1,2;3"${mark}${quoted}\r\n\r\n`)).toEqual([row])
    }
  })

  it('may be addresses alone, with codes and titles behind them', async () => {
    expect(await rowsOf('https://a.example/\nhttps://b.example/,b,Bee\n')).toEqual([
      { url: 'https://a.example/' },
      { url: 'https://b.example/', code: 'b', title: 'Bee' },
    ])
  })

  it('keeps lines that are too short or too long, and says which columns it passes over', async () => {
    expect(await readSheet('url,code,Created at,Visits\nhttps://a.example/\nhttps://b.example/,b,x,1,more\n')).toEqual({
      rows: [{ url: 'https://a.example/' }, { url: 'https://b.example/', code: 'b' }],
      unknown: ['Created at', 'Visits'],
    })
  })

  it('loses in titles what nobody sees, and keeps the rest for the row to be refused', async () => {
    expect(
      await rowsOf('url,code,title\nhttps://a.example/,a\u0001,A\u0001\u202e page\nhttps://b.example/,,\u0001\u0001'),
    ).toEqual([{ url: 'https://a.example/', code: 'a\u0001', title: 'A page' }, { url: 'https://b.example/' }])
  })

  it.each([
    ['', 'file is empty'],
    ['  \n \n', 'file is empty'],
    ['name,colour\na,b', 'no `url` column'],
    ['url,code\n', 'no rows'],
    ['url\n"https://a.example/', 'never closed (line 2)'],
    ['url,password\nhttps://a.example/,secret', 'Links with passwords'],
  ])('%j is refused: %s', async (text, message) => {
    await expect(readSheet(text)).rejects.toThrow(message)
  })

  it('is refused when it is too long', async () => {
    await expect(readSheet(`url\n${'https://a.example/\n'.repeat(MAX_ROWS + 1)}`)).rejects.toThrow('more than 20,000 links')
  })

  it('may have a column for passwords that is empty, and as many rows as are allowed', async () => {
    expect(await rowsOf('url,password\nhttps://a.example/,')).toHaveLength(1)
    expect(await rowsOf(`url\n${'https://a.example/\n'.repeat(MAX_ROWS)}`)).toHaveLength(MAX_ROWS)
  })
})

describe('a row', () => {
  it('gives numbers, truths and times in their own form', () => {
    expect(
      fieldsOf({
        url: 'x',
        maxClicks: '7',
        redirectStatus: '301',
        listed: 'Yes',
        startsAt: '2030-01-31',
        expiresAt: '2030-02-01 9:00',
      }),
    ).toEqual({
      url: 'x',
      maxClicks: 7,
      redirectStatus: 301,
      listed: true,
      startsAt: '2030-01-31T00:00:00Z',
      // Not a time that can be told for sure: the schema says so.
      expiresAt: '2030-02-01 9:00',
    })
    expect(fieldsOf({ listed: '0', enabled: 'FALSE' })).toEqual({ listed: false, enabled: false })
  })

  it.each([
    ['2030-02-01 09:30', '2030-02-01T09:30:00Z'],
    ['2030-02-01T09:30:15', '2030-02-01T09:30:15Z'],
    ['2030-02-01T09:30:15.250+02:00', '2030-02-01T09:30:15.250+02:00'],
    ['2030-02-01 09:30:15 +02:00', '2030-02-01T09:30:15+02:00'],
    ['2030-02-01t09:30z', '2030-02-01T09:30:00Z'],
    ['1.2.2030', '1.2.2030'],
  ])('reads the time %s', (written, time) => {
    expect(fieldsOf({ expiresAt: written }).expiresAt).toBe(time)
  })

  it('leaves what it cannot read for the schema to refuse', () => {
    const row = { maxClicks: 'many', redirectStatus: '30x', listed: 'perhaps', enabled: 'maybe' }
    expect(fieldsOf(row)).toEqual(row)
  })
})
