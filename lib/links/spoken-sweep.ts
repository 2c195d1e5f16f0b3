import { PIECE } from '@/lib/db/pieces'
import { sqlTime } from '@/lib/db/time'
import { DAY } from '@/lib/tools/time'
import type { LinkContext } from './context'

/** How long an expired spoken link is still listed, with its clicks, in ms. */
const KEPT = DAY
/** Ranges of the index in one statement. */
const RANGES = 100

/**
 * Deletes spoken links a day after they expired, for nobody could restore them and their numbers belong to the next.
 * Their clicks follow in the next round.
 */
export async function sweepSpoken(ctx: LinkContext, now: number): Promise<void> {
  const hosts = await ctx.db.rows<{ host: string }>('SELECT host FROM Domain')
  const before = sqlTime(now - KEPT)
  for (const { host } of hosts) {
    for (let first = 0; first < 1_000; first += RANGES) await sweepRange(ctx, host, first, before)
  }
}

/** Those whose number begins with three digits from `first` on. */
async function sweepRange(ctx: LinkContext, host: string, first: number, before: string): Promise<void> {
  const ranges = Array.from({ length: RANGES }, (_, i) => `${host}/${String(first + i).padStart(3, '0')}`)
  // ':' comes after '9': behind the three digits comes a fourth, which few of all codes have.
  const where = ranges.map(() => '(fullShortUrl > ? AND fullShortUrl < ?)').join(' OR ')
  const values = ranges.flatMap((range) => [range, `${range}:`])
  for (;;) {
    const links = await ctx.db.rows<{ id: bigint }>(
      `SELECT id FROM Link WHERE (${where}) AND code REGEXP '^[0-9]{4,6}$' AND expiresAt < ? LIMIT ${PIECE}`,
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
    await tx.link.deleteMany({ where: { id: { in: ids } } })
  })
}
