import { createHash } from 'node:crypto'
import { type Brand, markHtml } from '@/lib/brand/brand'
import { typefaceCss, typefacePreload } from '@/lib/brand/typeface'
import { LANGUAGES, type Language, LONGEST_ACCEPTED, type Locale, negotiate } from '@/lib/i18n/languages'
import { escapeHtml } from '@/lib/tools/html'
import { CARD_POLICY, cardHtml } from './card-writer'
import { Dates } from './dates'
import type { Page, RawHeaders } from './decide'
import { PageWriter } from './page-writer'
import { styleOf } from './style'

/** What the visitor's browser asked for. */
export interface Wishes {
  /** The Accept header. */
  accept: string
  /** The Accept-Language header. The language cookie is not read: an answer that differs by a cookie could not be cached. */
  language: string
}

type Form = 'html' | 'text'

/** A page with the headers that go with it. */
interface Shown {
  headers: RawHeaders
  body: string
}

export interface PageSettings {
  brand: Brand
  /** Address of the front page. */
  baseUrl: string
  /** Whether a stranger may shorten a link there. */
  open: boolean
}

/** Headers whose language is known, so that who asks by the thousand, as scanners do, costs a look-up each. */
const MOST_HEADERS = 500

const NOT_FOUND: Page = { name: 'not-found', record: null }

/** The pages that visitors of links see, each in every language. Whatever is the same for all of them is made once. */
export class VisitorPages {
  /** The Content-Security-Policy of every page: this very style, our mark, icon and typeface, and no script at all. */
  readonly policy: string
  private readonly writers: Record<Language, PageWriter>
  /** Most are asked for by scanners, who try codes by the thousand. */
  private readonly notFound: Record<Language, Record<Form, Shown>>
  private readonly locales = new Map<string, Locale>()

  constructor({ brand, baseUrl, open }: PageSettings) {
    const origin = new URL(baseUrl).origin
    const style = typefaceCss(origin) + styleOf(brand)
    const name = escapeHtml(brand.name)
    this.policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src ${origin}; font-src ${origin}; base-uri 'none'; frame-ancestors 'none'`
    const frame = {
      name: brand.name,
      head: ` · ${name}</title><link rel="icon" type="${brand.icon.type}" href="${escapeHtml(origin + brand.icon.url)}">${typefacePreload(origin)}<style>${style}</style></head>`,
      mark: markHtml(brand, origin) + name,
      links: brand.links.map(({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`).join(''),
      home: `${escapeHtml(baseUrl)}/`,
      open,
    }
    const dates = new Dates()
    this.writers = inEach((locale) => new PageWriter(frame, dates, locale))
    this.notFound = inEach((locale) => ({
      html: this.make(NOT_FOUND, 'html', locale, null),
      text: this.make(NOT_FOUND, 'text', locale, null),
    }))
  }

  /**
   * A page as the client reads it, and the headers that go with it.
   * @param reportUrl where this link can be reported; null where there is none
   */
  present(page: Page, { accept, language }: Wishes, reportUrl: string | null): Shown {
    const form = accept.includes('text/html') ? 'html' : 'text'
    const locale = this.localeOf(language)
    return page.name === 'not-found' ? this.notFound[locale.language][form] : this.make(page, form, locale, reportUrl)
  }

  /** What an app reads to show a card of the link. @param shortUrl the link itself */
  presentCard({ card = null, record }: Page, { language }: Wishes, shortUrl: string): Shown {
    const { language: shown } = this.localeOf(language)
    const headers = [
      ...['Content-Type', 'text/html; charset=utf-8', 'Content-Language', shown],
      ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer', 'Content-Security-Policy', CARD_POLICY],
    ]
    return {
      headers,
      body: cardHtml(card, { shortUrl, to: card && record?.maxClicks === null ? record.url : shortUrl, language: shown }),
    }
  }

  /** A whole page as HTML. @param language the Accept-Language header */
  html(page: Page, language = '', reportUrl: string | null = null): string {
    const locale = this.localeOf(language)
    return this.writers[locale.language].html(page, locale, reportUrl)
  }

  /** The same for those who do not read HTML. */
  text(page: Page, language = ''): string {
    const locale = this.localeOf(language)
    return this.writers[locale.language].plain(page, locale)
  }

  private make(page: Page, form: Form, locale: Locale, reportUrl: string | null): Shown {
    const headers = [
      ...['Content-Type', form === 'html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'],
      ...['Content-Language', locale.language, 'Vary', 'Accept, Accept-Language'],
      ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
    ]
    if (form === 'html') headers.push('Content-Security-Policy', this.policy)
    const write = this.writers[locale.language]
    return { headers, body: form === 'html' ? write.html(page, locale, reportUrl) : write.plain(page, locale) }
  }

  private localeOf(header: string): Locale {
    const accepted = header.slice(0, LONGEST_ACCEPTED)
    const known = this.locales.get(accepted)
    if (known) return known
    if (this.locales.size >= MOST_HEADERS) this.locales.clear()
    const locale = negotiate(accepted)
    this.locales.set(accepted, locale)
    return locale
  }
}

const inEach = <T>(make: (locale: Locale) => T): Record<Language, T> =>
  Object.fromEntries((Object.keys(LANGUAGES) as Language[]).map((language) => [language, make(negotiate(language))])) as Record<
    Language,
    T
  >
