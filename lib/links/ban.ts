import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { LinkContext } from './context'
import { findById } from './find'
import { type Maker, OURSELVES, unbanned } from './permit'
import { changeLink } from './update'

const change = (ctx: LinkContext, by: Maker, id: bigint, changes: (link: Link) => Partial<Link>) =>
  changeLink(ctx, by, () => findById(ctx, id), changes)

/**
 * Bans a link: from within a second on it answers 410 with the reason, and its owner cannot change it.
 * @param by whose ban it is
 * @param reason visitors read it; '' for none
 * @throws TerseError 'not_found', 'conflict', 'unavailable'
 */
export const banLink = (ctx: LinkContext, by: Pick<Maker, 'ownerId'>, id: bigint, reason: string): Promise<Link> =>
  // A ban of what is banned already changes its reason alone.
  change(ctx, { ...OURSELVES, ownerId: by.ownerId }, id, ({ state, stateBeforeBan }) => ({
    state: 'banned',
    banReason: reason,
    stateBeforeBan: state === 'banned' ? stateBeforeBan : state,
  }))

/**
 * Lifts a ban.
 * @throws TerseError 'not_found', 'conflict' (it is not banned), 'unavailable'; what the rules refuse
 */
export const unbanLink = (ctx: LinkContext, by: Maker, id: bigint): Promise<Link> =>
  change(ctx, by, id, (link) => {
    if (link.state !== 'banned') throw new TerseError('conflict', say('api.link.notBanned'))
    return unbanned(ctx, link)
  })

/**
 * Switches a link on or off.
 * @throws TerseError 'not_found', 'forbidden' (it is banned), 'conflict', 'unavailable'
 */
export const switchLink = (ctx: LinkContext, by: Maker, id: bigint, enabled: boolean): Promise<Link> =>
  change(ctx, by, id, () => ({ state: enabled ? 'active' : 'disabled' }))
