import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { literal } from './literal'

const { url } = await testDatabase()
const db = openGateway(url)

it('any text comes back from the database as it was written, and nothing in it is SQL', async () => {
  const wild = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(fc.constantFrom("'", '\\', '\0', '?', '"', '`', '--', '/*', '\n', 'é', '😀', '\x1a')).map((parts) => parts.join('')),
  )
  await fc.assert(
    fc.asyncProperty(wild, async (text) => {
      for (const mode of ['', 'NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES']) {
        const [row] = await db.transaction(async (tx) => {
          await tx.run(`SET SESSION sql_mode = '${mode}'`, [])
          const rows = await tx.rows<{ text: string; end: string }>(`SELECT ${literal(text)} AS text, 'there' AS end`, [])
          await tx.run('SET SESSION sql_mode = DEFAULT', [])
          return rows
        })
        expect(row).toEqual({ text, end: 'there' })
      }
    }),
    { numRuns: 100 },
  )
})

it('bytes, whole numbers, truths and nothing at all are written as they are, and nothing else is taken for them', () => {
  expect([literal(Buffer.from('0aff', 'hex')), literal({ hex: '0aff' }), literal(5n), literal(-1)]).toEqual([
    "x'0aff'",
    "x'0aff'",
    '5',
    '-1',
  ])
  expect([literal(null), literal(true), literal(false)]).toEqual(['NULL', 'true', 'false'])
  expect(() => literal({ hex: "' OR 1" })).toThrow(TypeError)
  expect(() => literal(0.5)).toThrow(RangeError)
})
