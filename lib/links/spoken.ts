import type { Actor } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import type { Link } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { noteEvents } from '@/lib/events/outbox'
import { say } from '@/lib/i18n/message'
import { insertUnique } from '@/lib/ids/system'
import { toRecord } from '@/lib/redirect/record'
import { commit } from './announce'
import type { LinkContext } from './context'
import { draftOf, withCode } from './draft'
import { isHeard, linkEvents, tellLateOf } from './events'
import { above } from './former'
import { insertLinks } from './insert'
import { type Permitted, permitNew } from './permit'
import { removeLinks } from './remove'
import type { SpokenInput } from './schemas'

/**
 * Makes a link whose code is a short number to be read aloud (lib/ids/spoken.ts), on a domain that has spoken codes: the default
 * one if it has. The number goes to another link once this one has expired and the grace time is over.
 * @throws TerseError 'unauthorized', 'validation_failed', 'conflict' where no domain has them, 'unavailable' (also when all
 * numbers are alive, with the time at which the next one frees)
 */
export async function createSpoken(ctx: LinkContext, actor: Actor, input: SpokenInput, now = Date.now()): Promise<Link> {
  const base = await ctx.domains.default()
  const domain = ctx.domains.spoken[0] ?? (ctx.domains.isSpoken(base.host, '0') ? base : null)
  if (!domain) throw new TerseError('conflict', say('api.link.spokenOff'))
  const expiresAt = new Date(now + input.ttl * 1000)
  const draft = await draftOf(ctx, actor, { domain, input: permitNew(ctx, actor, { url: input.url, expiresAt }) })
  const numbers = ctx.ids.spoken.source(input.digits, expiresAt.getTime() + ctx.config.SPOKEN_GRACE)
  return insertUnique(numbers, 'Link_fullShortUrl_key', (number) => insert(ctx, withCode(ctx, draft, domain.host, number), now))
}

/** @returns null when the number is alive or at rest */
async function insert(ctx: LinkContext, wanted: Permitted<Link>, now: number): Promise<Link | null> {
  const full = wanted.fullShortUrl
  const isTold = await isHeard(ctx, 'link.created', wanted.ownerId)
  const write = async (tx: Transaction) => {
    const formers = await clearAway(tx, full, new Date(now - ctx.config.SPOKEN_GRACE))
    if (!formers) return null
    const row = above(wanted, formers)
    await insertLinks(tx, [row])
    if (isTold) await noteEvents(tx, linkEvents(ctx, 'link.created', [row]))
    return row
  }
  const written = await commit(ctx, { full, isNew: true, recordOf: toRecord, write })
  if (written) await tellLateOf(ctx, 'link.created', isTold, written)
  return written
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
  if (alive) await removeLinks(tx, [alive.id])
  if (deleted) await tx.deletedLink.deleteMany({ where: { id: deleted.id } })
  return formers
}
