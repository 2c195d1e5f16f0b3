import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MOST_TURNS } from '@/lib/codes/offline'
import { isCodeOf, isMadeOffline, offlineKeyOf } from '@/lib/codes/offline-secrets'
import { OfflineError, offlineCode } from './offline.js'

const SECRET = 'a secret of this deployment, long enough for it'
const WHERE = { base: 'https://go.example.com', domain: 'go.example.com' }
const keyOf = (id: string, secret = SECRET) => offlineKeyOf(secret, id, WHERE)
const KEY = keyOf('key 1')

const urls = fc.webUrl({ withQueryParameters: true, withFragments: true })
const turns = fc.integer({ min: 1, max: MOST_TURNS })
const domains = fc.constantFrom(undefined, 'Go.Example.com.', 'other.example', 'bücher.example', 'x.example:8080')

describe('a code that the client makes', () => {
  it('is known by the server as one, and as that of this key and link, whatever the link', async () => {
    await fc.assert(
      fc.asyncProperty(urls, turns, domains, async (url, turn, domain) => {
        const made = await offlineCode({ key: KEY, url, turn, domain })
        const { code, domain: host } = made
        expect(code).toMatch(/^[2-9bcdfghjkmnp-tv-z]{15}$/)
        expect(await offlineCode({ key: KEY, url: made.url, turn, domain: host })).toEqual(made)
        expect(isMadeOffline(SECRET, host, code)).toBe(true)
        const link = { host, url: made.url }
        expect(isCodeOf(SECRET, ['key 0', 'key 1'], link, code)).toBe(true)
        expect(isCodeOf(SECRET, ['key 0', 'key 2'], link, code)).toBe(false)
        expect(isCodeOf(SECRET, ['key 1'], { host, url: `${made.url}#other` }, code)).toBe(false)
        expect(isCodeOf(SECRET, ['key 1'], { host: 'elsewhere.example', url: made.url }, code)).toBe(false)
        expect(isCodeOf(`another ${SECRET}`, ['key 1'], link, code)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })

  it('differs by URL, turn, domain and key: 8,000 have no two alike', async () => {
    const codes = new Set<string>()
    for (let i = 0; i < 2_000; i++) {
      const url = `https://example.com/${i}`
      const of = (link: Partial<Parameters<typeof offlineCode>[0]>) => offlineCode({ key: KEY, url, ...link })
      const all = [of({}), of({ turn: 2 }), of({ domain: 'other.example' }), of({ key: keyOf('key 2') })]
      for (const { code } of await Promise.all(all)) codes.add(code)
    }
    expect(codes.size).toBe(8_000)
  })

  it('is the same in every release', async () => {
    const made = await offlineCode({ key: KEY, url: 'HTTPS://Example.com/poster' })
    expect(made).toEqual({
      url: 'https://example.com/poster',
      code: 'q62p48fryknbb84',
      domain: 'go.example.com',
      shortUrl: 'https://go.example.com/q62p48fryknbb84',
      turn: 1,
    })
  })
})

it('in capitals it is known too, and is not what was printed', async () => {
  const { code, url, domain: host } = await offlineCode({ key: KEY, url: 'https://example.com/' })
  expect(isMadeOffline(SECRET, host, code.toUpperCase())).toBe(true)
  expect(isCodeOf(SECRET, ['key 1'], { host, url }, code.toUpperCase())).toBe(code === code.toUpperCase())
})

it('of what people choose, hardly anything is taken for one: about 1 in 22,000 even of that shape', () => {
  for (const code of ['spring-sale', '223456789232345', 'bcdfghjkmnpqrst', 'summersale22222', 'aBcDeFg']) {
    expect(isMadeOffline(SECRET, WHERE.domain, code), code).toBe(false)
  }
  let taken = 0
  for (let i = 0; i < 30_000; i++) {
    const code = `bcdfghbcdf${String(i).replace(/[01]/g, 'k').padStart(5, 'z')}`
    if (isMadeOffline(SECRET, `host-${i}.example`, code)) taken += 1
  }
  expect(taken).toBeLessThan(10)
})

describe('an offline key', () => {
  it('has nothing in common with that of another API key or server but where links are', () => {
    expect(new Set([KEY, keyOf('key 2'), keyOf('key 1', `another ${SECRET}`)]).size).toBe(3)
    expect(KEY).toBe(keyOf('key 1'))
  })

  it('is refused with any character changed, missing or more: nothing wrong gets printed', async () => {
    const refused = (key: string) => expect(offlineCode({ key, url: 'https://example.com/' }), key).rejects.toThrow(OfflineError)
    for (let i = 0; i < KEY.length; i++) {
      await refused(KEY.slice(0, i) + (KEY[i] === 'x' ? 'y' : 'x') + KEY.slice(i + 1))
      await refused(KEY.slice(0, i) + KEY.slice(i + 1))
      await refused(KEY.slice(0, i))
    }
    await refused(`${KEY}x`)
    await expect(offlineCode({ key: `terse_${'a'.repeat(64)}`, url: 'https://example.com/' })).rejects.toThrow(
      'That’s an API key',
    )
  })

  it.each([
    [{ turn: 0 }, 'A turn is'],
    [{ turn: 21 }, 'A turn is'],
    [{ turn: 1.5 }, 'A turn is'],
    [{ turn: Number.NaN }, 'A turn is'],
    [{ url: 'nonsense' }, 'isn’t a destination'],
    [{ url: 'javascript:alert(1)' }, 'isn’t a destination'],
    [{ url: 'https://ada:secret@example.com/' }, 'isn’t a destination'],
    [{ domain: 'no domain' }, 'isn’t a domain'],
  ])('makes no code of %j', async (link, says) => {
    await expect(offlineCode({ key: KEY, url: 'https://example.com/', ...link })).rejects.toThrow(says)
  })
})
