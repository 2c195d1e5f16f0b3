import type { Logger } from 'pino'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import type { EventKind } from '@/lib/events/kinds'
import type { Listeners } from '@/lib/events/listeners'
import { noteEvents, type OutgoingEvent } from '@/lib/events/outbox'
import type { LinkContext } from './context'
import { toView } from './view'

type Hearing = { db: Pick<DatabaseGateway, 'rows'>; listeners: Listeners }

/**
 * Whether an account's webhooks want to be told of this. Asked before the change, and again by `tellLate` if not.
 * @throws TerseError 'unavailable'
 */
export const isHeard = ({ db, listeners }: Hearing, kind: EventKind, ownerId: string | null): Promise<boolean> =>
  listeners.hears(kind, ownerId, (sql, values) => db.rows(sql, ...values))

/**
 * Tells what was written while nobody seemed to listen, if someone does by now. A write may wait for seconds for another, in
 * which a webhook is created and answered for: it is told all that is committed after that.
 * @param ownerIds of those whose webhooks were not told with the change
 */
export async function tellLate(
  { db, listeners, log }: { db: DatabaseGateway; listeners: Listeners; log: Logger },
  kind: EventKind,
  ownerIds: Iterable<string | null>,
  eventsOf: (listening: ReadonlySet<string | null>) => OutgoingEvent[],
): Promise<void> {
  const ids = [...ownerIds].filter((id) => id !== null)
  if (ids.length === 0) return
  try {
    const listening = await listeners.among(ids, kind, (sql, values) => db.rows(sql, ...values))
    if (listening.size > 0) await db.atomic((tx) => noteEvents(tx, eventsOf(listening)))
  } catch (err) {
    // The change itself stands.
    log.warn({ err }, 'webhooks that were created during a change were not told of it')
  }
}

/** The same of one link. */
export async function tellLateOf(
  ctx: LinkContext,
  kind: EventKind,
  isTold: boolean,
  link: Link & { deletedAt?: Date },
  besides: object = {},
): Promise<void> {
  if (!isTold) await tellLate(ctx, kind, [link.ownerId], () => linkEvents(ctx, kind, [link], besides))
}

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
