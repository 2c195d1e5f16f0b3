import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BlockKind, BlockRules, hostOfLine, normaliseRule } from './rules'

const rule = (kind: BlockKind, value: string) => ({ id: 1n, kind, value: normaliseRule(kind, value) ?? '?', reason: '' })
const blocks = (kind: BlockKind, value: string, url: string) =>
  new BlockRules([rule(kind, value)]).broken({ url: new URL(url).href })?.field === 'url'

describe('a blocked host', () => {
  it.each([
    'https://bad.example/',
    'http://BAD.example:8080/x',
    'https://bad.example./',
    'https://bad.example..:8443/',
    'https://user:good.example@bad.example/',
    'https://b%61d.example/',
    'https://ｂａｄ.example/',
    'https://bad。example/',
  ])('cannot be reached by %s', (url) => {
    expect(blocks('host', 'Bad.Example', url)).toBe(true)
  })

  it.each(['https://good.example/bad.example', 'https://notbad.example/', 'https://a.bad.example/', 'https://bad.example.org/'])(
    'is not %s',
    (url) => {
      expect(blocks('host', 'bad.example', url)).toBe(false)
    },
  )

  it('may be an address, in whatever form it is written', () => {
    const forms = ['203.0.113.7', '203.0.113.7.', '0xcb007107', '3405803783', '[::ffff:203.0.113.7]', '[0:0::FFFF:cb00:7107]']
    for (const url of forms.map((form) => `http://${form}/`)) {
      expect(blocks('host', '203.0.113.7', url), url).toBe(true)
    }
    expect(blocks('host', '::ffff:203.0.113.7', 'http://203.0.113.7/')).toBe(true)
    expect(blocks('host', '203.0.113.7', 'http://[::fffe:203.0.113.7]/')).toBe(false)
    expect(blocks('host', '2001:db8::1', 'http://[2001:DB8:0::1]/')).toBe(true)
    expect(blocks('host', 'bücher.example', 'https://xn--bcher-kva.example/')).toBe(true)
  })
})

describe('a blocked suffix', () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,8}$/)
  it('is the domain and all below it, and no other that ends alike', () => {
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), label, label, (below, name, end) => {
        // A last label that begins with a digit may be read as a number, and then there is no such host.
        fc.pre(/^[a-z]/.test(end))
        const suffix = `${name}.${end}`
        expect(blocks('suffix', suffix, `https://${[...below, suffix].join('.')}/x`)).toBe(true)
        expect(blocks('suffix', `*.${suffix}`, `https://${suffix}/`)).toBe(true)
        expect(blocks('suffix', suffix, `https://a.${suffix}../`)).toBe(true)
        expect(blocks('suffix', suffix, `https://x${suffix}/`)).toBe(false)
        expect(blocks('suffix', suffix, `https://${suffix}.example/${suffix}`)).toBe(false)
      }),
    )
  })
})

describe('a blocked word', () => {
  it.each([
    'https://x.example/free-CASINO',
    'https://casino.example/',
    'https://x.example/%63asino',
    'https://x.example/?q=ｃasino',
  ])('is found in %s', (url) => {
    expect(blocks('word', 'Casino', url)).toBe(true)
  })

  it('is found beside what is no UTF-8, and in a name that is not written in ASCII', () => {
    expect(blocks('word', 'glücksspiel', 'https://x.example/%FF%zz?gl%C3%BCcksspiel')).toBe(true)
    expect(blocks('word', 'Glücksspiel', 'https://mein-glücksspiel.example/')).toBe(true)
  })

  it('is found whatever its case, form and unseen characters', () => {
    const letters = fc.constantFrom('casino', 'glücksspiel', 'казино', 'ẖat', 'カジノ')
    const unseen = fc.constantFrom('', '\u00ad', '\u200b', '\u2060', '\ufeff', '\ufe0f')
    const form = fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD')
    fc.assert(
      fc.property(letters, form, form, unseen, fc.boolean(), (word, typed, written, between, upper) => {
        const text = [...(upper ? word.toUpperCase() : word).normalize(written)].join(between)
        const rules = new BlockRules([rule('word', word.normalize(typed))])
        expect(rules.broken({ title: `Best ${text}!` })?.field).toBe('title')
        expect(rules.broken({ url: new URL(`https://x.example/?q=${text}`).href })?.field).toBe('url')
        expect(rules.broken({ title: 'Best of all', url: 'https://x.example/' })).toBeNull()
      }),
    )
  })

  it('is found in code and title too, and told by field', () => {
    const rules = new BlockRules([rule('word', 'casino')])
    expect(rules.broken({ code: 'CasinoRoyale' })?.field).toBe('code')
    expect(rules.broken({ title: 'Best casino' })?.field).toBe('title')
    expect(rules.broken({ expiredUrl: 'https://casino.example/' })?.field).toBe('expiredUrl')
    expect(rules.broken({ url: 'https://example.com/%zz%63asino' })?.field).toBe('url')
    expect(rules.broken({ url: 'https://example.com/', title: '', expiredUrl: null })).toBeNull()
  })
})

describe('a blocked client', () => {
  it('is an address or a range, of either kind', () => {
    const rules = new BlockRules([
      rule('client', '203.0.113.0/24'),
      rule('client', '2001:db8::/32'),
      rule('client', '198.51.100.7'),
    ])
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::9', '198.51.100.7'])
      expect(rules.ofClient(address)).not.toBeNull()
    for (const address of ['203.0.114.9', '2001:db9::1', '198.51.100.8', 'unknown', ''])
      expect(rules.ofClient(address)).toBeNull()
  })
})

describe('a blocked IPv4 address that is written as an IPv6 one', () => {
  it.each([
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:192.0.2.20/128', '192.0.2.20'],
    ['::ffff:192.0.2.32/124', '192.0.2.32/28'],
    ['0:0:0:0:0:ffff:c000:228/128', '192.0.2.40'],
    ['::FFFF:192.0.2.0/96', '192.0.2.0/0'],
  ])('is the IPv4 one, as clients are: %s', (typed, kept) => {
    expect(normaliseRule('client', typed)).toBe(kept)
    // A rule from before has it as it was typed.
    for (const value of [typed, kept]) {
      const rules = new BlockRules([{ ...rule('client', value), value }])
      expect(rules.ofClient(kept.split('/')[0] ?? '')).not.toBeNull()
    }
  })
})

describe('a blocked IPv6 address', () => {
  it.each(['2001:db8:5::1', '2001:DB8:5::0:1', '2001:db8:5::/64'])(
    'is its whole /64, as for limits: one client has all of it (%s)',
    (typed) => {
      const value = normaliseRule('client', typed)
      expect(value).toBe('2001:db8:5::/64')
      // A rule from before may have the address alone.
      for (const kept of [typed, value ?? '']) {
        const rules = new BlockRules([{ ...rule('client', kept), value: kept }])
        for (const address of ['2001:db8:5::1', '2001:db8:5::2', '2001:db8:5:0:ffff::9'])
          expect(rules.ofClient(address)).not.toBeNull()
        for (const address of ['2001:db8:5:1::1', '2001:db8:6::1', '203.0.113.9']) expect(rules.ofClient(address)).toBeNull()
      }
    },
  )

  it('that is written as a range is that range, and its /64 where it is less: a client could go on from beside it', () => {
    expect(normaliseRule('client', '2001:DB8::/32')).toBe('2001:db8::/32')
    for (const typed of ['2001:db8:5::1/128', '2001:db8:5::/65']) expect(normaliseRule('client', typed)).toBe('2001:db8:5::/64')
    const rules = new BlockRules([rule('client', '2001:db8:5::1/128')])
    expect(rules.ofClient('2001:db8:5::2')).not.toBeNull()
  })
})

describe('what is typed', () => {
  it.each([
    ['host', 'https://bad.example/'],
    ['host', 'bad.example:80'],
    ['host', '*.bad.example'],
    ['host', ''],
    ['host', 'a b'],
    ['suffix', '.'],
    ['word', '  '],
    ['word', '\u200b'],
    ['client', '203.0.113'],
    ['client', 'bad.example'],
    ['client', '203.0.113.0/64'],
  ] as const)('as a %s is refused when it is none: %j', (kind, text) => {
    expect(normaliseRule(kind, text)).toBeNull()
  })

  it('as a word is refused when it grows longer than can be kept', () => {
    expect(normaliseRule('word', '\ufdfa'.repeat(253))).toBeNull()
  })

  it('is kept so that it normalises to itself', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<BlockKind>('host', 'suffix', 'word', 'client'),
        fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string(), fc.string({ unit: 'binary' })),
        (kind, text) => {
          const kept = normaliseRule(kind, text)
          if (kept !== null) expect(normaliseRule(kind, kept)).toBe(kept)
        },
      ),
    )
  })
})

describe('a line of a host file', () => {
  it.each([
    ['0.0.0.0 bad.example', 'bad.example'],
    ['127.0.0.1\tBad.Example  # tracker', 'bad.example'],
    [':: bad.example', 'bad.example'],
    ['bad.example', 'bad.example'],
    ['# comment', null],
    ['   ', null],
    ['127.0.0.1 localhost', null],
    ['0.0.0.0', null],
    ['bad example', 'bad'],
    ['0.0.0.0 a.example b.example', 'bad'],
    ['https://bad.example/', 'bad'],
  ])('%j is %j', (line, host) => {
    expect(hostOfLine(line)).toBe(host)
  })
})

describe('100,000 hosts', () => {
  it('are asked as quickly as one', () => {
    const many = new BlockRules(
      Array.from({ length: 100_000 }, (_, i) => ({
        id: BigInt(i),
        kind: 'host' as const,
        value: `bad-${i}.example`,
        reason: '',
      })),
    )
    expect(many.broken({ url: 'https://bad-99999.example/' })?.rule.value).toBe('bad-99999.example')
    expect(many.broken({ url: 'https://good.example/' })).toBeNull()
  })
})
