import { notAsExpected } from './errors'
import { listed, live } from './live'
import type { Mover } from './mover'
import { codeOf, rowOf, shortLinkOf } from './said'

/** The columns of the table `url`, in their order. */
const COLUMNS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks']

/** Links that one request asks for. */
const PAGE = 1_000

interface Listed {
  shorturl?: unknown
  url?: unknown
  title?: unknown
  timestamp?: unknown
  clicks?: unknown
}

interface Stats {
  links?: Record<string, Listed> | Listed[]
  stats?: { total_links?: unknown }
  message?: unknown
}

/** What links are listed by, in turn: of those that are alike in one order, some may be missing in it. */
const ORDERS = ['last', 'bottom', 'top']

/**
 * YOURLS: its table `url`, with any prefix, in a dump of MySQL; that table as CSV, or what the plugin “Import Export” writes; its
 * API. It redirects with 301.
 */
export const yourls: Mover = {
  redirectStatus: 301,
  sql: {
    // `yourls_url`, with whatever prefix; other systems have no column `keyword`.
    tables: (name) => name === 'url' || name.endsWith('_url'),
    columns: () => COLUMNS,
    backslash: true,
    reader:
      () =>
      (_table, { keyword, url, title, timestamp, clicks }) =>
        keyword === undefined || url === undefined
          ? null
          : { said: { code: keyword, url, title, createdAt: timestamp, clicksBefore: clicks } },
  },
  table: {
    columns: { source: 'code', shorturl: 'shortUrl' },
    bare: COLUMNS,
  },
  live: live({
    key: 'signature',
    begin: { order: 0, start: 0 },
    async page(ask, { order, start }) {
      const filter = ORDERS[order] ?? 'last'
      const form = { action: 'stats', format: 'json', filter, limit: String(PAGE), start: String(start) }
      const answer = await ask<Stats>('yourls-api.php', { form, keyAs: 'signature' })
      const links = listed(Object.values(answer.links ?? {}))
      if (answer.links === undefined && answer.stats === undefined) throw notAsExpected()
      const rows = links.map(({ shorturl, url, title, timestamp, clicks }) => {
        const code = shortLinkOf(String(shorturl ?? ''))?.code ?? codeOf(String(shorturl ?? ''))
        return rowOf(0, { code, url, title, createdAt: timestamp, clicksBefore: clicks, redirectStatus: 301 })
      })
      const total = Number(answer.stats?.total_links ?? 0)
      if (links.length === PAGE) return { rows, total, next: { order, start: start + PAGE } }
      // Where fewer came than there are, they come in another order too.
      const next = order + 1 < ORDERS.length ? { order: order + 1, start: 0 } : null
      return { rows, total, next, isOnlyIfMissing: true }
    },
  }),
}
