import { moveAccountClicks } from '@/lib/clicks/account-clicks'
import { noteRecounted } from '@/lib/counts/changes'
import type { Link } from '@/lib/db/generated/client'
import { runnerOf } from '@/lib/db/insert-many'
import { literal } from '@/lib/db/literal'
import type { SqlTransaction } from '@/lib/db/sql'
import { noteEventsIn } from '@/lib/events/outbox'
import { notePreview } from '@/lib/previews/note-preview'
import { outboxRow } from '@/lib/redirect/outbox'
import { toRecord } from '@/lib/redirect/record'
import type { Edited } from './announce'
import type { LinkContext } from './context'
import { changedFields, isHeard, linkEvents } from './events'
import { type Edit, noteEdits } from './history'
import { plainValue } from './insert'
import { noteSplitEnd } from './note-split-end'

/** Links that came over and are edited together: completed by an import, or as before once that is undone. */

/** What of a link an import says: all but its address, what is counted, and what it was given since. */
const COLUMNS = [
  ...(['url', 'urlHash', 'ownerId', 'title', 'redirectStatus', 'passwordHash', 'startsAt', 'expiresAt', 'expiredUrl'] as const),
  ...(['routing', 'maxClicks', 'taken', 'state', 'listed', 'createdAt', 'historyHiddenAt', 'preview', 'clicksBefore'] as const),
] as const satisfies readonly (keyof Link)[]

/** The link as it was, in the columns that an import says. */
export const asItWas = (now: Link, earlier: Link): Link => ({
  ...now,
  ...Object.fromEntries(COLUMNS.map((column) => [column, earlier[column]])),
})

export const isSame = (one: unknown, other: unknown) =>
  one instanceof Date && other instanceof Date ? one.getTime() === other.getTime() : one === other

/** What is asked before links are edited together. */
export interface Asked {
  /** Accounts whose webhooks are told of an edit. */
  heard: ReadonlySet<string | null>
  /** Of `ctx.registry.lastChange`, by full short URL. */
  numbers: ReadonlyMap<string, number | null>
}

/** @throws TerseError 'unavailable' */
export async function heardOf(ctx: LinkContext, owners: readonly (string | null)[]): Promise<Set<string | null>> {
  const heard = new Set<string | null>()
  for (const ownerId of new Set(owners)) if (await isHeard(ctx, 'link.changed', ownerId)) heard.add(ownerId)
  return heard
}

export const numbersOf = async (ctx: LinkContext, fulls: readonly string[]) =>
  new Map(await Promise.all(fulls.map(async (full) => [full, await ctx.registry.lastChange(full)] as const)))

export async function timeOf(tx: SqlTransaction): Promise<Date> {
  const [row] = await tx.rows<{ now: Date }>('SELECT UTC_TIMESTAMP(3) AS now', [])
  if (!row) throw new Error('the database told no time')
  return row.now
}

/**
 * Writes links that are locked, with all that follows from an edit.
 * @returns what the caches are to be told of, once that is committed
 */
export async function writeEdits(
  ctx: LinkContext,
  tx: SqlTransaction,
  edits: readonly Edit[],
  { heard, numbers }: Asked,
): Promise<Edited[]> {
  if (edits.length === 0) return []
  const runner = runnerOf(tx)
  // Sent together: the server does one after the other.
  await Promise.all(edits.map(({ before, after }) => tx.run(updateOf(before, after), [])))
  for (const { before, after } of edits) {
    if (after.routing !== before.routing) await noteSplitEnd(runner, after.id, after.routing)
    if (after.preview !== before.preview || after.url !== before.url) await notePreview(runner, after)
  }
  const changes = await noteEdits(runner, edits)
  const recounted = edits.filter(({ before, after }) => !isSame(before.createdAt, after.createdAt) || isGiven({ before, after }))
  await noteRecounted(
    runner,
    recounted.map(({ before }) => before),
    recounted.map(({ after }) => after),
  )
  const eventsOf = edits.map(({ before, after }, index) =>
    linkEvents(ctx, 'link.changed', [after], { changed: changedFields(ctx, before, after), changes: changes[index] ?? [] }),
  )
  const isTold = ({ after }: Edit) => heard.has(after.ownerId)
  await noteEventsIn(tx, eventsOf.filter((_, index) => edits[index] && isTold(edits[index])).flat())
  const given = edits.filter(isGiven)
  // What was found for one account is nothing of another's.
  if (given.length > 0) await tx.run('DELETE FROM LinkHealth WHERE linkId IN (?)', [given.map(({ after }) => after.id)])
  await moveAccountClicks(
    tx,
    given.map(({ before, after }) => ({ id: after.id, from: before.ownerId, to: after.ownerId })),
  )
  return edits.map((edit, index) => {
    const full = edit.after.fullShortUrl
    const untold = isTold(edit) ? [] : (eventsOf[index] ?? [])
    return { full, record: toRecord(edit.after), number: numbers.get(full) ?? null, outbox: outboxRow(full), untold }
  })
}

/** Whether it is another account's now. */
export const isGiven = ({ before, after }: Pick<Edit, 'before' | 'after'>) => before.ownerId !== after.ownerId

/** What is counted meanwhile is not set back: it is not among these columns, but for `taken`, which a limit begins with. */
function updateOf(before: Link, after: Link): string {
  const changed = COLUMNS.filter((column) => !isSame(before[column], after[column]))
  const columns = [...new Set([...changed, 'version', 'updatedAt'] as const)]
  const values = columns.map((column) => `\`${column}\` = ${literal(plainValue(after[column]))}`)
  return `UPDATE Link SET ${values.join(', ')} WHERE id = ${after.id}`
}
