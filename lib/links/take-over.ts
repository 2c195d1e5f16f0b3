import { NOWHERE } from '@/lib/actor'
import { isTerseError, type TerseError } from '@/lib/errors'
import { isOpened } from '@/lib/tools/schemes'
import type { FoundLink, TakeOver } from '@/lib/upstream/upstreams'
import type { LinkContext } from './context'
import { createLink } from './create'
import { CreateLink } from './schemas'
import { linkStatusOf } from './values'

/**
 * Creates the links that an old shortener is asked for, as a request of who set it would: the same rules, the same events. They
 * count for nobody's budget: how many there are in a second is limited where they are asked for. Never throws.
 */
export const takeOverBy =
  (ctx: LinkContext): TakeOver =>
  async ({ host, code, url, status, ownerId }: FoundLink) => {
    const parsed = CreateLink.safeParse({ url, code, domain: host, redirectStatus: linkStatusOf(status) })
    // No link can be called so, or nobody is there to own it: visitors go on all the same, but not to where no link may lead.
    if (!parsed.success || ownerId === null) return isAllowed(ctx, url) ? 'redirectOnly' : 'refused'
    const origin = { ...NOWHERE, isByItself: true as const }
    try {
      const actor = { account: null, ownerId, scope: 'write' as const, manageToken: null, origin }
      await createLink(ctx, actor, parsed.data, null, { isTakenOver: true, isFromUpstream: true })
      return 'taken'
    } catch (error) {
      // Somebody was quicker, or it was deleted here and rests: what there is, says the next look.
      if (isTerseError(error) && error.code === 'conflict') return 'taken'
      if (isTerseError(error) && error.code === 'validation_failed')
        return isOfCode(error) && isAllowed(ctx, url) ? 'redirectOnly' : 'refused'
      ctx.log.warn({ err: error, host }, 'a link of the old shortener could not be created')
      return 'redirectOnly'
    }
  }

/** It may lead there, and not under this code. */
const isOfCode = ({ errors }: TerseError) => errors?.every(({ path }) => path === 'code') ?? false

const isAllowed = ({ blocklist, config }: LinkContext, url: string) =>
  isOpened(url, config.LINK_SCHEMES) && !blocklist.isBlocked({ url })
