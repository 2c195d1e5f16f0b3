import { expect, it } from 'vitest'
import { writeAll } from './parts'

/** What is written of these rows: for each statement the part, its content and its bytes. */
async function partsOf(rows: readonly unknown[]) {
  const parts: { first: number; content: string; bytes: number }[] = []
  const change = async (_sql: string, ...values: unknown[]) => {
    const [, first, content] = values as [bigint, number, string]
    return parts.push({ first, content, bytes: Buffer.byteLength(content) })
  }
  const { rows: count, bytes } = await writeAll({ change }, 1n, rows)
  expect([count, bytes]).toEqual([rows.length, parts.reduce((sum, part) => sum + part.bytes, 0)])
  return parts
}

it('rows of a job are kept in parts of so many rows and so many bytes, each under the position of its first', async () => {
  const rows = [
    ...Array.from({ length: 2_500 }, (_, row) => ({ url: `https://example.com/${row}` })),
    ...Array.from({ length: 100 }, (_, row) => ({ url: `https://example.com/${row}`, code: '\u0001'.repeat(9_990) })),
    ...Array.from({ length: 100 }, () => ({ title: '中'.repeat(3_000) })),
    { code: '\u0001'.repeat(100_000) },
    { url: 'https://example.com/' },
  ]
  const parts = await partsOf(rows)
  expect(parts.flatMap(({ content }) => JSON.parse(content))).toEqual(rows)
  let position = 0
  for (const { first, content, bytes } of parts) {
    expect(first).toBe(position)
    const { length } = JSON.parse(content)
    expect(length).toBeLessThanOrEqual(1_000)
    if (length > 1) expect(bytes).toBeLessThanOrEqual(200_000)
    position += length
  }
  expect(parts.slice(0, 3).map(({ first }) => first)).toEqual([0, 1_000, 2_000])
  expect(await partsOf([])).toEqual([])
})
