import { expect, it } from 'vitest'
import { longestStretch } from '@/lib/testing/stretch'
import { csvLine } from './csv-writer'
import { inPieces } from './in-pieces'

const LONG = `=${'a,='.repeat(20_000)}`

it('hundreds of the longest cells are written in stretches of less than 50 ms, each once and in order', async () => {
  const texts: string[] = []
  const write = async () => {
    for await (const piece of inPieces(
      Array.from({ length: 100 }, (_, n) => n),
      (n) => csvLine([n, LONG]),
    ))
      texts.push(piece)
  }
  expect(await longestStretch(write)).toBeLessThan(50)
  expect(texts.join('').match(/^\d+/gm)?.map(Number)).toEqual(Array.from({ length: 100 }, (_, n) => n))
})
