import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation, retryTransaction } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import { insertUnique } from '@/lib/ids/system'
import { outboxRow } from '@/lib/redirect/outbox'
import { toRecord } from '@/lib/redirect/record'
import { announceNew } from './announce'
import type { Actor, LinkContext } from './context'
import { type Draft, draftOf, withCode } from './create'
import { insertLinks } from './insert'
import { permitNew } from './permit'
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
  const draft = await draftOf(ctx, actor, domain, permitNew(ctx, actor, { url: input.url, expiresAt }))
  const numbers = ctx.ids.spoken.source(input.digits, expiresAt.getTime() + ctx.config.SPOKEN_GRACE)
  const code = await insertUnique(numbers, (number) => insert(ctx, draft, domain.host, number, now))
  return withCode(draft, domain.host, code)
}

/** @returns false when the number is alive or at rest */
async function insert(ctx: LinkContext, draft: Draft, host: string, code: string, now: number): Promise<boolean> {
  const link = withCode(draft, host, code)
  // No claim told the filter of this code: should this process die before it says so, the outbox does.
  const outbox = outboxRow(link.fullShortUrl)
  try {
    const inserted = await ctx.db.write((client) =>
      retryTransaction(() =>
        client.$transaction(async (tx) => {
          if (!(await clearAway(tx, link.fullShortUrl, new Date(now - ctx.config.SPOKEN_GRACE)))) return false
          await insertLinks(tx, [link])
          await tx.outbox.createMany({ data: [outbox] })
          return true
        }),
      ),
    )
    if (!inserted) return false
  } catch (error) {
    if (isUniqueViolation(error, 'Link_fullShortUrl_key')) return false
    throw error
  }
  await announceNew(ctx, link.fullShortUrl, toRecord(link), outbox.id)
  return true
}

/**
 * Gives up the links that had this number before; the sweeper deletes their clicks.
 * @param restedBefore those that ended later still rest
 * @returns false when there is one that is alive or at rest
 */
async function clearAway(tx: Transaction, full: string, restedBefore: Date): Promise<boolean> {
  const where = { fullShortUrl: full }
  const [alive, deleted] = [await tx.link.findUnique({ where }), await tx.deletedLink.findUnique({ where })]
  if (alive && !(alive.expiresAt && alive.expiresAt <= restedBefore)) return false
  // Deleted, it can be restored for as long as its number rests.
  if (deleted && deleted.deletedAt > restedBefore) return false
  for (const { id } of [alive, deleted].filter((row) => row !== null)) {
    await tx.clickPurge.createMany({ data: [{ linkId: id }], skipDuplicates: true })
  }
  if (alive) await tx.link.deleteMany({ where: { id: alive.id } })
  if (deleted) await tx.deletedLink.deleteMany({ where: { id: deleted.id } })
  return true
}
