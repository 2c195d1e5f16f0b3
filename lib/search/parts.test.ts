import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachGram, gramsOf } from './grams'
import { idAt, PartsWriter, partOfGram, partOfPlace, placesOf } from './parts'
import { fold } from './text'

it('tells of each gram exactly the places that hold it, and of each place its id', () => {
  const entries = fc.array(fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(5_000)), { maxLength: 400 })
  fc.assert(
    fc.property(entries, fc.uniqueArray(fc.bigInt(0n, 2n ** 63n - 1n), { maxLength: 700 }), (pairs, ids) => {
      const writer = new PartsWriter()
      for (const [gram, place] of pairs) writer.add(gram, place)
      const parts = new Map([...writer.write(ids)].map(({ part, content }) => [part, content]))
      const read = (part: number) => parts.get(part) ?? Buffer.alloc(0)
      for (const [gram] of pairs) {
        const places = new Set(pairs.flatMap(([other, place]) => (other === gram ? [place] : [])))
        expect(placesOf(read(partOfGram(gram)), gram)).toEqual([...places].sort((a, b) => a - b))
      }
      expect(ids.map((_, place) => idAt(read(partOfPlace(place)), place))).toEqual(ids)
    }),
    { numRuns: 60 },
  )
})

it('leads from every run of characters to the texts that hold it', () => {
  const characters = fc.string({ unit: fc.constantFrom(...'abcÄß._%\\/日本語한글🎉👩‍💻 é'), minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(characters, characters, characters, (before, term, after) => {
      const [text, wanted] = [fold(`${before}${term}${after}`), fold(term)]
      fc.pre(text.includes(wanted))
      const held = new Set<number>()
      eachGram(text, (gram) => held.add(gram))
      for (const gram of gramsOf([wanted])) expect(held).toContain(gram)
    }),
  )
})

it('has grams of three letters, and of one and two characters where words are that short', () => {
  expect(['a', 'ou', 'é'].map((term) => gramsOf([fold(term)]).length)).toEqual([0, 0, 0])
  expect(gramsOf(['tube'])).toHaveLength(2)
  for (const term of ['京', '京都', '🎉']) expect(gramsOf([term]).length).toBeGreaterThan(0)
})
