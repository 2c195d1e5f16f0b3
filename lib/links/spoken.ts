import type { Actor } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import type { Link } from '@/lib/db/generated/client'
import { insertUnique } from '@/lib/ids/system'
import { toRecord } from '@/lib/redirect/record'
import { commit } from './announce'
import type { LinkContext } from './context'
import { draftOf, withCode } from './draft'
import { above } from './former'
import { insertLinks } from './insert'
import { type Permitted, permitNew } from './permit'
import type { SpokenInput } from './schemas'

/**
 * Makes a link on the default domain whose code is a short number to be read aloud (lib/ids/spoken.ts). The number goes to
 * another link once this one has expired and the grace time is over.
 * @throws TerseError 'unauthorized', 'validation_failed', 'unavailable' (also when all numbers are alive, with the time at
 * which the next one frees)
 */
export async function createSpoken(ctx: LinkContext, actor: Actor, input: SpokenInput, now = Date.now()): Promise<Link> {
  const domain = await ctx.domains.default()
  const expiresAt = new Date(now + input.ttl * 1000)
  const draft = await draftOf(ctx, actor, { domain, input: permitNew(ctx, actor, { url: input.url, expiresAt }) })
  const numbers = ctx.ids.spoken.source(input.digits, expiresAt.getTime() + ctx.config.SPOKEN_GRACE)
  return insertUnique(numbers, 'Link_fullShortUrl_key', (number) => insert(ctx, withCode(draft, domain.host, number), now))
}

/** @returns null when the number is alive or at rest */
function insert(ctx: LinkContext, wanted: Permitted<Link>, now: number): Promise<Link | null> {
  const full = wanted.fullShortUrl
  const write = async (tx: Transaction) => {
    const formers = await clearAway(tx, full, new Date(now - ctx.config.SPOKEN_GRACE))
    if (!formers) return null
    const row = above(wanted, formers)
    await insertLinks(tx, [row])
    return row
  }
  return commit(ctx, { full, isNew: true, recordOf: toRecord, write })
}

/**
 * Gives up the links that had this number before; the sweeper deletes their clicks.
 * @param restedBefore those that ended later still rest
 * @returns those links, or null when there is one that is alive or at rest
 */
async function clearAway(tx: Transaction, full: string, restedBefore: Date): Promise<{ id: bigint; version: bigint }[] | null> {
  const where = { fullShortUrl: full }
  const [alive, deleted] = [await tx.link.findUnique({ where }), await tx.deletedLink.findUnique({ where })]
  if (alive && !(alive.expiresAt && alive.expiresAt <= restedBefore)) return null
  // Deleted, it can be restored for as long as its number rests.
  if (deleted && deleted.deletedAt > restedBefore) return null
  const formers = [alive, deleted].filter((row) => row !== null)
  for (const { id } of formers) {
    await tx.clickPurge.createMany({ data: [{ linkId: id }], skipDuplicates: true })
  }
  if (alive) await tx.link.deleteMany({ where: { id: alive.id } })
  if (deleted) await tx.deletedLink.deleteMany({ where: { id: deleted.id } })
  return formers
}
