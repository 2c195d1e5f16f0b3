import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCsv } from './csv'
import { csvLines } from './csv-writer'
import { readJson } from './json-rows'
import { textOf } from './pieces-of-text'

const LIMITS = { columns: 20, cell: 100, row: 1_000 }

/** A text in pieces of so many characters. */
const cut = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

async function read(text: string, size = 7) {
  const told: unknown[] = []
  for await (const rows of readCsv(cut(text, size), LIMITS, ','))
    told.push(...rows.map(({ line, cells, error }) => (error ? [line, error.fault] : [line, ...cells])))
  return told
}

describe('CSV', () => {
  it('is read the same wherever its pieces end', async () => {
    const text = 'a,b\r\n"x ""y""\n, z" ,  c d \r\n\r\n\n,\n"",last'
    const whole = await read(text, 1_000)
    expect(whole).toEqual([
      [1, 'a', 'b'],
      [2, 'x "y"\n, z', 'c d'],
      [6, '', ''],
      [7, '', 'last'],
    ])
    for (let size = 1; size < text.length; size++) expect(await read(text, size)).toEqual(whole)
  })

  it('that cannot be read costs the row alone, and each row has the line that it begins in', async () => {
    expect(
      await read(
        [
          'a',
          '"never closed',
          'b',
          '"text" behind',
          'c"d',
          `"${'x'.repeat(101)}"`,
          'y'.repeat(101),
          ','.repeat(30),
          'e',
          '"two\nlines',
          'f',
        ].join('\n'),
      ),
    ).toEqual([
      [1, 'a'],
      [2, 'afterQuote'],
      [3, 'b'],
      [4, 'afterQuote'],
      [5, 'quoteInside'],
      [6, 'longCell'],
      [7, 'longCell'],
      [8, 'manyColumns'],
      [9, 'e'],
      [10, 'openQuote'],
      [11, 'lines'],
      [12, 'f'],
    ])
  })

  it('gives back whatever was written, in pieces of any size', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é', '👩'), maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 40 }),
        async (records, size) => {
          expect((await read(csvLines(records), size)).map((row) => (row as unknown[]).slice(1))).toEqual(records)
        },
      ),
      { numRuns: 300 },
    )
  })
})

async function* pieces(text: string, size: number) {
  yield* cut(text, size)
}

async function readObjects(text: string, size = 7) {
  const told: unknown[] = []
  for await (const rows of readJson(pieces(text, size), 'links'))
    told.push(...rows.map(({ line, value, error }) => (error ? [line, error.fault] : [line, value])))
  return told
}

describe('JSON', () => {
  it.each([
    ['an array', '[{"a":"]}\\"["},\n {"b":[1,{"c":2}]}]'],
    ['one object a line', '{"a":"]}\\"["}\n{"b":[1,{"c":2}]}\n'],
    [
      'an object that has them by name',
      '{"account":{"links":[0]},"x":"links","links":[{"a":"]}\\"["},\n{"b":[1,{"c":2}]}],"z":[{}]}',
    ],
  ])('as %s is read the same wherever its pieces end', async (_, text) => {
    for (let size = 1; size <= text.length; size++) {
      expect(await readObjects(text, size)).toEqual([
        [1, { a: ']}"[' }],
        [2, { b: [1, { c: 2 }] }],
      ])
    }
  })

  it('a line that is broken costs one row', async () => {
    expect(await readObjects('{"a":1}\n{"a":\nnonsense\n{"a":"x\n{"a":2}\nnonsense\n{"a"')).toEqual([
      [1, { a: 1 }],
      [2, 'broken'],
      [4, 'broken'],
      [5, { a: 2 }],
      [6, 'broken'],
      [7, 'broken'],
    ])
  })

  it.each(['[{"a":1}', '[{"a":1},', '[{"a":"x\n"}]', '["a"]', '[{"a":1}{'])('%j is refused as a whole', async (text) => {
    await expect(readObjects(text)).rejects.toThrow()
  })

  it('reads a list behind megabytes of something else, and no object of megabytes', async () => {
    const head = `{"other":["${'x'.repeat(3_000_000)}"],"links":[{"a":1}]}`
    expect(await readObjects(head, 60_000)).toEqual([[1, { a: 1 }]])
    await expect(readObjects(`[{"a":"${'x'.repeat(3_000_000)}"}]`, 60_000)).rejects.toThrow('longRow')
  })
})

async function textFrom(bytes: Buffer, size: number): Promise<string> {
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  let text = ''
  for await (const piece of textOf(chunks())) text += piece
  return text
}

describe('the text of a file', () => {
  const TEXT = 'url,title\nhttps://example.com/,Grüße €\n'
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16 with a mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['UTF-16 without', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 in the other order', swapped(Buffer.from(`\uFEFF${TEXT}`, 'utf16le'))],
    ['UTF-16 in the other order, without a mark', swapped(Buffer.from(TEXT, 'utf16le'))],
    ['Windows-1252', Buffer.from(TEXT.replace('€', '\x80'), 'latin1')],
  ])('is found out of %s, wherever its chunks end', async (_, bytes) => {
    for (const size of [1, 2, 3, 16, 1_000]) expect((await textFrom(bytes, size)).replace('\uFEFF', '')).toBe(TEXT)
  })

  it('is refused where it begins as one and goes on as another', async () => {
    const mixed = Buffer.concat([Buffer.from(`${TEXT.repeat(3_000)}`), Buffer.from('Grüße', 'latin1')])
    await expect(textFrom(mixed, 70_000)).rejects.toThrow()
  })
})
