import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { Routing } from '@/lib/routing/routing'
import { visitorPages } from '@/lib/testing/brand'
import { linkRecord } from '@/lib/testing/links'
import type { Page, PageName } from './decide'

const BASE = 'https://go.example.com'
const PAGES: PageName[] = [
  ...(['password', 'preview', 'not-found', 'gone', 'inactive', 'expired', 'disabled', 'banned'] as const),
  ...(['malformed', 'unavailable', 'too-many'] as const),
]

const pages = visitorPages()
type Facts = Omit<Page, 'name'> & { reportUrl?: string | null }
const renderPage = (name: PageName, { reportUrl = null, ...facts }: Facts) => pages.html({ name, ...facts }, '', reportUrl)
const renderText = (name: PageName, facts: Facts) => pages.text({ name, ...facts })

/** Every tag of a page, without the address that it may hold. */
const tagsOf = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/href="[^"]*"/, 'href'))
const plainText = (text: string) =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name] ?? '',
  )
const withoutTags = (html: string) => plainText(html.replace(/<[^>]*>/g, ''))

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('<', '>', '"', "'", '&', '</p>', '<script>alert(1)</script>', '&lt;', '-->', '`', '\0', ' onload=x', '$&'),
      {
        minLength: 1,
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
)

describe('a page', () => {
  it('that refuses for too many attempts says when to come back, and leads back without sending the form again', () => {
    const refusal = say('forms.limited', { why: say('api.limit.deviceCodes'), wait: say('forms.wait.minutes', { count: 5 }) })
    const facts = { record: null, refusal }
    expect(renderPage('too-many', facts)).toContain(
      '<p>Too many wrong codes in this browser. Try again in 5 minutes.</p><a class="button" href="">',
    )
    expect(renderText('too-many', facts)).toBe('Too many tries. Too many wrong codes in this browser. Try again in 5 minutes.\n')
  })

  it('says before it ends where a link leads after that, and then nothing else of it', () => {
    const [url, over] = ['https://to.example/', 'https://over.example/']
    for (const end of [{ maxClicks: 1 }, { expiresAt: Date.now() + 1_000 }]) {
      const record = linkRecord({ url, expiredUrl: over, ...end })
      expect(plainText(renderPage('preview', { record }))).toContain('Once it has ended, it leads here instead:')
      expect(renderPage('preview', { record })).toContain('<strong>over.example</strong>')
      expect(renderText('preview', { record })).toContain(`${url}\nOnce it has ended, it leads here instead: ${over}\n`)
    }
    expect(renderText('preview', { record: linkRecord({ url, expiredUrl: over }) })).not.toContain(over)
    const record = linkRecord({ url, title: 'Secret', expiredUrl: over, expiresAt: 1, passwordHash: 'x' })
    const html = renderPage('preview', { record, ended: true })
    expect(html).toContain(`href="${over}"`)
    expect(html).not.toMatch(/to\.example|Secret/)
    expect(renderText('preview', { record, ended: true })).toBe(`${over}\n`)
  })

  it('says the same as text as it does as HTML, with the destination first', () => {
    const routing = {
      rules: [{ when: [{ of: 'os', in: ['iOS'] }], url: 'https://rule.example/' }],
      query: 'forward',
      path: 'append',
      clickId: { parameter: 'c' },
    }
    const record = linkRecord({ url: 'https://to.example/', title: 'A title', routing: Routing.of(JSON.stringify(routing)) })
    const card = {
      source: 'custom' as const,
      title: 'Of the card',
      description: 'And more',
      image: 'https://image.example/a.png',
    }
    const past = { since: Date.UTC(2026, 0, 9), hiddenSince: null, before: [], more: 0 }
    const page = { record, card, past, threat: 'https://rule.example/' }
    const text = renderText('preview', page)
    expect(text.startsWith('https://to.example/\nhttps://rule.example/\n')).toBe(true)
    const html = withoutTags(renderPage('preview', page))
    for (const said of [
      ...['A title', 'Of the card', 'And more', 'https://image.example/a.png'],
      'Parameters that are added to the link are passed on.',
      'What stands behind the link is added to the destination.',
      'An ID of the click is added to the destination',
      'It has led here since 9 January 2026.',
      'How apps show it, written by its owner and not by the destination',
      'rule.example is on this site’s list of threats. Don’t enter anything there',
    ]) {
      expect(text, said).toContain(said)
      expect(html, said).toContain(said)
    }
    for (const words of [
      renderText('preview', { record, past: null }),
      withoutTags(renderPage('preview', { record, past: null })),
    ])
      expect(words).toContain('Where it led before can’t be read right now.')
  })

  it('names a threat of a link that has ended only where it leads then', () => {
    const record = linkRecord({ url: 'https://to.example/', expiredUrl: 'https://over.example/', expiresAt: 1 })
    for (const [threat, isSaid] of [
      ['https://to.example/', false],
      ['https://over.example/', true],
    ] as const) {
      const page = { record, ended: true as const, threat }
      expect(renderText('preview', page).includes('list of threats')).toBe(isSaid)
      expect(renderPage('preview', page).includes('list of threats')).toBe(isSaid)
      expect(renderText('preview', page)).not.toContain('to.example')
    }
  })

  it('says where a link led once it had ended, also once it has', () => {
    const record = linkRecord({ url: 'https://to.example/', expiredUrl: 'https://over.example/', expiresAt: 1 })
    const until = Date.UTC(2026, 0, 9)
    const before = [
      { to: { url: 'https://was-over.example/', others: [] }, until, ended: true as const },
      { to: { url: 'https://was.example/', others: [] }, until },
      { to: { url: '', others: [] }, until, ended: true as const },
    ]
    const past = { since: until, hiddenSince: null, before, more: 2 }
    for (const ended of [undefined, true as const]) {
      const page = { record, past, ...(ended && { ended }) }
      for (const text of [withoutTags(renderPage('preview', page)), renderText('preview', page)]) {
        expect(text).toMatch(/Once it had ended: ?https:\/\/was-over\.example\//)
        expect(text).toMatch(/Once it had ended: ?A page that said it had expired/)
        expect(text.includes('was.example')).toBe(!ended)
        expect(text.includes('to.example')).toBe(!ended)
      }
    }
    const hidden = { record, ended: true as const, past: { ...past, hiddenSince: until, before: [] } }
    for (const text of [withoutTags(renderPage('preview', hidden)), renderText('preview', hidden)]) {
      expect(text).toContain('Its owner has kept where it led before private since')
    }
  })

  it('gives a title nothing of its own to say in HTML, and shows it as it is', () => {
    const harmless = tagsOf(renderPage('preview', { record: linkRecord({ title: 'Title' }) }))
    fc.assert(
      fc.property(nasty, (title) => {
        fc.pre(title !== '')
        const html = renderPage('preview', { record: linkRecord({ title }) })
        expect(tagsOf(html)).toEqual(harmless)
        const shown = html.slice(html.indexOf('</h1><p>') + 8, html.indexOf('</p><div class="url">'))
        expect(plainText(shown)).toBe(title)
      }),
      { numRuns: 500 },
    )
  })

  it('gives a destination nothing of its own to say in HTML, and leads exactly there', () => {
    const harmless = tagsOf(renderPage('preview', { record: linkRecord() }))
    fc.assert(
      fc.property(nasty, nasty, nasty, (path, query, fragment) => {
        const url = new URL('https://example.com/')
        url.pathname = path
        url.search = query
        url.hash = fragment
        url.href = url.href.replace(/[?#]+$/, '').replace('?#', '#') // a “?” or “#” with nothing behind is not shown
        const html = renderPage('preview', { record: linkRecord({ url: url.href }) })
        expect(tagsOf(html)).toEqual(harmless)
        const href = /rel="noreferrer noopener" href="([^"]*)"/.exec(html)?.[1]
        expect(plainText(href ?? '')).toBe(url.href)
        const shown = /<div class="url">(.*)<\/div>/s.exec(html)?.[1]?.replace(/<\/?strong>/g, '')
        expect(plainText(shown ?? '')).toBe(url.href)
      }),
      { numRuns: 500 },
    )
  })

  it('offers to report a link where one may still follow it, and nowhere else', () => {
    const reportUrl = `${BASE}/report?link=https%3A%2F%2Fgo.example.com%2Fabc&x="<`
    const offers = PAGES.filter((page) =>
      renderPage(page, { record: linkRecord(), reportUrl }).includes(
        `href="${BASE}/report?link=https%3A%2F%2Fgo.example.com%2Fabc&amp;x=&quot;&lt;"`,
      ),
    )
    expect(offers.sort()).toEqual(['password', 'preview'])
    expect(renderPage('preview', { record: linkRecord(), reportUrl: null })).not.toContain('/report')
  })

  it('shows a punycode host as what it spells, with its port', () => {
    const html = renderPage('preview', { record: linkRecord({ url: 'https://xn--mnchen-3ya.de:8443/' }) })
    expect(html).toContain('<strong>münchen.de:8443</strong>')
    expect(html).toContain('href="https://xn--mnchen-3ya.de:8443/"')
  })

  it.each(['http://[::1]:8080/', 'http://127.0.0.1/', 'http://localhost/'])('names the host of %s', (url) => {
    const html = renderPage('preview', { record: linkRecord({ url }) })
    expect(/<strong>(.*)<\/strong>/.exec(html)?.[1]).toMatch(/^[^\s]+$/)
  })

  it.each(PAGES)('“%s” is whole, has no script, and its policy allows its very style and nothing else', (page) => {
    const html = renderPage(page, { record: linkRecord(), wrongPassword: true })
    expect(html).toMatch(/^<!doctype html><html lang="en">.*<title>[^<]+ · Terse<\/title>.*<h1>[^<]+<\/h1>.*<\/html>$/s)
    expect(html).not.toMatch(/<script|javascript:|\son\w+=| style="/i)
    const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? ''
    expect(pages.policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(pages.policy).toContain("default-src 'none'")
    expect(renderText(page, { record: linkRecord() })).toMatch(/^[^<]+\n$/)
  })

  it('for the password never holds the destination or the title', () => {
    const record = linkRecord({ url: 'https://secret.example/', title: 'Secret title', passwordHash: 'x' })
    for (const page of PAGES.filter((name) => name !== 'preview')) {
      const facts = { record, wrongPassword: true }
      expect(renderPage(page, facts) + renderText(page, facts)).not.toMatch(/secret/i)
    }
  })

  it('says that a password was wrong only when it was', () => {
    const html = (wrongPassword: boolean) => renderPage('password', { record: linkRecord(), wrongPassword })
    expect(html(true)).toContain('role="alert"')
    expect(html(false)).not.toContain('role="alert"')
    for (const page of [html(true), html(false)]) expect(page).toMatch(/<form method="post">.*type="password".*<button/)
  })
})

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000300000001808060000005c72a866', 'hex')
const ACCEPT = { accept: 'text/html', language: '' }
const MAY = Date.UTC(2026, 4, 3, 14, 5)

describe('a page with a date', () => {
  const dated: [string, Page, string][] = [
    ['expired', { name: 'expired', record: linkRecord(), at: MAY }, 'It expired on 3 May 2026.'],
    ['deleted', { name: 'gone', record: null, at: MAY }, 'It was deleted on 3 May 2026.'],
    ['not active yet', { name: 'inactive', record: linkRecord(), at: MAY }, 'It starts working on 3 May 2026 at 14:05 UTC.'],
  ]
  it.each(dated)('of a link that is %s writes it in the language of the page, by the reader’s region', (_, page, text) => {
    expect(pages.text(page)).toContain(text)
    expect(pages.text(page, 'en-US')).toContain('May 3, 2026')
    expect(pages.html(page, 'en-GB')).toContain('<time datetime="2026-05-03T14:05:00.000Z">3 May 2026')
    // A line that is full does not leave the stop to the next one.
    expect(pages.html(page, 'en-GB')).not.toContain('</time>.')
    // Of a language that is not spoken here no date is left over in the middle of English.
    expect(pages.html(page, 'tlh')).toContain('<time datetime="2026-05-03T14:05:00.000Z">3 May 2026')
  })

  it('that is not known says so without', () => {
    for (const name of PAGES) {
      const page: Page = { name, record: linkRecord() }
      expect(pages.text(page) + pages.html(page)).not.toMatch(/\0|<time|undefined/)
    }
  })

  it('is shown whatever the browser says of its languages', () => {
    const page: Page = { name: 'expired', record: linkRecord(), at: MAY }
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom('*', 'xx', 'de-u-ca-islamic', 'en-US-posix', 'zh-Hans-CN', 'a'.repeat(9_000), '"><b>'),
    )
    /** The page is in one of our languages; the date is as its region writes it. */
    const tagsFor = (language: string) =>
      tagsOf(pages.html(page, language)).filter((tag) => /^<(?!\/?time|html lang="(?:en|de|es|fr|zh)">)/.test(tag))
    fc.assert(
      fc.property(odd, (language) => {
        expect(tagsFor(language)).toEqual(tagsFor(''))
        expect(pages.text(page, language)).toMatch(/\d/)
      }),
    )
    for (const none of ['xx', 'english', '*', 'd', 'i-klingon']) expect(pages.text(page, none)).toContain('3 May 2026')
  })
})

describe('each page', () => {
  const wayOf = (html: string) =>
    [...(/<main>.*<\/main>/s.exec(html)?.[0].matchAll(/class="button[^>]*>([^<]*)</g) ?? [])].map(([, text]) => text)

  it('leads on in one way that makes sense there', () => {
    const ways = Object.fromEntries(PAGES.map((name) => [name, wayOf(renderPage(name, { record: linkRecord() }))]))
    expect(ways).toEqual({
      password: ['Open link'],
      preview: ['Go to example.com'],
      'not-found': ['Shorten a link of your own'],
      gone: ['Shorten a link of your own'],
      expired: ['Shorten a link of your own'],
      inactive: ['Try again'],
      disabled: ['Try again'],
      banned: ['Go to Terse'],
      malformed: ['Go to Terse'],
      unavailable: ['Try again'],
      'too-many': ['Back to the link'],
    })
    // Nobody is sent to shorten a link where strangers may not.
    expect(wayOf(visitorPages({}, false).html({ name: 'not-found', record: null }))).toEqual(['Go to Terse'])
  })

  it('says in one line what this service is, and where its imprint is', () => {
    const own = visitorPages({
      BRAND_NAME: 'Acme',
      BRAND_LINKS: [
        { label: 'Imprint', url: '/imprint' },
        { label: 'Privacy', url: 'https://example.com/p?a=1&b=2' },
      ],
    })
    for (const name of PAGES) {
      const html = own.html({ name, record: linkRecord() })
      expect(html).toContain('<footer><p>Acme makes long links short.</p>')
      expect(html).toContain(
        '<a href="https://go.example.com/imprint">Imprint</a><a href="https://example.com/p?a=1&amp;b=2">Privacy</a>',
      )
      expect(html).toContain(' · Acme</title>')
    }
    expect(renderPage('gone', { record: null })).not.toContain('<nav')
  })

  it.each(Object.keys(LANGUAGES))('is whole in the language %s, says so, and says what it depends on', (language) => {
    for (const name of PAGES) {
      const { headers, body } = pages.present({ name, record: linkRecord() }, { accept: 'text/html', language }, null)
      const headerOf = (header: string) => headers[headers.indexOf(header) + 1]
      expect(body).toContain(`<html lang="${language}">`)
      expect([headerOf('Content-Language'), headerOf('Vary')]).toEqual([language, 'Accept, Accept-Language'])
    }
  })

  it('is of the same bytes however it is asked for, unless it has a date', () => {
    for (const name of PAGES) {
      const page: Page = { name, record: linkRecord() }
      expect(pages.present(page, ACCEPT, null).body).toBe(pages.html(page))
      expect(pages.present(page, { ...ACCEPT, accept: '*/*' }, null).body).toBe(pages.text(page))
    }
  })

  it('stays small', () => {
    for (const name of PAGES) expect(Buffer.byteLength(renderPage(name, { record: linkRecord() }))).toBeLessThan(6_144)
  })

  it('of a link that has had all its clicks says that, not that its time is over', () => {
    const page: Page = { name: 'expired', record: linkRecord({ maxClicks: 3 }), usedUp: true }
    expect(pages.html(page)).toContain('<h1>This link has reached its click limit</h1>')
    expect(pages.text(page)).toMatch(/^This link has reached its click limit\. /)
  })
})

describe('a name, link or mark of the deployment', () => {
  const NAME = `<script>alert('1')</script> "A" & B`
  const LABEL = `<img src=x onerror="alert(1)">'`
  const url = 'https://example.com/?"><script>'

  it('has nothing of its own to say in HTML', () => {
    const own = visitorPages({ BRAND_NAME: NAME, BRAND_LINKS: [{ label: LABEL, url }] })
    const harmless = visitorPages({ BRAND_NAME: 'A', BRAND_LINKS: [{ label: 'B', url: 'https://example.com/' }] })
    for (const name of PAGES) {
      const html = own.html({ name, record: linkRecord() })
      expect(tagsOf(html)).toEqual(tagsOf(harmless.html({ name, record: linkRecord() })))
      expect(plainText(/<title>[^<]* · ([^<]*)<\/title>/.exec(html)?.[1] ?? '')).toBe(NAME)
      expect(plainText(/<nav[^>]*><a[^>]*>([^<]*)</.exec(html)?.[1] ?? '')).toBe(LABEL)
    }
  })

  it('as a file is loaded from the base address, which alone the policy allows', () => {
    const folder = mkdtempSync(join(tmpdir(), 'terse-pages-'))
    const file = join(folder, 'mark.png')
    writeFileSync(file, PNG)
    const own = visitorPages({ BRAND_MARK: file })
    rmSync(folder, { recursive: true })
    expect(own.html({ name: 'gone', record: null })).toMatch(
      /<img src="https:\/\/go\.example\.com\/assets\/mark\?v=[0-9a-f]{12}" width="48" height="24" alt="">Terse</,
    )
    expect(own.policy).toContain('img-src https://go.example.com;')
  })
})
