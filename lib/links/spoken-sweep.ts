import { PIECE } from '@/lib/db/pieces'
import { sqlTime } from '@/lib/db/time'
import { type CodeRange, spokenRanges } from '@/lib/ids/spoken-ranges'
import { DAY } from '@/lib/tools/time'
import type { LinkContext } from './context'
import { removeLinks } from './remove'

/** How long an expired spoken link is still listed, with its clicks, in ms. */
const KEPT = DAY

/**
 * Deletes spoken links a day after they expired, for nobody could restore them and their numbers belong to the next.
 * Their clicks follow in the next round.
 */
export async function sweepSpoken(ctx: LinkContext, now: number): Promise<void> {
  const before = sqlTime(now - KEPT)
  // On other domains such a code is one like any other.
  for (const { host } of ctx.domains.spoken) {
    for (const range of spokenRanges(host)) await sweepRange(ctx, range, before)
  }
}

async function sweepRange(ctx: LinkContext, { where, values }: CodeRange, before: string): Promise<void> {
  for (;;) {
    const links = await ctx.db.rows<{ id: bigint }>(
      `SELECT id FROM Link WHERE ${where} AND code REGEXP '^[0-9]{4,6}$' AND expiresAt < ? LIMIT ${PIECE}`,
      ...values,
      before,
    )
    const ids = links.map(({ id }) => id)
    if (ids.length > 0) await forget(ctx, ids)
    if (ids.length < PIECE) return
  }
}

function forget(ctx: LinkContext, ids: bigint[]): Promise<void> {
  return ctx.db.atomic(async (tx) => {
    await tx.clickPurge.createMany({ data: ids.map((linkId) => ({ linkId })), skipDuplicates: true })
    await removeLinks(tx, ids)
  })
}
