import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkRecord } from '@/lib/testing/links'
import type { PageName } from './decide'
import { PAGE_POLICY, renderPage, renderText } from './pages'

const BASE = 'https://go.example.com'
const PAGES: PageName[] = [
  ...(['password', 'preview', 'not-found', 'gone', 'inactive', 'expired', 'disabled', 'banned'] as const),
  ...(['malformed', 'unavailable', 'too-many'] as const),
]

/** Every tag of a page, without the address that it may hold. */
const tagsOf = (html: string) => [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/href="[^"]*"/, 'href'))
const plainText = (text: string) =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name] ?? '',
  )

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
    const facts = { record: null, baseUrl: BASE, refusal: 'Too many wrong passwords. Try again in 5 minutes.' }
    expect(renderPage('too-many', facts)).toContain(
      '<p>Too many wrong passwords. Try again in 5 minutes.</p><a class="button" href="">',
    )
    expect(renderText('too-many', facts)).toBe('Too many attempts. Too many wrong passwords. Try again in 5 minutes.\n')
  })

  it('gives a title nothing of its own to say in HTML, and shows it as it is', () => {
    const harmless = tagsOf(renderPage('preview', { record: linkRecord({ title: 'Title' }), baseUrl: BASE }))
    fc.assert(
      fc.property(nasty, (title) => {
        fc.pre(title !== '')
        const html = renderPage('preview', { record: linkRecord({ title }), baseUrl: BASE })
        expect(tagsOf(html)).toEqual(harmless)
        const shown = html.slice(html.indexOf('</h1><p>') + 8, html.indexOf('</p><div class="url">'))
        expect(plainText(shown)).toBe(title)
      }),
      { numRuns: 500 },
    )
  })

  it('gives a destination nothing of its own to say in HTML, and leads exactly there', () => {
    const harmless = tagsOf(renderPage('preview', { record: linkRecord(), baseUrl: BASE }))
    fc.assert(
      fc.property(nasty, nasty, nasty, (path, query, fragment) => {
        const url = new URL('https://example.com/')
        url.pathname = path
        url.search = query
        url.hash = fragment
        url.href = url.href.replace(/[?#]+$/, '').replace('?#', '#') // a “?” or “#” with nothing behind is not shown
        const html = renderPage('preview', { record: linkRecord({ url: url.href }), baseUrl: BASE })
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
      renderPage(page, { record: linkRecord(), baseUrl: BASE, reportUrl }).includes(
        `href="${BASE}/report?link=https%3A%2F%2Fgo.example.com%2Fabc&amp;x=&quot;&lt;"`,
      ),
    )
    expect(offers.sort()).toEqual(['password', 'preview'])
    expect(renderPage('preview', { record: linkRecord(), baseUrl: BASE, reportUrl: null })).not.toContain('/report')
  })

  it('shows a punycode host as what it spells, with its port', () => {
    const html = renderPage('preview', { record: linkRecord({ url: 'https://xn--mnchen-3ya.de:8443/' }), baseUrl: BASE })
    expect(html).toContain('<strong>münchen.de:8443</strong>')
    expect(html).toContain('href="https://xn--mnchen-3ya.de:8443/"')
  })

  it.each(['http://[::1]:8080/', 'http://127.0.0.1/', 'http://localhost/'])('names the host of %s', (url) => {
    const html = renderPage('preview', { record: linkRecord({ url }), baseUrl: BASE })
    expect(/<strong>(.*)<\/strong>/.exec(html)?.[1]).toMatch(/^[^\s]+$/)
  })

  it.each(PAGES)('“%s” is whole, has no script, and its policy allows its very style and nothing else', (page) => {
    const html = renderPage(page, { record: linkRecord(), baseUrl: BASE, wrongPassword: true })
    expect(html).toMatch(/^<!doctype html><html lang="en">.*<title>[^<]+ · Terse<\/title>.*<h1>[^<]+<\/h1>.*<\/html>$/s)
    expect(html).not.toMatch(/<script|javascript:|\son\w+=| style="/i)
    const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? ''
    expect(PAGE_POLICY).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(PAGE_POLICY).toContain("default-src 'none'")
    expect(renderText(page, { record: linkRecord(), baseUrl: BASE })).toMatch(/^[^<]+\n$/)
  })

  it('for the password never holds the destination or the title', () => {
    const record = linkRecord({ url: 'https://secret.example/', title: 'Secret title', passwordHash: 'x' })
    for (const page of PAGES.filter((name) => name !== 'preview')) {
      const facts = { record, baseUrl: BASE, wrongPassword: true }
      expect(renderPage(page, facts) + renderText(page, facts)).not.toMatch(/secret/i)
    }
  })

  it('says that a password was wrong only when it was', () => {
    const html = (wrongPassword: boolean) => renderPage('password', { record: linkRecord(), baseUrl: BASE, wrongPassword })
    expect(html(true)).toContain('role="alert"')
    expect(html(false)).not.toContain('role="alert"')
    for (const page of [html(true), html(false)]) expect(page).toMatch(/<form method="post">.*type="password".*<button/)
  })
})
