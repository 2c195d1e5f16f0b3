import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { banLink, switchLink, unbanLink } from './ban'
import type { AdminBulkLinks } from './bulk-schemas'
import type { LinkContext } from './context'
import { deleteFound } from './delete'
import { type Found, findAny, isDeleted, noSuchLink } from './find'
import type { Maker } from './permit'
import { restoreFound } from './restore'

type Action = AdminBulkLinks['action']

/**
 * Does something to one link, for an admin.
 * @throws TerseError 'not_found', 'conflict' (it cannot be done now), 'forbidden', 'unavailable'
 */
export async function actOnLink(ctx: LinkContext, admin: Maker, id: bigint, action: Action, reason: string): Promise<Found> {
  const found = await findAny(ctx, id)
  if (isDeleted(found) !== (action === 'restore')) throw noSuchLink()
  await actOn(ctx, { ...admin, isModerator: true }, found, action, reason)
  return found
}

/**
 * Does something to a link, whether or not it is so already.
 * @throws TerseError 'gone', 'conflict' (it cannot be done now), 'forbidden', 'unavailable'
 */
export async function actOn(ctx: LinkContext, by: Maker, found: Found, action: Action, reason: string): Promise<void> {
  if (action === 'restore') {
    if (isDeleted(found)) await restoreFound(ctx, by, found)
  } else if (isDeleted(found)) throw new TerseError('gone', say('api.link.deleted'))
  else if (action === 'delete') await deleteFound(ctx, by, found)
  else if (action === 'ban') await banLink(ctx, by, found.id, reason)
  else if (action === 'unban') await unbanLink(ctx, by, found.id)
  else await switchLink(ctx, by, found.id, action === 'enable')
}

const STATES = { enable: 'active', disable: 'disabled', ban: 'banned' } as const

/** Whether the action would leave the link as it is. A ban for another reason is another one. */
export function isReached(found: Found, action: Action, reason: string): boolean {
  if (action === 'restore' || action === 'delete') return isDeleted(found) === (action === 'delete')
  if (isDeleted(found)) return false
  if (action === 'unban') return found.state !== 'banned'
  return found.state === STATES[action] && (action !== 'ban' || found.banReason === reason)
}
