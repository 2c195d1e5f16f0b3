import { expect, it } from 'vitest'
import { inParts } from './store'

it('rows of a job are kept in parts of so many rows and so many bytes, each under the position of its first', async () => {
  const rows = [
    ...Array.from({ length: 2_500 }, (_, row) => ({ url: `https://example.com/${row}` })),
    ...Array.from({ length: 100 }, (_, row) => ({ url: `https://example.com/${row}`, code: '\u0001'.repeat(9_990) })),
    ...Array.from({ length: 100 }, () => ({ title: '中'.repeat(3_000) })),
    { code: '\u0001'.repeat(100_000) },
    { url: 'https://example.com/' },
  ]
  const parts = await inParts(rows)
  expect(parts.flatMap(({ content }) => JSON.parse(content))).toEqual(rows)
  let position = 0
  for (const { first, content, bytes } of parts) {
    expect([first, bytes]).toEqual([position, Buffer.byteLength(content)])
    const { length } = JSON.parse(content)
    expect(length).toBeLessThanOrEqual(1_000)
    if (length > 1) expect(bytes).toBeLessThanOrEqual(200_000)
    position += length
  }
  expect(parts.slice(0, 3).map(({ first }) => first)).toEqual([0, 1_000, 2_000])
  expect(await inParts([])).toEqual([])
})
