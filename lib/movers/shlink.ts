import type { ImportRow } from '@/lib/links/import-source'
import type { Rule } from '@/lib/routing/rules'
import { ourRulesOf, TheirRules } from '@/lib/routing/shlink-rules'
import { notAsExpected } from './errors'
import { type Ask, countOf, listed, live, placeAfter } from './live'
import type { Mover } from './mover'
import { routingOf } from './routes'
import { rowOf } from './said'

/** Links that one request asks for. */
const PAGE = 100

interface ShortUrl {
  shortCode?: unknown
  longUrl?: unknown
  dateCreated?: unknown
  visitsSummary?: { total?: unknown }
  visitsCount?: unknown
  tags?: unknown
  meta?: { validSince?: unknown; validUntil?: unknown; maxVisits?: unknown }
  domain?: unknown
  title?: unknown
  forwardQuery?: unknown
  crawlable?: unknown
  hasRedirectRules?: unknown
}

interface Page {
  shortUrls?: { data?: ShortUrl[]; pagination?: { pagesCount?: unknown; totalItems?: unknown } }
}

/** What redirects some visitors of a link elsewhere: its list says only whether there is anything. */
async function rulesOf(ask: Ask, { shortCode, domain, hasRedirectRules }: ShortUrl): Promise<{ rules: Rule[]; left: string[] }> {
  if (hasRedirectRules !== true) return { rules: [], left: [] }
  const at = typeof domain === 'string' && domain !== '' ? `?domain=${encodeURIComponent(domain)}` : ''
  const path = `rest/v3/short-urls/${encodeURIComponent(String(shortCode))}/redirect-rules${at}`
  const answer = await ask<unknown>(path, { keyIn: 'X-Api-Key', isNothing: [404] })
  // Deleted meanwhile.
  if (answer === null) return { rules: [], left: ['redirectRules'] }
  const read = TheirRules.safeParse(answer)
  if (!read.success) throw notAsExpected()
  return ourRulesOf(read.data)
}

/** Shlink: the CSV that its web client writes, and its API. */
export const shlink: Mover = {
  table: {
    // The code is a column of its own, also where it has slashes: the whole short URL is not read.
    columns: {},
    tagMark: '|',
  },
  live: live({
    key: 'key',
    begin: { page: 1, total: -1 },
    async page(ask, { page, total: known }) {
      // Newest first: what is created there meanwhile moves no link over the place that was read.
      const path = `rest/v3/short-urls?page=${page}&itemsPerPage=${PAGE}&orderBy=dateCreated-DESC`
      const { shortUrls } = await ask<Page>(path, { keyIn: 'X-Api-Key' })
      if (!shortUrls?.data) throw notAsExpected()
      const rows: ImportRow[] = []
      for (const link of listed(shortUrls.data)) {
        const { shortCode: code, longUrl: url, domain, title, tags, meta } = link
        const { rules, left } = await rulesOf(ask, link)
        if (link.crawlable === true) left.push('crawlable')
        const said = {
          code,
          url,
          domain,
          title,
          tags,
          createdAt: link.dateCreated,
          clicksBefore: link.visitsSummary?.total ?? link.visitsCount,
          startsAt: meta?.validSince,
          expiresAt: meta?.validUntil,
          // Of all visits, those from before included, as a limit here is (lib/links/draft.ts).
          maxClicks: meta?.maxVisits,
          routing: routingOf({ rules, query: link.forwardQuery === true }),
        }
        rows.push(rowOf(0, said, undefined, left))
      }
      const { pagesCount, totalItems } = shortUrls.pagination ?? {}
      const total = countOf(totalItems)
      const { before } = placeAfter({ before: (page - 1) * PAGE, total: known }, PAGE, total)
      const next = Math.floor(before / PAGE) + 1
      return { rows, total, next: next <= page || next <= countOf(pagesCount ?? 1) ? { page: next, total } : null }
    },
  }),
}
