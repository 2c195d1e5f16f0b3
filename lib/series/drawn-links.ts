import type { Account } from '@/lib/actor'
import { timeOf } from '@/lib/db/id'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { fullShortUrlOf } from '@/lib/links/find'
import { NAMED, type Named } from '@/lib/links/qr'
import type { SeriesContext } from './context'
import { writeNumber } from './format'
import { newestNumbers } from './numbers'
import { findSeries } from './store'

/**
 * The links whose back-halves are the numbers that were drawn last, in the order in which they were drawn. Numbers without a link
 * are left out, and banned links too.
 * @throws TerseError 'not_found', 'validation_failed' where there is no such link; 'unavailable'
 */
export async function drawnLinks(
  ctx: SeriesContext,
  owner: Pick<Account, 'id'>,
  { name, count, domain }: { name: string; count: number; domain?: string | undefined },
): Promise<Named[]> {
  const series = await findSeries(ctx, owner, name)
  const engine = ctx.series.of(series)
  const numbers = (await newestNumbers(ctx.db, series.id, count)).map(({ position, day, id }) =>
    writeNumber(series.definition.format, engine.numberOf(position, day), dateOf(day, id)),
  )
  const fulls = numbers.reverse().map((code) => fullShortUrlOf(ctx, { code, domain }))
  const rows = await ctx.db.read((client) =>
    client.link.findMany({
      where: { fullShortUrl: { in: fulls }, ownerId: owner.id, state: { not: 'banned' } },
      select: NAMED,
    }),
  )
  if (rows.length === 0) throw invalidField('series', say('api.qr.noLinks', { name }))
  const found = new Map(rows.map((row) => [row.fullShortUrl, row]))
  return fulls.flatMap((full) => found.get(full) ?? [])
}

/** The day that stands in a number: its own, or that on which it was drawn. */
function dateOf(day: number, id: bigint): Date {
  if (day === 0) return new Date(timeOf(id))
  return new Date(Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100))
}
