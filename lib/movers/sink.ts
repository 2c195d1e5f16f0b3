import { say } from '@/lib/i18n/message'
import type { Mover } from './mover'
import { routingOf } from './routes'
import { cardOf } from './said'

/** Sink: the JSON that its page exports. It redirects with 301 unless it is set up otherwise. */
export const sink: Mover = {
  redirectStatus: 301,
  json: {
    list: 'links',
    read: (link) => ({
      said: {
        ...{ code: link.slug, url: link.url, title: link.title, comment: link.comment, tags: link.tags },
        ...{ createdAt: link.createdAt, expiresAt: link.expiration },
        preview: previewOf(link),
        routing: routingOf({ ios: link.apple, android: link.google, geo: link.geo, query: link.redirectWithQuery === true }),
      },
      // It hashes passwords in a way of its own (PBKDF2).
      ...(link.password ? { fault: say('api.import.hiddenPassword') } : {}),
      left: link.cloaking === true ? ['cloaking'] : [],
    }),
  },
}

/** What apps show of it, where that was set. */
function previewOf({ title, description, image }: Readonly<Record<string, unknown>>): object | undefined {
  return !title || (!description && !image) ? undefined : cardOf({ title, description, image })
}
