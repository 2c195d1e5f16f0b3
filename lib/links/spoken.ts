import type { Actor } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation, retryTransaction } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import { insertUnique } from '@/lib/ids/system'
import { outboxRow } from '@/lib/redirect/outbox'
import { toRecord } from '@/lib/redirect/record'
import { announceNew } from './announce'
import type { LinkContext } from './context'
import { type Draft, draftOf, withCode } from './create'
import { above } from './former'
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
  let link: Link | null = null
  const code = await insertUnique(numbers, async (number) => {
    link = await insert(ctx, draft, domain.host, number, now)
    return link !== null
  })
  return link ?? withCode(draft, domain.host, code)
}

/** @returns null when the number is alive or at rest */
async function insert(ctx: LinkContext, draft: Draft, host: string, code: string, now: number): Promise<Link | null> {
  const wanted = withCode(draft, host, code)
  const full = wanted.fullShortUrl
  // No claim told the filter of this code: should this process die before it says so, the outbox does.
  const outbox = outboxRow(full)
  const number = await ctx.registry.lastChange(full)
  let link: Link | null
  try {
    link = await ctx.db.write((client) =>
      retryTransaction(() =>
        client.$transaction(async (tx) => {
          const formers = await clearAway(tx, full, new Date(now - ctx.config.SPOKEN_GRACE))
          if (!formers) return null
          const row = above(wanted, formers)
          await insertLinks(tx, [row])
          await tx.outbox.createMany({ data: [outbox] })
          return row
        }),
      ),
    )
  } catch (error) {
    if (isUniqueViolation(error, 'Link_fullShortUrl_key')) return null
    throw error
  }
  if (link) await announceNew(ctx, full, toRecord(link), number, outbox.id)
  return link
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
