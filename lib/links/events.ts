import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import type { EventKind } from '@/lib/events/kinds'
import type { Listeners } from '@/lib/events/listeners'
import type { OutgoingEvent } from '@/lib/events/outbox'
import type { LinkContext } from './context'
import { toView } from './view'

type Hearing = { db: Pick<DatabaseGateway, 'rows'>; listeners: Listeners }

/** Whether an account's webhooks want to be told of this. Asked before the change. @throws TerseError 'unavailable' */
export const isHeard = ({ db, listeners }: Hearing, kind: EventKind, ownerId: string | null): Promise<boolean> =>
  listeners.hears(kind, ownerId, (sql, values) => db.rows(sql, ...values))

/** Characters of the rules and split that webhooks are told with a link: a request for many links repeats them for each. */
const MOST_TOLD_ROUTING = 4_000

/** A link as webhooks are told of it: as the API shows it, without a routing that is long. */
export function toldView(link: Link & { deletedAt?: Date }, domains: LinkContext['domains']) {
  const { routing, ...view } = toView(link, domains)
  return (link.routing?.length ?? 0) > MOST_TOLD_ROUTING ? view : { ...view, routing }
}

/** What webhooks are told of a link; nothing of one that is nobody's. */
export function linkEvents(
  { domains }: Pick<LinkContext, 'domains'>,
  kind: EventKind,
  links: readonly (Link & { deletedAt?: Date })[],
  besides: object = {},
): OutgoingEvent[] {
  return links.flatMap((link) => {
    const { id: linkId, ownerId } = link
    return ownerId === null ? [] : [{ kind, ownerId, linkId, data: { link: toldView(link, domains), ...besides } }]
  })
}

/** Fields that tell no change by themselves. */
const FOLLOWING: ReadonlySet<string> = new Set(['clicks', 'updatedAt'])

/** Names of the fields in which a link differs from what it was, as the API has them, and `password`. */
export function changedFields({ domains }: Pick<LinkContext, 'domains'>, before: Link, after: Link): string[] {
  const [old, now] = [toView(before, domains), toView(after, domains)]
  const names = (Object.keys(now) as (keyof typeof now)[]).filter(
    (name) => !FOLLOWING.has(name) && JSON.stringify(old[name]) !== JSON.stringify(now[name]),
  )
  return before.passwordHash === after.passwordHash ? names : [...names.filter((name) => name !== 'hasPassword'), 'password']
}
