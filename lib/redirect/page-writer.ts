import type { Locale } from '@/lib/i18n/languages'
import type { Writer } from '@/lib/i18n/message'
import { type Translator, translator, writer } from '@/lib/i18n/translate'
import { unicodeHost } from '@/lib/net/shown-host'
import type { ShownCard } from '@/lib/previews/cards'
import { otherUrls } from '@/lib/routing/urls'
import { escapeHtml } from '@/lib/tools/html'
import { isWeb } from '@/lib/tools/schemes'
import type { Dates } from './dates'
import type { Page, PageName } from './decide'
import { iconFor } from './icons'
import { hostFirst, PastWriter } from './past-writer'
import type { LinkRecord } from './record'

/** What is the same in every language, as HTML but for the name. */
export interface Frame {
  /** Of the deployment. */
  name: string
  /** What follows the title: name, icon and style. */
  head: string
  /** The mark, if any, and the name. */
  mark: string
  /** Links of the footer; '' for none. */
  links: string
  /** Address of the front page. */
  home: string
  /** Whether a stranger may shorten a link there. */
  open: boolean
}

/** Where a page leads when there is nothing else to do on it; one with a form or a button of its own is left out. */
type Way = 'front' | 'home' | 'again' | 'back'
const WAYS: Partial<Record<PageName, Way>> = {
  'not-found': 'front',
  gone: 'front',
  expired: 'front',
  banned: 'home',
  unopened: 'home',
  malformed: 'home',
  inactive: 'again',
  disabled: 'again',
  paused: 'home',
  unavailable: 'again',
  upstream: 'again',
  'too-many': 'back',
}

/** Stands in a message for what comes as HTML. */
const HOLE = '\0'
const DATE_AND_STOP = new RegExp(`${HOLE}([.,。，]?)`)

/** The pages that visitors of links see, in one language. What is the same on all of them is made once. */
export class PageWriter {
  private readonly t: Translator<'visitor'>
  private readonly write: Writer
  private readonly past: PastWriter
  private readonly top: string
  private readonly end: string
  private readonly ways: Record<Way, string>

  constructor(
    private readonly frame: Frame,
    private readonly dates: Dates,
    locale: Locale,
  ) {
    const t = translator(locale, 'visitor')
    const { name, home, open, links } = frame
    this.t = t
    this.write = writer(locale)
    this.past = new PastWriter(t)
    this.top = `<!doctype html><html lang="${locale.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>`
    const nav = links === '' ? '' : `<nav aria-label="${escapeHtml(t('about'))}">${links}</nav>`
    const line = escapeHtml(translator(locale, 'base')('footer.line', { name }))
    this.end = `</section></main><footer><p>${line}</p>${nav}</footer></body></html>`
    const toFront = (words: string) => `<a class="button plain" href="${home}">${escapeHtml(words)}</a>`
    // A GET of this very address: to reload the page would send its form again.
    const toHere = (words: string) => `<a class="button" href="">${escapeHtml(words)}</a>`
    this.ways = {
      front: toFront(open ? t('way.shorten') : t('way.home', { name })),
      home: toFront(t('way.home', { name })),
      again: toHere(t('way.again')),
      back: toHere(t('way.back')),
    }
  }

  /** A whole page as HTML. @param locale of this language; dates follow its region */
  html(page: Page, { locale }: Locale, reportUrl: string | null): string {
    const { head, mark, home } = this.frame
    const title = escapeHtml(this.title(page))
    const at = page.at ?? 0
    // With the stop after it, which would else stand alone on the next line.
    const date = (_: string, stop: string) =>
      `<time datetime="${new Date(at).toISOString()}">${escapeHtml(this.dateOf(page, locale))}${stop}</time>`
    const said = escapeHtml(this.text(page, HOLE)).replace(DATE_AND_STOP, date)
    const way = WAYS[page.name]
    return `${this.top}${title}${head}<body><header><a href="${home}">${mark}</a></header><main><section>${iconFor(page)}<h1>${title}</h1>${this.body(page, said, locale)}${way ? this.ways[way] : ''}${this.report(page, reportUrl)}${this.end}`
  }

  /** The same for those who do not read HTML. */
  plain(page: Page, { locale }: Locale): string {
    const { t } = this
    if (page.name === 'preview') return this.plainPreview(page, locale)
    const reason = page.name === 'banned' && page.record?.banReason ? ` ${t('reason')} ${page.record.banReason}` : ''
    return `${this.title(page)}. ${this.text(page, this.dateOf(page, locale))}${reason}\n`
  }

  private title({ name, usedUp }: Page): string {
    if (name === 'card') return ''
    const { t } = this
    return t(`title.${usedUp ? 'used-up' : name}`)
  }

  /** What happened to the link. @param date as it stands in the sentence, where there is one */
  private text({ name, usedUp, refusal, at }: Page, date: string): string {
    const { t } = this
    if (refusal) return this.write(refusal)
    if (name === 'preview' || name === 'card') return ''
    if (at !== undefined && isDated(name)) return t(`dated.${name}`, { date })
    return t(`text.${usedUp ? 'used-up' : name}`)
  }

  /** A date of its own, or a moment at which to come back; '' where none is known. */
  private dateOf({ name, at }: Page, locale: string): string {
    return at === undefined ? '' : this.dates.write(at, locale, name === 'inactive')
  }

  /** @param said what happened to the link, as HTML */
  private body(page: Page, said: string, locale: string): string {
    const { t } = this
    if (page.name === 'preview') return this.preview(page, locale)
    const text = `<p>${said}</p>`
    if (page.name === 'password') return text + this.passwordForm(page.wrongPassword ?? false)
    if (page.name === 'banned' && page.record?.banReason)
      return `${text}<p><strong>${escapeHtml(t('reason'))}</strong> ${escapeHtml(page.record.banReason)}</p>`
    return text
  }

  /** On pages where a visitor still decides whether to trust a link. */
  private report({ name }: Page, reportUrl: string | null): string {
    const { t } = this
    if (!reportUrl || (name !== 'preview' && name !== 'password')) return ''
    return `<p class="report">${escapeHtml(t('report.question'))} <a href="${escapeHtml(reportUrl)}">${escapeHtml(t('report.link'))}</a></p>`
  }

  private passwordForm(wrong: boolean): string {
    const { t } = this
    const error = wrong ? `<p class="error" id="error" role="alert">${escapeHtml(t('password.wrong'))}</p>` : ''
    const described = wrong ? ' aria-describedby="error" aria-invalid="true"' : ''
    return `<form method="post"><label for="password">${escapeHtml(t('password.label'))}</label><input id="password" name="password" type="password" required autofocus autocomplete="off" maxlength="256"${described}>${error}<button class="button">${escapeHtml(t('password.open'))}</button></form>`
  }

  /** What apps show of it, and whose words these are: a visitor may have been shown the link by its card alone. */
  private card({ source, title, description, image }: ShownCard): string {
    const { t } = this
    const says = [`<strong>${escapeHtml(title)}</strong>`, escapeHtml(description)].filter((text) => text !== '')
    const said = says.map((text) => `<p class="since" dir="auto">${text}</p>`)
    if (image) said.push(`<bdi>${hostFirst(image)}</bdi>`)
    return `<div class="past"><h2>${escapeHtml(t(`card.${source}`))}</h2>${said.join('')}</div>`
  }

  /** The addresses, one a line, and below them what the page says besides. */
  private plainPreview({ record, ended, past, card, threat }: Page, locale: string): string {
    const { t } = this
    if (!record) return '\n'
    const day = this.dayIn(locale)
    const warning = this.threatIn(record, threat, ended)
    if (ended && record.expiredUrl) {
      return inParts([record.expiredUrl], [warning], past === undefined ? [] : this.past.plainAfterEnd(past, day))
    }
    const later = laterUrl(record)
    const urls = [record.url, ...elsewhere(record), ...(later ? [`${t('routed.ended')} ${later}`] : [])]
    const since = past === undefined ? [] : this.past.plain(past, day)
    const shown = card ? [`${t(`card.${card.source}`)}:`, card.title, card.description, card.image ?? ''] : []
    return inParts(urls, [record.title, ...this.passedOn(record), warning], since, shown)
  }

  /** What becomes of what visitors add to the link. */
  private passedOn({ routing }: LinkRecord): string[] {
    const { t } = this
    const { query, path, clickId } = routing?.fields ?? {}
    return [
      ...(query ? [t('routed.query')] : []),
      ...(path === 'append' ? [t('routed.path')] : []),
      ...(clickId ? [t('routed.clickId')] : []),
    ]
  }

  /** '' unless a destination that the page shows is on the list of threats. */
  private threatIn({ expiredUrl }: LinkRecord, threat: string | null = null, ended: true | undefined): string {
    if (threat === null || (ended && threat !== expiredUrl)) return ''
    const { t } = this
    return isWeb(threat) ? t('threat', { host: unicodeHost(new URL(threat).host) }) : ''
  }

  private dayIn(locale: string): (at: number) => string {
    return (at) => this.dates.write(at, locale, false)
  }

  private preview({ record, ended, past, card, threat }: Page, locale: string): string {
    const { t } = this
    if (!record) return ''
    const day = this.dayIn(locale)
    const warning = this.threatIn(record, threat, ended)
    const warned = warning && `<p class="error">${escapeHtml(warning)}</p>`
    // Nothing else of it: that may have been behind a password.
    if (ended && record.expiredUrl) {
      const before = past === undefined ? '' : this.past.afterEnd(past, day)
      return urlBox(record.expiredUrl) + warned + this.goTo(record.expiredUrl) + before
    }
    const { url, title } = record
    const others = elsewhere(record).map(urlBox).join('')
    const named = title ? `<p>${escapeHtml(title)}</p>` : ''
    const by = others && `<p>${escapeHtml(t('routed.others'))}</p>${others}`
    const added = this.passedOn(record)
      .map((text) => `<p>${escapeHtml(text)}</p>`)
      .join('')
    const later = laterUrl(record)
    const after = later ? `<p>${escapeHtml(t('routed.ended'))}</p>${urlBox(later)}` : ''
    const [since, before] = past === undefined ? ['', ''] : [this.past.since(past, day), this.past.before(past, day)]
    const shown = card ? this.card(card) : ''
    return `${named}${urlBox(url)}${by}${added}${after}${warned}${since}${this.goTo(url)}${shown}${before}`
  }

  private goTo(url: string): string {
    const { t } = this
    const words = isWeb(url) ? t('way.destination', { host: unicodeHost(new URL(url).host) }) : t('way.app')
    return `<a class="button" rel="noreferrer noopener" href="${escapeHtml(url)}">${escapeHtml(words)}</a>`
  }
}

const elsewhere = ({ url, routing }: LinkRecord) => otherUrls(url, routing?.fields)

/** Where a link leads once its time or its clicks are over, if it can end. */
const laterUrl = ({ expiredUrl, expiresAt, maxClicks }: LinkRecord) =>
  expiresAt === null && maxClicks === null ? null : expiredUrl

const urlBox = (address: string) => `<div class="url">${hostFirst(address)}</div>`

/** Lines in parts with an empty one between; those that say nothing are left out. */
const inParts = (...parts: string[][]) =>
  parts
    .map((lines) => lines.filter((line) => line !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')

const DATED = ['gone', 'inactive', 'expired'] as const
const isDated = (name: PageName): name is (typeof DATED)[number] => (DATED as readonly string[]).includes(name)
