import { describe, expect, it } from 'vitest'
import { type Client, UNKNOWN_CLIENT } from '@/lib/net/clients'
import { readVisit, type VisitHeaders, Visits } from './visit'

const CLIENT: Client = { address: '203.0.113.9', network: '203.0.113.0', viaProxy: false }
const PROXIED: Client = { ...CLIENT, viaProxy: true }
const NOON = Date.UTC(2026, 4, 17, 12)
const DAY = 86_400_000
const COUNTRY = 'cf-ipcountry'

const read = (...raw: string[]) => readVisit(raw, COUNTRY)
const visits = (given: Partial<ConstructorParameters<typeof Visits>[0]> = {}) =>
  new Visits({ secret: 'secret', honourOptOut: false, ...given })

/** The click of these headers, by anyone, now. */
function clickOf(headers: VisitHeaders, { client = CLIENT, query = '', now = NOON, by = visits() } = {}) {
  const click = by.click('7', headers, client, query, now)
  if (!click) throw new Error('no click')
  return click
}

describe('the headers of a visit', () => {
  it('are read whatever the case of their names', () => {
    const names = ['Referer', 'User-Agent', 'Accept-Language', 'CF-IPCountry']
    const values = ['https://example.com/', 'Browser/1', 'de-DE', 'DE']
    const cases = [(name: string) => name, (name: string) => name.toLowerCase(), (name: string) => name.toUpperCase()]
    for (const spelt of cases) {
      const visit = read(...names.flatMap((name, i) => [spelt(name), values[i] ?? '']))
      expect(visit).toEqual({
        referrer: 'https://example.com/',
        userAgent: 'Browser/1',
        language: 'de-DE',
        prefetch: false,
        optOut: false,
        country: 'DE',
      })
    }
  })

  it('that were not sent are undefined, and others are passed over', () => {
    const none = read('Host', 'terse.test', 'Cookie', 'a=b', 'X-Referer', 'x', 'User-Agent-2', 'y')
    expect(none).toEqual({
      referrer: undefined,
      userAgent: undefined,
      language: undefined,
      prefetch: false,
      optOut: false,
      country: undefined,
    })
    expect(read('Referer')).toEqual(none)
    expect(readVisit([], undefined)).toEqual(none)
  })

  it('tell a country only where a header is configured for it', () => {
    expect(readVisit(['CF-IPCountry', 'DE'], undefined).country).toBeUndefined()
    expect(readVisit(['X-Country', 'DE'], 'x-country').country).toBe('DE')
  })
})

describe('what is fetched ahead of a click', () => {
  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['SEC-PURPOSE', 'Prefetch;anonymous-client-ip'],
    ['Purpose', 'prefetch'],
    ['PURPOSE', 'PREFETCH'],
    ['Purpose', 'preview'],
    ['X-Moz', 'prefetch'],
    ['x-moz', 'Prefetch'],
  ])('is no click: %s: %s', (name, value) => {
    const headers = read('User-Agent', 'x', name, value)
    expect(headers.prefetch).toBe(true)
    expect(visits().click('7', headers, CLIENT, '', NOON)).toBeNull()
  })

  it.each([
    ['Sec-Purpose', ''],
    ['Purpose', 'navigate'],
    ['X-Purpose-Of-Mine', 'prefetch'],
    ['Sec-Fetch-Mode', 'navigate'],
  ])('is not told by %s: %s', (name, value) => {
    expect(read(name, value).prefetch).toBe(false)
  })

  it('is told by one such header among others that say nothing', () => {
    expect(read('Purpose', 'prefetch', 'X-Moz', 'none').prefetch).toBe(true)
    expect(read('X-Moz', 'none', 'Sec-Purpose', 'prefetch').prefetch).toBe(true)
  })
})

describe('a visitor who asks not to be tracked', () => {
  it.each(['DNT', 'dnt', 'Sec-GPC', 'SEC-GPC'])('by %s: 1 is counted or not as configured', (name) => {
    const headers = read(name, '1')
    expect(headers.optOut).toBe(true)
    expect(visits({ honourOptOut: true }).click('7', headers, CLIENT, '', NOON)).toBeNull()
    expect(visits({ honourOptOut: false }).click('7', headers, CLIENT, '', NOON)).not.toBeNull()
  })

  it.each([
    ['DNT', '0'],
    ['DNT', ''],
    ['DNT', 'null'],
    ['Sec-GPC', '0'],
  ])('does not do so by %s: “%s”', (name, value) => {
    expect(visits({ honourOptOut: true }).click('7', read(name, value), CLIENT, '', NOON)).not.toBeNull()
  })
})

describe('the country', () => {
  const country = (value: string, client = PROXIED) => clickOf(read('CF-IPCountry', value), { client }).country

  it('is believed from a trusted proxy only', () => {
    expect(country('DE')).toBe('DE')
    expect(country('de')).toBe('DE')
    expect(country('DE', CLIENT)).toBe('')
    expect(country('DE', UNKNOWN_CLIENT)).toBe('')
  })

  it.each(['XX', 'xx', 'Xx', 'T1', '', 'D', 'DEU', 'D1', 'D ', ' DE', 'DE\n', 'ÄÖ', '😀', 'DE,FR'])(
    'is not known by %j',
    (value) => {
      expect(country(value)).toBe('')
    },
  )
})

describe('a click', () => {
  it('holds link, time, network and what the client sent', () => {
    const headers = read('Referer', 'https://a.test/b?c#d', 'User-Agent', 'Browser/1', 'Accept-Language', 'de')
    expect(clickOf(headers)).toEqual({
      linkId: '7',
      at: NOON,
      visitor: expect.stringMatching(/^[0-9a-f]{16}$/),
      network: '203.0.113.0',
      country: '',
      referrer: 'https://a.test/b?c#d',
      userAgent: 'Browser/1',
      language: 'de',
      query: '',
      destination: '',
    })
  })

  it('has texts cut to size, so that no client decides how much is stored', () => {
    const long = 'x'.repeat(100_000)
    const headers = read('Referer', long, 'User-Agent', long, 'Accept-Language', long)
    // Before anything looks at them: what tells a preview from a browser takes the square of a text's length.
    expect([headers.referrer, headers.userAgent, headers.language].map((text) => text?.length)).toEqual([2_048, 512, 128])
    const click = clickOf(headers, { query: `utm_source=${long}` })
    expect(click.referrer).toBe('x'.repeat(2_048))
    expect(click.userAgent).toBe('x'.repeat(512))
    expect(click.language).toBe('x'.repeat(128))
    expect(click.query).toBe(`utm_source=${long}`.slice(0, 1_024))
  })

  it('has texts that just fit as they are', () => {
    const click = clickOf(read('Referer', 'r'.repeat(2_048), 'User-Agent', 'u'.repeat(512)))
    expect([click.referrer.length, click.userAgent.length]).toEqual([2_048, 512])
  })

  it('keeps the query only where it has UTM parameters', () => {
    const headers = read()
    expect(clickOf(headers, { query: 'token=secret&q=private' }).query).toBe('')
    expect(clickOf(headers, { query: 'a=1&utm_source=mail' }).query).toBe('a=1&utm_source=mail')
    expect(clickOf(headers).query).toBe('')
  })
})

describe('the hash of a visitor', () => {
  const agent = (text: string) => read('User-Agent', text)
  const visitor = (given: { client?: Client; now?: number; by?: Visits; agent?: string } = {}) =>
    clickOf(agent(given.agent ?? 'Browser/1'), given).visitor

  it('is the same for the same visitor on the same day, in every process', () => {
    const by = visits()
    const first = visitor({ by })
    expect(visitor({ by, now: NOON + 11 * 3_600_000 })).toBe(first)
    expect(visitor({ by: visits() })).toBe(first)
    expect(by.click('8', agent('Browser/1'), CLIENT, '', NOON)?.visitor).toBe(first)
  })

  it('is another on another day, and the same again for a clock that steps back', () => {
    const by = visits()
    const hashes = [NOON, NOON + DAY, NOON + 2 * DAY].map((now) => visitor({ by, now }))
    expect(new Set(hashes).size).toBe(3)
    expect(visitor({ by, now: NOON })).toBe(hashes[0])
  })

  it('changes at midnight UTC', () => {
    const midnight = Date.UTC(2026, 4, 18)
    expect(visitor({ now: midnight - 1 })).toBe(visitor({ now: NOON }))
    expect(visitor({ now: midnight })).not.toBe(visitor({ now: midnight - 1 }))
  })

  it('is another for another user agent, another address and another secret', () => {
    const others = [
      visitor(),
      visitor({ agent: 'Browser/2' }),
      visitor({ client: { ...CLIENT, address: '203.0.113.10' } }),
      visitor({ by: visits({ secret: 'another' }) }),
    ]
    expect(new Set(others).size).toBe(others.length)
  })

  it('tells apart what only looks alike when address and user agent are put together', () => {
    const one = visitor({ client: { ...CLIENT, address: '1.1.1.1' }, agent: '2 x' })
    const other = visitor({ client: { ...CLIENT, address: '1.1.1.12' }, agent: ' x' })
    expect(one).not.toBe(other)
  })

  it('leaves no address in what is captured', () => {
    for (const address of ['203.0.113.9', '2001:db8:1:2:3:4:5:6']) {
      const network = address.startsWith('2') && address.includes(':') ? '2001:db8:1::' : '203.0.113.0'
      const text = JSON.stringify(clickOf(agent('Browser/1'), { client: { address, network, viaProxy: true } }))
      expect(text).not.toContain(address)
      expect(text).not.toContain(Buffer.from(address).toString('hex'))
      expect(text).not.toContain(Buffer.from(address).toString('base64'))
    }
  })
})
