import type { Link } from '@/lib/db/generated/client'
import { filingIn, isFiled } from '@/lib/labels/filing'
import { sha256 } from '@/lib/tools/hash'
import type { WantedLink } from './draft'
import { isSame } from './edit-many'

/**
 * What a row makes of a link that came over: the same as if it had been imported first. So its destination counts too, where
 * the old shortener's redirect differs, which may have added something for the visitor, or been edited there since. What the
 * row does not say stays.
 * @param ownerId whose it will be
 */
export function changesOf(link: Link, input: WantedLink, ownerId: string): Partial<Link> {
  const { url, enabled, publicHistory, routing, preview, clicksBefore, maxClicks } = input
  const said: { [Column in keyof Link]?: Link[Column] | undefined } = {
    ...{ url, ownerId, title: input.title, redirectStatus: input.redirectStatus, passwordHash: input.passwordHash },
    ...{ startsAt: input.startsAt, expiresAt: input.expiresAt, expiredUrl: input.expiredUrl, maxClicks },
    ...{ createdAt: input.createdAt, listed: input.listed },
    routing: routing && JSON.stringify(routing),
    preview: preview && JSON.stringify(preview),
    clicksBefore: clicksBefore === undefined ? undefined : BigInt(clicksBefore),
    state: enabled === false ? 'disabled' : undefined,
    historyHiddenAt: publicHistory === false ? (link.historyHiddenAt ?? new Date()) : undefined,
  }
  const changes = Object.fromEntries(
    Object.entries(said).filter(([name, value]) => value !== undefined && !isSame(value, link[name as keyof Link])),
  ) as Partial<Link>
  if (changes.url !== undefined) changes.urlHash = sha256(changes.url)
  // As other shorteners count: the limit is of all clicks that the link ever had.
  if (changes.maxClicks != null) {
    changes.taken = Math.min(Number(link.clicks + (changes.clicksBefore ?? link.clicksBefore)), changes.maxClicks)
  }
  return changes
}

/** Whether a row says more of a link that came over than is known of it. */
export const saysMore = (link: Link, input: WantedLink, ownerId: string): boolean =>
  Object.keys(changesOf(link, input, ownerId)).length > 0 || isFiled(filingIn(input))
