import { describe, expect, it } from 'vitest'
import type { Message } from '@/lib/i18n/message'
import { inEnglish } from '@/lib/i18n/translate'
import { textOf } from '@/lib/tools/pieces-of-text'
import { type ImportFormat, readImport } from './import-source'
import { fieldsOf } from './properties'

async function readAll(text: string, format: ImportFormat = 'csv') {
  const told = { unknown: new Set<string>(), called: new Map<string, string>() }
  async function* bytes() {
    yield Buffer.from(text)
  }
  const rows: Record<string, unknown>[] = []
  for await (const some of readImport({ format, bytes: bytes() }, told)) rows.push(...some)
  return { rows, unknown: [...told.unknown] }
}
/** The rows without their lines. */
const rowsOf = async (text: string, format?: ImportFormat) => (await readAll(text, format)).rows.map(({ line: _, ...row }) => row)
const faultsOf = async (text: string, format?: ImportFormat) =>
  (await readAll(text, format)).rows.map(({ line, fault }) => [line, fault ? inEnglish(fault as Message) : ''])

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

  it('keeps lines that are too short, and says which columns it passes over', async () => {
    expect(await readAll('url,code,Made by hand,Visitors\nhttps://a.example/\nhttps://b.example/,b,x,1,,\n')).toEqual({
      rows: [
        { line: 2, url: 'https://a.example/' },
        { line: 3, url: 'https://b.example/', code: 'b' },
      ],
      unknown: ['Made by hand', 'Visitors'],
    })
  })

  it('says of each row what is wrong with it, and goes on', async () => {
    const csv = [
      'url,code,Code,password',
      'https://a.example/,a,a,',
      'https://a.example/,a,b,',
      'https://a.example/,,,secret',
      'https://a.example/,,,,more',
      'https://a.example/\0,,,',
      '"https://a.example/',
      'https://a.example/,,,',
    ].join('\n')
    expect(await faultsOf(csv)).toEqual([
      [2, ''],
      [3, expect.stringContaining('Two columns')],
      [4, expect.stringContaining('Links with passwords')],
      [5, 'This row has 5 cells, and there are 4 columns.'],
      [6, expect.stringContaining('zero characters')],
      [7, expect.stringContaining('never closed (line 7)')],
      [8, ''],
    ])
    expect(await faultsOf('{"url":"https://a.example/"}\n{"url":\n{"url":"x","password":"secret"}\n', 'json')).toEqual([
      [1, ''],
      [2, expect.stringContaining('mistake in it')],
      [3, expect.stringContaining('Links with passwords')],
    ])
  })

  it('takes a formula as data, and an export’s apostrophes away again', async () => {
    expect(await rowsOf("url,title\nhttps://a.example/,=1+1\nhttps://b.example/,'=1")).toEqual([
      { url: 'https://a.example/', title: '=1+1' },
      { url: 'https://b.example/', title: "'=1" },
    ])
    expect(await rowsOf(`url,title,shortUrl\nhttps://a.example/,'=1+1,\nhttps://b.example/,''=1,`)).toEqual([
      { url: 'https://a.example/', title: '=1+1' },
      { url: 'https://b.example/', title: "'=1" },
    ])
  })

  it('may be JSON, with values of any kind', async () => {
    const link = {
      url: 'https://a.example/',
      maxClicks: 5,
      listed: false,
      tags: ['a', 'b'],
      folder: null,
      routing: { rules: [] },
    }
    const row = { url: 'https://a.example/', maxClicks: '5', listed: 'false', tags: 'a, b', routing: '{"rules":[]}' }
    for (const text of [JSON.stringify([link]), JSON.stringify(link), JSON.stringify({ account: {}, links: [link] })]) {
      expect(await rowsOf(text, 'json')).toEqual([row])
    }
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
    [`url${',x'.repeat(1_000_000)}\nhttps://a.example/`, 'more than 200 columns'],
    [`"url${'x'.repeat(100_000)}`, 'more than 60,000 characters'],
  ])('%.20j is refused: %s', async (text, message) => {
    await expect(readAll(text)).rejects.toThrow(message)
  })

  it('that is JSON is refused as a whole where its array is broken', async () => {
    await expect(readAll('[{"url":"https://a.example/"}, {"url":', 'json')).rejects.toThrow('its end is missing')
    await expect(readAll(' ', 'json')).rejects.toThrow('file is empty')
  })

  it('that is JSON loses what lies too deep for whatever goes down into it, and nothing else', async () => {
    const deep = `{"url":"https://a.example/","title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const { rows } = await readAll(`[{"url":"https://b.example/"},${deep},{"url":"https://c.example/"}]`, 'json')
    expect(rows.map(({ url, fault }) => url ?? inEnglish(fault as Message))).toEqual([
      'https://b.example/',
      expect.stringContaining('more than 64 levels deep'),
      'https://c.example/',
    ])
  })

  it('that comes byte by byte is read in large pieces: what is held is not copied for each byte', async () => {
    const text = Buffer.from(`url,title\nhttps://a.example/,"${'é'.repeat(200_000)}"\n`)
    async function* bytes() {
      for (let i = 0; i < text.length; i++) yield text.subarray(i, i + 1)
    }
    const pieces: string[] = []
    for await (const piece of textOf(bytes())) pieces.push(piece)
    expect(pieces.join('')).toBe(text.toString())
    expect(pieces.length).toBeLessThan(20)
  })

  it('may have a column for passwords that is empty', async () => {
    expect(await rowsOf('url,password\nhttps://a.example/,')).toEqual([{ url: 'https://a.example/' }])
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
