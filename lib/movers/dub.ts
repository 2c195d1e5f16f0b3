import { say } from '@/lib/i18n/message'
import { notAsExpected } from './errors'
import { listed, live } from './live'
import type { Mover } from './mover'
import { routingOf } from './routes'
import { rowOf } from './said'

/** Links that one request gives at most. */
const PAGE = 100

type DubLink = Readonly<Record<string, unknown>>

const tagsOf = (tags: unknown) =>
  Array.isArray(tags) ? tags.flatMap((tag: { name?: unknown }) => (typeof tag?.name === 'string' ? tag.name : [])) : []

/** Dub: the CSV that its page writes, and its API. */
export const dub: Mover = {
  table: { columns: { shortlink: 'shortUrl' } },
  live: live({
    key: 'key',
    address: 'https://api.dub.co',
    begin: { after: '' },
    async page(ask, { after }) {
      const path = `links?pageSize=${PAGE}&showArchived=true&sortBy=createdAt&sortOrder=asc${after && `&startingAfter=${after}`}`
      const links = await ask<DubLink[]>(path, { keyIn: 'Authorization', keyAs: 'Bearer' })
      if (!Array.isArray(links)) throw notAsExpected()
      const rows = listed(links).map((link) => {
        const fault = link.password ? say('api.import.hiddenPassword') : undefined
        return rowOf(
          0,
          {
            ...{ code: link.key, url: link.url, domain: link.domain, title: link.title, comment: link.comments },
            ...{ tags: tagsOf(link.tags), archived: link.archived === true ? 'true' : '' },
            ...{ createdAt: link.createdAt, clicksBefore: link.clicks },
            ...{ expiresAt: link.expiresAt, expiredUrl: link.expiredUrl },
            enabled: link.disabledAt ? 'false' : '',
            routing: routingOf({ ios: link.ios, android: link.android, geo: link.geo, query: true }),
          },
          fault,
        )
      })
      const last = links.at(-1)?.id
      return {
        rows,
        total: null,
        next: links.length < PAGE || typeof last !== 'string' ? null : { after: encodeURIComponent(last) },
      }
    },
  }),
}
