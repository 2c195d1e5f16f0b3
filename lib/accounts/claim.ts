import type { Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { sha256 } from '@/lib/tools/hash'
import type { AccountContext } from './context'

export interface Claimed {
  links: Link[]
  /** Tokens that manage no link, or one that others were given too. */
  refused: number
}

/**
 * Makes links that were made without an account those of `userId`. Their manage tokens stop working.
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
    const { count } = await ctx.db.write((client) => client.link.updateMany({ where, data: change }))
    const link = count === 1 ? await ctx.db.read((client) => client.link.findUnique({ where: { id } })) : null
    if (link) links.push(link)
  }
  return { links, refused: hashes.length - links.length }
}
