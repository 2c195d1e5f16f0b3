import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCsv } from './csv'
import { armed, csvLines, defused } from './csv-writer'

const HOSTILE = [
  ...['=cmd()', '+1', '-1', '@SUM(A1)', '＝1', '＋1', '－1', '＠1'],
  ...['\t=1', '\r=1', '\n=1', ' =1', '\u00a0=1', '\uFEFF=1', '\u200b=1', '\0=1', '\u3000＝1'],
  ...[';=cmd|calc', 'a;=1', 'a; =1', 'a,=1', 'a|@b', 'a\t-1', 'a\r\n=1', 'a\n+1', 'a\u2028=1', 'a;;=1', 'a；=1'],
  ...['"=1', '";"=1', 'x"";""=1', '";""""=1', "'=1", ";'=1", '; "\t =1'],
]

/** Whatever a program takes for a separator, and whether or not it minds quotes: what cells may begin with. */
const beginnings = (csv: string) =>
  csv.split(/[,;|\t\r\n\u2028\u2029\u0085]/).map((cell) => cell.replace(/^[\s\p{Cc}\p{Cf}"]+/u, ''))
const FORMULA = /^[=+\-@＝＋－＠]/

async function readBack(csv: string): Promise<string[][]> {
  const records: string[][] = []
  for await (const rows of readCsv([csv], { columns: 100, cell: 10_000, row: 100_000 }, ','))
    records.push(...rows.map(({ cells }) => cells))
  return records
}

describe('CSV as it is written', () => {
  it.each(HOSTILE)('runs no formula out of %j, by whatever separator it is read', (text) => {
    for (const cell of beginnings(csvLines([[text, 1, text]]))) expect(cell).not.toMatch(FORMULA)
  })

  it('runs no formula out of any text', () => {
    const piece = fc.constantFrom(';', ',', '\t', '\r\n', '|', '"', "'", ' ', '=', '+', '-', '@', '＝', 'a', '1', '\uFEFF', '\0')
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (record) => {
        for (const cell of beginnings(csvLines([record]))) expect(cell).not.toMatch(FORMULA)
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives every text back, also one that begins like a formula that was made harmless', () => {
    const piece = fc.constantFrom(...[...';,\t\n|"\' =+-@＝a'], "'=", "''-", ",'+", '\u{e0001}', '👩')
    const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (text) => {
        expect(armed(defused(text))).toBe(text)
      }),
      { numRuns: 20_000 },
    )
    for (const text of HOSTILE) expect(armed(defused(text))).toBe(text)
  })

  it('quotes every text, and no number', () => {
    expect(
      csvLines([
        ['a', 1, ''],
        ['b "c"', 2.5, 'd\r\ne'],
      ]),
    ).toBe('"a",1,""\r\n"b ""c""",2.5,"d\r\ne"\r\n')
  })

  it('brings every text through that no spreadsheet would run', async () => {
    const harmless = [
      '<b>',
      '👩‍👩‍👧‍👦',
      'a=1',
      'a - b',
      'quoted "twice", and\r\nbroken',
      '2026-01-01',
      'Mozilla/5.0 (X11; Linux)',
    ]
    expect(await readBack(csvLines([harmless]))).toEqual([harmless])
  })

  it('is written nowhere else', () => {
    const sources = ['lib', 'app', 'scripts'].flatMap((dir) =>
      readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => `${dir}/${name}`),
    )
    const writers = sources.filter(
      (path) =>
        /\.(ts|tsx|mjs)$/.test(path) &&
        !/\.test\.ts$|generated/.test(path) &&
        /csv-stringify|papaparse/.test(readFileSync(path, 'utf8')),
    )
    expect(writers).toEqual([])
  })
})
