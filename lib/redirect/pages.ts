import { createHash } from 'node:crypto'
import { type Brand, markHtml } from '@/lib/brand/brand'
import { unicodeHost } from '@/lib/net/shown-host'
import { escapeHtml } from '@/lib/tools/html'
import { Dates, type WrittenDate } from './dates'
import type { Page, RawHeaders } from './decide'
import { iconFor } from './icons'
import type { LinkRecord } from './record'
import { styleOf } from './style'
import { type Way, wordsOf } from './words'

/** What the visitor's browser asked for. */
export interface Wishes {
  /** The Accept header. */
  accept: string
  /** The Accept-Language header: dates are written so. */
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

/** The pages that visitors of links see. Whatever is the same for all of them is made once. */
export class VisitorPages {
  /** The Content-Security-Policy of every page: this very style, our mark and icon, and no script at all. */
  readonly policy: string
  private readonly head: string
  private readonly top: string
  private readonly end: string
  private readonly ways: Record<Way, string>
  private readonly dates = new Dates()
  private readonly notFound: Record<Form, Shown>

  constructor({ brand, baseUrl, open }: PageSettings) {
    const style = styleOf(brand)
    const origin = new URL(baseUrl).origin
    const name = escapeHtml(brand.name)
    const home = `${escapeHtml(baseUrl)}/`
    const links = brand.links.map(({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`)
    this.policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src ${origin}; base-uri 'none'; frame-ancestors 'none'`
    this.head = ` · ${name}</title><link rel="icon" type="${brand.icon.type}" href="${escapeHtml(origin + brand.icon.url)}"><style>${style}</style></head><body><header><a href="${home}">${markHtml(brand, origin)}${name}</a></header><main><section>`
    this.top =
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>'
    this.end = `</section></main><footer><p>${escapeHtml(brand.line)}</p>${links.length > 0 ? `<nav aria-label="About this site">${links.join('')}</nav>` : ''}</footer></body></html>`
    const toFront = (words: string) => `<a class="button plain" href="${home}">${words}</a>`
    this.ways = {
      front: toFront(open ? 'Shorten a link of your own' : `Go to ${name}`),
      home: toFront(`Go to ${name}`),
      // A GET of this very address: to reload the page would send its form again.
      again: '<a class="button" href="">Try again</a>',
      back: '<a class="button" href="">Back to the link</a>',
    }
    // Most are asked for by scanners, who try codes by the thousand.
    const notFound: Page = { name: 'not-found', record: null }
    this.notFound = { html: this.answer(notFound, 'html', '', null), text: this.answer(notFound, 'text', '', null) }
  }

  /**
   * A page as the client reads it, and the headers that go with it.
   * @param reportUrl where this link can be reported; null where there is none
   */
  present(page: Page, { accept, language }: Wishes, reportUrl: string | null): Shown {
    const form = accept.includes('text/html') ? 'html' : 'text'
    return page.name === 'not-found' ? this.notFound[form] : this.answer(page, form, language, reportUrl)
  }

  private answer(page: Page, form: Form, language: string, reportUrl: string | null): Shown {
    const headers = [
      ...['Content-Type', form === 'html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'],
      ...['Vary', isDated(page) ? 'Accept, Accept-Language' : 'Accept'],
      ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
    ]
    if (form === 'html') headers.push('Content-Security-Policy', this.policy)
    return { headers, body: form === 'html' ? this.html(page, language, reportUrl) : this.text(page, language) }
  }

  /** A whole page as HTML. @param language the Accept-Language header */
  html(page: Page, language = '', reportUrl: string | null = null): string {
    const words = wordsOf(page)
    const said = page.refusal === undefined ? this.sentence(page, language, timeHtml) : escapeHtml(page.refusal)
    const title = escapeHtml(words.title)
    const way = words.way === undefined ? '' : this.ways[words.way]
    return `${this.top}${title}${this.head}${iconFor(page)}<h1>${title}</h1>${bodyOf(page, said)}${way}${reportLink(page, reportUrl)}${this.end}`
  }

  /** The same for those who do not read HTML. */
  text(page: Page, language = ''): string {
    if (page.name === 'preview') return `${page.record?.url ?? ''}\n`
    const why = page.name === 'banned' && page.record?.banReason ? ` Why: ${page.record.banReason}` : ''
    return `${wordsOf(page).title}. ${page.refusal ?? this.sentence(page, language, ({ text }) => text)}${why}\n`
  }

  /** What happened to the link. @param show a date as it stands in the sentence */
  private sentence(page: Page, language: string, show: (date: WrittenDate, at: number) => string): string {
    const { text, dated, moment = false } = wordsOf(page)
    const { at } = page
    if (at === undefined || dated === undefined) return text
    return dated.replace('{}', () => show(this.dates.write(at, language, moment), at))
  }
}

const isDated = (page: Page) => page.at !== undefined && wordsOf(page).dated !== undefined

/** @param said what happened to the link, as HTML */
function bodyOf(page: Page, said: string): string {
  if (page.name === 'preview') return previewBody(page.record)
  const text = `<p>${said}</p>`
  if (page.name === 'password') return text + passwordForm(page.wrongPassword ?? false)
  if (page.name === 'banned' && page.record?.banReason)
    return `${text}<p><strong>Why:</strong> ${escapeHtml(page.record.banReason)}</p>`
  return text
}

/** In its own language, so that it is read out rightly and a right-to-left one stays in its place. */
function timeHtml({ text, language }: WrittenDate, at: number): string {
  const own = language.startsWith('en') ? '' : ` lang="${language}" dir="auto"`
  return `<time datetime="${new Date(at).toISOString()}"${own}>${escapeHtml(text)}</time>`
}

/** On pages where a visitor still decides whether to trust a link. */
function reportLink({ name }: Page, reportUrl: string | null): string {
  if (!reportUrl || (name !== 'preview' && name !== 'password')) return ''
  return `<p class="report">Something wrong with it? <a href="${escapeHtml(reportUrl)}">Report this link</a></p>`
}

function passwordForm(wrong: boolean): string {
  const error = wrong ? '<p class="error" id="error" role="alert">Wrong password. Try again.</p>' : ''
  const described = wrong ? ' aria-describedby="error" aria-invalid="true"' : ''
  return `<form method="post"><label for="password">Password</label><input id="password" name="password" type="password" required autofocus autocomplete="off" maxlength="256"${described}>${error}<button class="button">Open the link</button></form>`
}

function previewBody(record: LinkRecord | null): string {
  if (!record) return ''
  const url = new URL(record.url)
  const host = escapeHtml(unicodeHost(url.host))
  // Cut, not put together again: an empty query or fragment would be lost.
  const rest = escapeHtml(record.url.slice(`${url.protocol}//${url.host}`.length))
  const title = record.title ? `<p>${escapeHtml(record.title)}</p>` : ''
  return `${title}<div class="url">${escapeHtml(url.protocol)}//<strong>${host}</strong>${rest}</div><a class="button" rel="noreferrer noopener" href="${escapeHtml(record.url)}">Go to ${host}</a>`
}
