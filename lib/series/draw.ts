import type { Account } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import { databaseNow } from '@/lib/db/time'
import type { Message } from '@/lib/i18n/message'
import { say } from '@/lib/i18n/message'
import { insertUnique } from '@/lib/ids/system'
import { answerOnce, type Idempotency } from '@/lib/links/idempotency'
import { sha256 } from '@/lib/tools/hash'
import type { SeriesContext } from './context'
import type { Batch, Draw, Outlook, Series } from './engine'
import { writeNumber } from './format'
import { insertNumbers, NUMBER_INDEX, type Run } from './numbers'
import { findSeries, noSeries } from './store'

/** Numbers as they are written, and what lies ahead. */
export interface Numbers {
  numbers: string[]
  left: number | null
  untilRestart: number | null
  warning: Message | null
}

export interface Drawn extends Numbers {
  restarted: boolean
}

/** Numbers of a preview. */
const PREVIEWED = 10
/** It is warned of the end when no more than this are left, or than a tenth. */
const FEW = 10
const FEW_OF = 10

/** The next numbers, and what lies ahead; nothing is drawn. @throws TerseError 'not_found', 'unavailable' */
export async function previewSeries(ctx: SeriesContext, owner: Pick<Account, 'id'>, name: string): Promise<Numbers> {
  const series = await findSeries(ctx, owner, name)
  const seen = await ctx.series.of(series).look(PREVIEWED, await clock(ctx))
  return { numbers: textsOf(ctx, series, seen), ...ahead(seen) }
}

/**
 * Draws the next numbers, all or none. None comes twice: the primary key of `SeriesNumber` has the last word.
 * @param named names the request, which gets the same numbers when it comes again; null: each is a new one
 * @throws TerseError 'not_found', 'rate_limited', 'conflict' or 'unavailable' where there are too few, 'validation_failed' for a
 *   key that was used for another request
 */
export async function drawNumbers(
  ctx: SeriesContext,
  owner: Pick<Account, 'id'>,
  name: string,
  count: number,
  named: Idempotency | null,
): Promise<Drawn & { isReplayed: boolean }> {
  const series = await findSeries(ctx, owner, name)
  return answerOnce<Drawn>(ctx, named && ofSeries(named, series), async (_keep, claim) => {
    if (named) return drawNamed(ctx, owner, series, count, claim)
    await takeFromBudget(ctx, owner, count)
    return drawInto(ctx, series, count, (batch) =>
      ctx.db.transaction(async (tx) => {
        await writeDown(
          (sql) => tx.run(sql, []),
          (sql) => tx.rows(sql, []),
          series,
          batch,
        )
        return drawnOf(ctx, series, batch)
      }),
    )
  })
}

/** Draws for a request that has a name, which is claimed first: one that comes twice takes neither numbers nor budget. */
function drawNamed(
  ctx: SeriesContext,
  owner: Pick<Account, 'id'>,
  series: Series,
  count: number,
  claim: (tx: Transaction) => Promise<(drawn: Drawn) => Promise<void>>,
): Promise<Drawn> {
  const engine = ctx.series.of(series)
  let isPaid = false
  let last: Draw | null = null
  // By Prisma, whose connections are others than those that redirects need, and that drawing may need.
  const drawWithin = (attempt: number) =>
    ctx.db.atomic(async (tx) => {
      const keep = await claim(tx)
      if (!isPaid) await takeFromBudget(ctx, owner, count)
      isPaid = true
      const batch = await engine.draw(count, await clock(ctx), attempt)
      last = batch
      await writeDown(
        (sql) => tx.$executeRawUnsafe(sql),
        (sql) => tx.$queryRawUnsafe(sql),
        series,
        batch,
      )
      const drawn = drawnOf(ctx, series, batch)
      await keep(drawn)
      return drawn
    })
  const source = {
    issue: (attempt: number) => Promise.resolve(attempt),
    taken: async () => {
      if (last) await engine.taken(last)
    },
  }
  return insertUnique(source, NUMBER_INDEX, drawWithin)
}

/** Counts numbers against what an account may draw. @throws TerseError 'rate_limited' */
export async function takeFromBudget({ limits }: SeriesContext, { id }: Pick<Account, 'id'>, count: number): Promise<void> {
  await limits.consumeAll('numbers', id, count)
}

/** The time of what is drawn: by a process whose own clock is ahead, numbers would come again that still rest. */
export const clock = async ({ db }: Pick<SeriesContext, 'db'>): Promise<Date> => new Date(await databaseNow(db))

/** @param write writes numbers down in a transaction; asked again with others when MySQL had one of them */
export function drawInto<T>(ctx: SeriesContext, series: Series, count: number, write: (batch: Draw) => Promise<T>): Promise<T> {
  const engine = ctx.series.of(series)
  const source = {
    issue: async (attempt: number) => engine.draw(count, await clock(ctx), attempt),
    taken: (batch: Draw) => engine.taken(batch),
  }
  return insertUnique(source, NUMBER_INDEX, write)
}

/** @throws TerseError 'not_found' for a series that was deleted meanwhile; a violation of NUMBER_INDEX */
export async function writeDown(
  run: Run,
  rows: (sql: string) => Promise<{ ownerId: string | null }[]>,
  series: Series,
  batch: Batch,
): Promise<void> {
  // Locked, so that it is not deleted before its numbers are there.
  const [row] = await rows(`SELECT ownerId FROM Series WHERE id = ${series.id} LOCK IN SHARE MODE`)
  if (!row?.ownerId) throw noSeries()
  await insertNumbers(run, series, batch)
}

/** Numbers of a batch as they are written. */
export function textsOf(ctx: SeriesContext, series: Series, { positions, day, at }: Batch): string[] {
  const engine = ctx.series.of(series)
  const { format } = series.definition
  const date = new Date(at)
  return positions.map((position) => writeNumber(format, engine.numberOf(position, day), date))
}

function drawnOf(ctx: SeriesContext, series: Series, batch: Draw): Drawn {
  const { positions } = batch
  const restarted = positions.some((position, i) => i > 0 && position < (positions[i - 1] ?? 0))
  return { numbers: textsOf(ctx, series, batch), restarted, ...ahead(batch) }
}

/** What is said of what lies ahead, before it happens. */
function ahead({ left, untilRestart, size }: Outlook): Omit<Numbers, 'numbers'> {
  const isFew = (count: number | null) => count !== null && size !== null && count <= Math.max(FEW, size / FEW_OF)
  if (left !== null && isFew(left)) return { left, untilRestart, warning: say('api.series.fewLeft', { left }) }
  const warning = untilRestart !== null && isFew(untilRestart) ? say('api.series.restartsSoon', { count: untilRestart }) : null
  return { left, untilRestart, warning }
}

/** A request to this very series: another may have its name later, whose numbers are others. */
export function ofSeries({ key, requestHash }: Idempotency, { id }: Series): Idempotency {
  return { key, requestHash: sha256(`${requestHash.toString('hex')} ${id}`) }
}
