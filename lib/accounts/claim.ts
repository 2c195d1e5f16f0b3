import { settleClicks } from '@/lib/clicks/account-settling'
import { noteClaimed } from '@/lib/counts/changes'
import type { Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { noteChange } from '@/lib/history/note-changes'
import { sha256 } from '@/lib/tools/hash'
import type { AccountContext } from './context'

export interface Claimed {
  links: Link[]
  /** Tokens that manage no link, or one that others were given too. */
  refused: number
}

/**
 * Makes links that were made without an account those of `userId`, with the clicks they had. Their manage tokens stop working.
 * @param tokens their manage tokens
 * @throws TerseError 'unavailable'
 */
export async function claimLinks(ctx: AccountContext, userId: string, tokens: readonly string[]): Promise<Claimed> {
  const hashes = [...new Set(tokens)].map(sha256)
  const found = await ctx.db.read((client) =>
    client.link.findMany({ where: { manageTokenHash: { in: hashes }, ownerId: null, shared: false } }),
  )
  const updatedAt = await ctx.db.read(databaseTime)
  const links: Link[] = []
  for (const { id } of found) {
    const where = { id, ownerId: null, shared: false, manageTokenHash: { in: hashes } }
    // Redirects know nothing of owners, so there is nothing to announce; but the version grows, so that an edit
    // under way by the token does not put the token back.
    const change = { ownerId: userId, manageTokenHash: null, version: { increment: 1 }, updatedAt }
    const { count } = await ctx.db.atomic(async (tx) => {
      const [before] = await tx.$queryRaw<{ version: bigint }[]>`SELECT version FROM Link WHERE id = ${id} FOR UPDATE`
      const claimed = await tx.link.updateMany({ where, data: change })
      if (claimed.count === 1 && before) {
        await noteClaimed(tx, id, userId)
        await noteChange(tx, {
          linkId: id,
          version: before.version + 1n,
          at: updatedAt,
          by: { kind: 'account', accountId: userId, byJob: false },
          wasOpen: false,
          changes: [{ field: 'owner', from: 'none', to: 'account' }],
        })
      }
      return claimed
    })
    const link = count === 1 ? await ctx.db.read((client) => client.link.findUnique({ where: { id } })) : null
    if (link) links.push(link)
  }
  // The account brings its clicks to its own later if this fails (lib/clicks/account-settling.ts).
  await settleClicks(
    ctx.db,
    links.map(({ id }) => id),
  ).catch((error: unknown) =>
    ctx.log.warn({ err: error, userId }, 'the clicks of claimed links are added to their account later'),
  )
  return { links, refused: hashes.length - links.length }
}
