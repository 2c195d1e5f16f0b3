import { notAsExpected } from './errors'
import { listed, live } from './live'
import type { Mover } from './mover'
import { rowOf, shortLinkOf } from './said'

/** Links that one request gives at most. */
const PAGE = 100

interface Bitlink {
  link?: unknown
  long_url?: unknown
  title?: unknown
  tags?: unknown
  created_at?: unknown
  archived?: unknown
  custom_bitlinks?: unknown
}

interface Page {
  links?: Bitlink[]
  pagination?: { next?: unknown; total?: unknown }
}

/** Bitly: the CSV that its page writes, and its API. It redirects with 301. */
export const bitly: Mover = {
  redirectStatus: 301,
  table: {
    columns: {
      ...{ bitlink: 'shortUrl', link: 'shortUrl', shortlink: 'shortUrl', customlink: 'customUrl', custombitlink: 'customUrl' },
      ...{ createdate: 'createdAt', engagements: 'clicksBefore', totalengagements: 'clicksBefore' },
    },
  },
  live: live({
    key: 'key',
    address: 'https://api-ssl.bitly.com',
    begin: { groups: '', path: '' },
    async page(ask, { groups, path }) {
      const how = { keyIn: 'Authorization', keyAs: 'Bearer' } as const
      if (groups === '' && path === '') {
        const answer = await ask<{ groups?: { guid?: unknown }[] }>('v4/groups', how)
        const found = answer.groups?.flatMap(({ guid }) => (typeof guid === 'string' ? guid : [])) ?? []
        if (found.length === 0) throw notAsExpected()
        return { rows: [], total: null, next: nextGroup(found.join()) }
      }
      const { links, pagination } = await ask<Page>(path, how)
      if (!links) throw notAsExpected()
      const next = typeof pagination?.next === 'string' && pagination.next !== '' ? pagination.next : null
      return {
        rows: listed(links).flatMap(rowsOf),
        total: null,
        next: next !== null ? { groups, path: next } : nextGroup(groups),
      }
    },
  }),
}

const nextGroup = (groups: string) => {
  const [first = '', ...rest] = groups.split(',')
  if (first === '') return null
  return { groups: rest.join(), path: `v4/groups/${encodeURIComponent(first)}/bitlinks?size=${PAGE}&archived=both` }
}

/** A link by each of its names: people may have been given any. */
function rowsOf(link: Bitlink) {
  const custom = Array.isArray(link.custom_bitlinks) ? link.custom_bitlinks : []
  const names = [...new Set([link.link, ...custom].filter((name): name is string => typeof name === 'string'))]
  return names.flatMap((name) => {
    const found = shortLinkOf(name)
    if (!found) return []
    const { long_url: url, title, tags, created_at } = link
    const archived = link.archived === true ? 'true' : ''
    return [rowOf(0, { ...found, url, title, tags, archived, createdAt: created_at, redirectStatus: 301 })]
  })
}
