import { type Former, type Past, SHOWN } from '@/lib/history/past'
import type { Translator } from '@/lib/i18n/translate'
import { unicodeHost } from '@/lib/net/shown-host'
import { escapeHtml } from '@/lib/tools/html'

/** Characters of a former destination that are shown: it is no longer where anyone goes. */
const LONGEST = 300
/** Of those where it led some visitors, for each former destination. */
const MOST_OTHERS = 3

/** What writes a day. */
type DayOf = (at: number) => string

/** Where a link led before, as the preview page says it. Former destinations are text: nobody can follow one from here. */
export class PastWriter {
  constructor(private readonly t: Translator<'visitor'>) {}

  /** Since when it leads where it leads, as HTML. @param past null: that cannot be read now */
  since(past: Past | null, day: DayOf): string {
    const { t } = this
    if (past === null) return note(t('past.unread'))
    const { since, hiddenSince } = past
    const hidden = hiddenSince === null ? '' : ` ${t('past.hidden', { date: day(hiddenSince) })}`
    return note(t('past.since', { date: day(since) }) + hidden)
  }

  /** Where it led before, as HTML; '' where there is nothing to say. */
  before(past: Past | null, day: DayOf): string {
    if (past === null) return ''
    const { before, more } = past
    return this.list(before, more, day)
  }

  /** The same of a link that has ended: where it led after that. Of where it led until then, nothing. */
  afterEnd(past: Past | null, day: DayOf): string {
    if (past === null) return note(this.t('past.unread'))
    const { before, hiddenSince } = past
    if (hiddenSince !== null) return note(this.t('past.hidden', { date: day(hiddenSince) }))
    return this.list(before.filter(isOfEnd), 0, day)
  }

  private list(before: readonly Former[], more: number, day: DayOf): string {
    if (before.length === 0) return ''
    const { t } = this
    const list = (some: readonly Former[]) => `<ol>${some.map((former) => `<li>${this.former(former, day)}</li>`).join('')}</ol>`
    const [first, rest] = [before.slice(0, SHOWN), before.slice(SHOWN)]
    const older = more > 0 ? note(t('past.older', { count: more })) : ''
    const folded =
      rest.length > 0
        ? `<details><summary>${escapeHtml(t('past.more', { count: rest.length }))}</summary>${list(rest)}${older}</details>`
        : older
    return `<div class="past"><h2>${escapeHtml(t('past.before'))}</h2>${list(first)}${folded}</div>`
  }

  /** The same for those who do not read HTML, line by line. */
  plain(past: Past | null, day: DayOf): string[] {
    const { t } = this
    if (past === null) return [t('past.unread')]
    const { since, hiddenSince, before, more } = past
    return [
      t('past.since', { date: day(since) }),
      ...(hiddenSince === null ? [] : [t('past.hidden', { date: day(hiddenSince) })]),
      ...(before.length === 0 ? [] : [`${t('past.before')}:`]),
      ...before.map((former) => this.plainFormer(former, day)),
      ...(more > 0 ? [t('past.older', { count: more })] : []),
    ]
  }

  /** The same of a link that has ended, as `afterEnd`. */
  plainAfterEnd(past: Past | null, day: DayOf): string[] {
    const { t } = this
    if (past === null) return [t('past.unread')]
    const { before, hiddenSince } = past
    if (hiddenSince !== null) return [t('past.hidden', { date: day(hiddenSince) })]
    const ends = before.filter(isOfEnd).map((former) => this.plainFormer(former, day))
    return ends.length === 0 ? [] : [`${t('past.before')}:`, ...ends]
  }

  private plainFormer({ to, until, ended }: Former, day: DayOf): string {
    const { t } = this
    const urls = to === null ? t('past.unseen') : [this.wordsOf(to.url), ...to.others.slice(0, MOST_OTHERS)].map(cut).join(', ')
    return `- ${ended ? `${t('past.ended')} ` : ''}${urls} (${t('past.until', { date: day(until) })})`
  }

  private wordsOf(url: string): string {
    return url === '' ? this.t('past.nowhere') : url
  }

  private former({ to, until, ended }: Former, day: DayOf): string {
    const { t } = this
    const once = ended ? `<span>${escapeHtml(t('past.ended'))}</span>` : ''
    const date = `<span>${escapeHtml(t('past.until', { date: day(until) }))}</span>`
    if (to === null) return `${once}${escapeHtml(t('past.unseen'))}${date}`
    if (to.url === '') return `${once}${escapeHtml(t('past.nowhere'))}${date}`
    const others = to.others.slice(0, MOST_OTHERS).map(addressHtml)
    const elsewhere = others.length > 0 ? `<span>${escapeHtml(t('past.others'))}</span>${others.join('')}` : ''
    return once + addressHtml(to.url) + elsewhere + date
  }
}

const isOfEnd = ({ ended }: Former) => ended === true

const note = (text: string) => `<p class="since">${escapeHtml(text)}</p>`

const cut = (url: string) => (url.length > LONGEST ? `${url.slice(0, LONGEST)}…` : url)

function addressHtml(address: string): string {
  return `<bdi>${hostFirst(cut(address))}</bdi>`
}

/** An address as HTML, with its host in bold, in the letters of its own script. Cut, not put together again. */
export function hostFirst(address: string): string {
  const [, scheme = '', host = '', rest = address] = /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(address) ?? []
  return `${escapeHtml(scheme)}<strong>${escapeHtml(unicodeHost(host))}</strong>${escapeHtml(rest)}`
}
