import { LRUCache } from 'lru-cache'
import type { Brand } from '@/lib/brand/brand'
import { Format } from '@/lib/i18n/format'
import { localeOf } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'
import { StatsQuery } from '@/lib/stats/schemas'
import { escapeHtml } from '@/lib/tools/html'
import { DAY, MINUTE } from '@/lib/tools/time'
import { EMBED_DAYS } from './values'
import { type OpenShare, sharedStats, type VisitContext } from './visit'

/** What other sites show of shared statistics: a badge, and a page for a frame. Both are made without scripts. */

/** Clicks of people, by day. */
export interface Recent {
  clicks: number
  visitors: number
  days: { at: string; clicks: number }[]
}

/** How long numbers are shown before they are read again, in ms. */
const KEPT = 5 * MINUTE
const MOST_KEPT = 2_000

/** The numbers of badges and charts, kept for some minutes: they may stand on a busy page. */
export class RecentClicks {
  private readonly kept = new LRUCache<string, Promise<Recent | null>>({ max: MOST_KEPT, ttl: KEPT })

  constructor(private readonly ctx: VisitContext) {}

  /** @returns null while several links are counted for the first time @throws TerseError 'unavailable' */
  async of(open: OpenShare): Promise<Recent | null> {
    const key = open.share.id.toString()
    const reading = this.kept.get(key) ?? this.read(open)
    this.kept.set(key, reading, { noUpdateTTL: true })
    try {
      const recent = await reading
      if (recent === null) this.kept.delete(key)
      return recent
    } catch (error) {
      this.kept.delete(key)
      throw error
    }
  }

  private async read(open: OpenShare): Promise<Recent | null> {
    const from = new Date((Math.floor(Date.now() / DAY) - EMBED_DAYS + 1) * DAY).toISOString()
    const input = StatsQuery.parse({ from, interval: 'day', compare: 'none', kind: 'person', limit: '1' })
    const stats = await sharedStats(this.ctx, open, input)
    if ('counted' in stats) return null
    const { totals, series } = stats
    return { clicks: totals.clicks, visitors: totals.visitors, days: series }
  }
}

const HEIGHT = 20
/** Of a character of the badge on the average, in pixels; the text is fitted to what that makes. */
const CHARACTER = 6.6
const PADDING = 8

/** @param language of the reader: an Accept-Language header */
export function badgeOf(recent: Recent | null, headers: Headers): string {
  const locale = localeOf(headers)
  const t = translator(locale, 'stats')
  const label = t('share.badge.label', { days: EMBED_DAYS })
  const value = recent === null ? '…' : new Format(locale.locale).compact(recent.clicks)
  const [left, right] = [widthOf(label), widthOf(value)]
  const text = (content: string, x: number, width: number) =>
    `<text x="${x + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escapeHtml(content)}</text>`
  const name = escapeHtml(`${label}: ${value}`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${name}"><title>${name}</title>`,
    `<clipPath id="r"><rect width="${left + right}" height="${HEIGHT}" rx="4"/></clipPath><g clip-path="url(#r)">`,
    `<rect width="${left}" height="${HEIGHT}" fill="#3f3f46"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="#1d4ed8"/></g>`,
    `<g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(label, 0, left)}${text(value, left, right)}</g></svg>`,
  ].join('')
}

const widthOf = (text: string) => {
  const width = [...text].reduce((sum, sign) => sum + (sign > '\u2e7f' ? 2 : 1) * CHARACTER, 0)
  return Math.round(width) + 2 * PADDING
}

const [CHART, BAR_HEIGHT] = [600, 120]

/** A page for a frame on another site: light or dark as the reader has it, without scripts. */
export function embedPage(
  { subject }: OpenShare,
  recent: Recent | null,
  headers: Headers,
  { name }: Pick<Brand, 'name'>,
): string {
  const locale = localeOf(headers)
  const t = translator(locale, 'stats')
  const format = new Format(locale.locale)
  const title = escapeHtml(subject.kind === 'all' ? t('scope.all') : subject.name)
  const days = recent?.days ?? []
  const most = Math.max(1, ...days.map(({ clicks }) => clicks))
  const step = CHART / Math.max(1, days.length)
  const bars = days.map(({ at, clicks }, i) => {
    const height = clicks === 0 ? 1 : Math.max(2, (clicks / most) * BAR_HEIGHT)
    const said = escapeHtml(`${format.date(at.slice(0, 10))}: ${t('value.clicks', { clicks })}`)
    return `<rect x="${(i * step + 1).toFixed(1)}" y="${(BAR_HEIGHT - height).toFixed(1)}" width="${(step - 2).toFixed(1)}" height="${height.toFixed(1)}" rx="2"><title>${said}</title></rect>`
  })
  const figure = (label: string, value: number) =>
    `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(format.number(value))}</dd></div>`
  const first = days[0]
  const last = days.at(-1)
  const range = first && last ? `${format.date(first.at.slice(0, 10))} – ${format.date(last.at.slice(0, 10))}` : ''
  const body = recent
    ? `<dl>${figure(t('kind.person.clicks'), recent.clicks)}${figure(t('visitors'), recent.visitors)}</dl>
<svg viewBox="0 0 ${CHART} ${BAR_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(t('share.embed.chart', { days: EMBED_DAYS }))}">${bars.join('')}</svg><p>${escapeHtml(range)}</p>`
    : `<p>${escapeHtml(t('scope.counting', { counted: 0 }))}</p>`
  return `<!doctype html><html lang="${locale.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>${title} · ${escapeHtml(name)}</title><style>${STYLE}</style></head><body><main><h1><bdi>${title}</bdi></h1>${body}</main></body></html>`
}

const STYLE =
  ':root{color-scheme:light dark;--fg:#18181b;--muted:#52525b;--bar:#1d4ed8;--bg:#fff}@media(prefers-color-scheme:dark){:root{--fg:#f4f4f5;--muted:#a1a1aa;--bar:#60a5fa;--bg:#18181b}}' +
  'body{margin:0;padding:16px;background:var(--bg);color:var(--fg);font:14px/1.4 system-ui,sans-serif}h1{font-size:15px;margin:0 0 12px;overflow-wrap:anywhere}dl{display:flex;flex-wrap:wrap;gap:4px 32px;margin:0 0 12px}' +
  'dt{color:var(--muted);font-size:13px}dd{margin:0;font-size:24px;font-weight:600;font-variant-numeric:tabular-nums}svg{display:block;width:100%;height:120px}rect{fill:var(--bar)}p{color:var(--muted);font-size:13px;margin:8px 0 0}'
