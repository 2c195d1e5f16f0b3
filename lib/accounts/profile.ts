import { isBanned } from '@/lib/actor'
import { stateOf, toView } from '@/lib/links/view'
import { behindId, byId, pageOf } from '@/lib/tools/cursor'
import type { AccountContext } from './context'
import { Handle, type Profile, Username } from './schemas'
import { findByUsername } from './username'

const PAGE = 50

/**
 * What an account shows of itself: its listed links that lead somewhere now, newest first.
 * @param called its handle or its username, in any case
 * @param cursor `nextCursor` of the page before
 * @returns null where there is nothing to show: no such account, a banned one, or one that shows nothing
 * @throws TerseError 'bad_request', 'unavailable'
 */
export async function profileOf(ctx: AccountContext, called: string, cursor?: string): Promise<Profile | null> {
  const before = behindId(cursor)
  const user = await findCalled(ctx, called)
  if (!user?.publicProfile || isBanned(user)) return null
  const where = { ownerId: user.id, listed: true, ...before }
  const rows = await ctx.db.read((client) => client.link.findMany({ where, orderBy: { id: 'desc' }, take: PAGE + 1 }))
  const { page, nextCursor } = pageOf(rows, PAGE, byId)
  return {
    handle: user.handle ?? '',
    username: user.username,
    name: user.name,
    links: page
      .filter((link) => stateOf(link) === 'active')
      .map((link) => {
        const { shortUrl, url, title, createdAt } = toView(link, ctx.domains)
        // Where a password stands before it, the destination is for those who know the password.
        return { shortUrl, url: link.passwordHash === null ? url : shortUrl, title, createdAt }
      }),
    nextCursor,
  }
}

async function findCalled(ctx: AccountContext, called: string) {
  if (Handle.safeParse(called).success) return ctx.db.read((client) => client.user.findUnique({ where: { handle: called } }))
  const { success, data } = Username.safeParse(called)
  return success ? findByUsername(ctx, data) : null
}
