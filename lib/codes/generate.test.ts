import fc from 'fast-check'
import murmurhash from 'murmurhash'
import { describe, expect, it } from 'vitest'
import { seedsFrom } from '@/lib/testing/murmur'
import { base62 } from './base62'
import { CodeKeys, candidates, MAX_ATTEMPTS } from './generate'
import { isReservedPath, isSpokenCode } from './reserved'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff })
const KEYS = new CodeKeys('a secret for the tests', null)

function base62ByBigInt(high: number, low: number, length: number): string {
  let number = BigInt(high) * 2n ** 32n + BigInt(low)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = DIGITS.charAt(Number(number % 62n)) + text
    number /= 62n
  }
  return text
}

/** The code before anything is skipped. */
const plainCode = (url: string, length: number) => KEYS.codeOf(url, length)

/** A URL whose code is one for which `wanted` holds. */
function urlWithCode(length: number, wanted: (code: string) => boolean): string {
  for (let i = 0; i < 3_000_000; i++) {
    const url = `https://example.com/${i}`
    if (wanted(plainCode(url, length))) return url
  }
  throw new Error('no URL has such a code')
}

describe('base62', () => {
  it('is exact for all 64 bits: equal to BigInt arithmetic', () => {
    fc.assert(
      fc.property(uint32, uint32, fc.integer({ min: 1, max: 12 }), (high, low, length) => {
        expect(base62(high, low, length)).toBe(base62ByBigInt(high, low, length))
      }),
      {
        numRuns: 2_000,
        examples: [
          [0xffff_ffff, 0xffff_ffff, 11],
          [0, 0, 7],
          [0, 0xffff_ffff, 6],
          [0xffff_ffff, 0, 11],
        ],
      },
    )
  })
})

describe('candidates', () => {
  it('begin with the same code every time for one owner and URL, and go on with others', () => {
    expect(candidates('https://example.com/', KEYS, 7).next().value).toBe(plainCode('https://example.com/', 7))
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const once = [...candidates(url, KEYS, 7)]
        const again = [...candidates(url, KEYS, 7)]
        // Now and then the hash spells something that is skipped: then it is skipped every time.
        const isPlain = once[0] === plainCode(url, 7)
        expect(again[0] === plainCode(url, 7)).toBe(isPlain)
        expect(again.slice(isPlain ? 1 : 0).filter((code) => once.includes(code))).toEqual([])
      }),
    )
  })

  it('are at most eight, all of the length asked for, in base62, and all different', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 6, max: 10 }), (url, length) => {
        const all = [...candidates(url, KEYS, length)]
        expect(all).toHaveLength(MAX_ATTEMPTS)
        expect(new Set(all).size).toBe(all.length)
        for (const code of all) expect(code).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
      }),
    )
    expect(MAX_ATTEMPTS).toBe(8)
  })

  it('differ from owner to owner and from secret to secret, so that nobody can predict them from the URL', () => {
    const firstOf = (secret: string, owner: string | null) =>
      candidates('https://example.com/', new CodeKeys(secret, owner), 7).next().value
    const codes = [
      firstOf('secret one', null),
      firstOf('secret one', 'alice'),
      firstOf('secret one', 'bob'),
      firstOf('secret two', null),
      firstOf('secret two', 'alice'),
    ]
    expect(new Set(codes).size).toBe(codes.length)
  })

  it.each([
    ['a spoken code', 4, isSpokenCode],
    ['a word of the application itself', 3, (code: string) => code.toLowerCase() === 'api'],
    ['a rude word', 3, (code: string) => /^(fag|tit|ass|sex)$/i.test(code)],
  ])('never hold %s, although the hash would spell it', (_, length, unfit) => {
    const url = urlWithCode(length, unfit)
    const all = [...candidates(url, KEYS, length)]
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter((code) => unfit(code) || isSpokenCode(code) || isReservedPath(code))).toEqual([])
  })
})

describe('what someone learns from links of their own', () => {
  // At ten characters a code leaves 22 possibilities for its hashes; at seven it is 5 million, which take seconds.
  const LENGTH = 10
  const own = Array.from({ length: 7 }, (_, i) => `https://example.com/own/${i}`)
  const others = Array.from({ length: 50 }, (_, i) => `https://example.org/someone-else/${i}`)
  const plain = (url: string) => base62(murmurhash.v3(url, 0x1234_5678), murmurhash.v3(url, 0x9abc_def0), LENGTH)
  const given = (url: string) => [...candidates(url, KEYS, LENGTH)][0] ?? ''
  /** How many of the others' codes are known to someone who saw the codes of `own`. */
  const predicted = (codeOf: (url: string) => string) => {
    const seeds = seedsFrom(own.map((url) => ({ url, code: codeOf(url) })))
    return others.filter((url) =>
      seeds.some(([a, b]) => base62(murmurhash.v3(url, a), murmurhash.v3(url, b), LENGTH) === codeOf(url)),
    ).length
  }

  it('would be every other code, were the hashes written as they are', () => {
    expect(predicted(plain)).toBe(others.length)
  })

  it('is no other code', () => {
    expect(predicted(given)).toBe(0)
  })
})
