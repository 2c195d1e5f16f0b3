import type { ImportRow } from '@/lib/links/import-source'
import { hashPassword } from '@/lib/tools/password'
import { notAsExpected } from './errors'
import { type Ask, listed, live } from './live'
import type { Mover } from './mover'
import { routingOf } from './routes'
import { cardOf, rowOf } from './said'

/** Links that one request gives at most. */
const PAGE = 100
const KEY = { keyIn: 'Authorization', keyAs: 'Bearer' } as const

type DubLink = Readonly<Record<string, unknown>>

/** Folders that one request gives at most, and how many of these are asked for. */
const FOLDERS = { page: 50, pages: 20 }

/** What it says of links that no link here has. */
const LEFT = [
  ...['rewrite', 'doIndex', 'externalId', 'tenantId', 'programId', 'partnerId', 'video', 'publicStats', 'webhookIds'],
  'trackConversion',
]

const isNothing = (value: unknown) => !value || (Array.isArray(value) && value.length === 0)

/** Names of folders by their IDs; null: it has none to show. */
async function foldersOf(ask: Ask): Promise<ReadonlyMap<unknown, unknown> | null> {
  const names = new Map<unknown, unknown>()
  for (let page = 1; page <= FOLDERS.pages; page++) {
    const how = { ...KEY, isNothing: [403, 404] }
    const folders = await ask<{ id?: unknown; name?: unknown }[] | null>(`folders?page=${page}&pageSize=${FOLDERS.page}`, how)
    if (!Array.isArray(folders)) return page === 1 ? null : names
    for (const { id, name } of listed(folders)) names.set(id, name)
    if (folders.length < FOLDERS.page) break
  }
  return names
}

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
      const links = await ask<DubLink[]>(path, KEY)
      if (!Array.isArray(links)) throw notAsExpected()
      const folders = links.some(({ folderId }) => folderId) ? await foldersOf(ask) : null
      const rows: ImportRow[] = []
      for (const link of listed(links)) {
        const folder = link.folderId ? folders?.get(link.folderId) : undefined
        const left = LEFT.filter((name) => !isNothing(link[name]))
        if (link.folderId && folder === undefined) left.push('folderId')
        rows.push(
          rowOf(
            0,
            {
              ...{ code: link.key, url: link.url, domain: link.domain, title: link.title, comment: link.comments },
              ...{ tags: tagsOf(link.tags), archived: link.archived === true ? 'true' : '', folder },
              // It tells passwords as they are. Rows are written down, so they hold a hash.
              passwordHash: typeof link.password === 'string' && link.password ? await hashPassword(link.password) : '',
              preview: previewOf(link),
              ...{ createdAt: link.createdAt, clicksBefore: link.clicks },
              ...{ expiresAt: link.expiresAt, expiredUrl: link.expiredUrl },
              enabled: link.disabledAt ? 'false' : '',
              routing: routingOf({
                ...{ ios: link.ios, android: link.android, geo: link.geo, query: true },
                split: { variants: link.testVariants, endsAt: link.testCompletedAt },
              }),
            },
            undefined,
            left,
          ),
        )
      }
      const last = links.at(-1)?.id
      return {
        rows,
        total: null,
        next: links.length < PAGE || typeof last !== 'string' ? null : { after: encodeURIComponent(last) },
      }
    },
  }),
}

/** What apps show of it: its own title, description and image, or those of the destination. */
function previewOf({ proxy, title, description, image }: DubLink): object | undefined {
  if (proxy !== true) return undefined
  return title ? cardOf({ title, description, image }) : { source: 'destination' }
}
