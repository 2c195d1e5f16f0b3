import { clickTimeOf } from '@/lib/clicks/click-id'
import { CLICK_KINDS } from '@/lib/clicks/dimensions'
import { allSingleClicks } from '@/lib/clicks/old-clicks'
import { ALL_FACTS } from '@/lib/clicks/single-clicks'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { byId, idOf, pageOf } from '@/lib/tools/cursor'
import { hostsOf } from './hosts'
import { checkOrder } from './range'
import { type ClickSelection, conditionOf } from './scan'
import type { ClickPage, ClicksInput, ClickView } from './schemas'
import type { StatsContext } from './stats'
import { FACETS, type Filters } from './values'

/** Clicks read at once by an export. */
const BATCH = 1_000

/** A selection before its source is known by hosts. */
type Range = Omit<ClickSelection, 'hosts'>

/** A single click as it is read. */
export interface ClickRow extends Omit<ClickView, 'id' | 'at' | 'kind' | 'utm'> {
  id: bigint
  linkId?: bigint
  kind: number | bigint
  utmSource: string
  utmMedium: string
  utmCampaign: string
  utmTerm: string
  utmContent: string
}

/**
 * A page of a link's single clicks, newest first, bots and previews included.
 * @throws TerseError 'bad_request' (cursor), 'validation_failed', 'unavailable'
 */
export async function listClicks(
  ctx: StatsContext,
  link: { id: bigint },
  input: ClicksInput,
  now = new Date(),
): Promise<ClickPage> {
  const { clicks, nextCursor } = await listClicksOf(ctx, [link.id], input, now)
  return { clicks: clicks.map(({ click }) => click), nextCursor }
}

/**
 * The same of several links, and which of them each is of. Two of different links with the same id, which take the same
 * millisecond and 22 equal bits of chance, may be told apart by no page.
 */
export async function listClicksOf(
  { db }: StatsContext,
  linkIds: readonly bigint[],
  input: ClicksInput,
  now = new Date(),
): Promise<{ clicks: { linkId: bigint; click: ClickView }[]; nextCursor: string | null }> {
  const after = input.cursor === undefined ? null : idOf(input.cursor)
  const range = selectionOf(linkIds, input, now)
  if (linkIds.length === 0) return { clicks: [], nextCursor: null }
  const rows = await read(db, await withHosts(db, range), after, input.limit + 1)
  const { page, nextCursor } = pageOf(rows, input.limit, byId)
  return { clicks: page.map((row) => ({ linkId: row.linkId, click: toClickView(row) })), nextCursor }
}

/**
 * All single clicks of a range, newest first, in batches: memory holds one of them, however long the range.
 * @throws TerseError 'validation_failed' at once
 */
export function allClicks(
  { db }: StatsContext,
  link: { id: bigint },
  input: Omit<ClicksInput, 'limit' | 'cursor'>,
  now = new Date(),
): AsyncGenerator<ClickView[], void> {
  return batches(db, selectionOf([link.id], input, now))
}

async function* batches(db: DatabaseGateway, range: Range): AsyncGenerator<ClickView[], void> {
  const selection = await withHosts(db, range)
  for (let after: bigint | null = null; ; ) {
    const rows: ClickRow[] = await read(db, selection, after, BATCH)
    if (rows.length > 0) yield rows.map(toClickView)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last.id
  }
}

function selectionOf(linkIds: readonly bigint[], input: Omit<ClicksInput, 'limit' | 'cursor'>, now: Date): Range {
  const from = input.from?.getTime() ?? 0
  const to = input.to?.getTime() ?? now.getTime()
  checkOrder(from, to, input.from ? 'from' : 'to')
  const filters: Filters = Object.fromEntries(FACETS.map((facet) => [facet, input[facet]]))
  return { linkIds, from, to, filters, kind: input.kind }
}

const withHosts = async (db: DatabaseGateway, range: Range): Promise<ClickSelection> => ({
  ...range,
  hosts: await hostsOf(db, range.linkIds, range.filters.source, range),
})

/**
 * Newest first: a click's id begins with its time. Of several links the newest of each are read, by its index, and of these the
 * newest.
 */
async function read(
  db: DatabaseGateway,
  selection: ClickSelection,
  after: bigint | null,
  count: number,
): Promise<(ClickRow & { linkId: bigint })[]> {
  const clicksWith = await allSingleClicks(db)
  const columns = ['linkId', 'click.id AS id', 'kind', ...ALL_FACTS].join()
  const each = selection.linkIds.map((linkId) => {
    const { where, values } = conditionOf({ ...selection, linkIds: [linkId] })
    return {
      sql: `${columns} FROM ${clicksWith(ALL_FACTS)} WHERE ${where}${after === null ? '' : ' AND click.id < ?'} ORDER BY click.id DESC LIMIT ?`,
      values: [...values, ...(after === null ? [] : [after]), count],
    }
  })
  const [first] = each
  const sql =
    each.length > 1
      ? `* FROM (${each.map((one) => `(SELECT ${one.sql})`).join(' UNION ALL ')}) AS newest ORDER BY id DESC LIMIT ${count}`
      : (first?.sql ?? '')
  return db.scan(sql, ...each.flatMap(({ values }) => values))
}

export function toClickView(row: ClickRow): ClickView {
  const { id, linkId: _, kind, utmSource, utmMedium, utmCampaign, utmTerm, utmContent, ...rest } = row
  const utm = { source: utmSource, medium: utmMedium, campaign: utmCampaign, term: utmTerm, content: utmContent }
  return {
    ...rest,
    id: id.toString(),
    at: new Date(clickTimeOf(id)).toISOString(),
    kind: CLICK_KINDS[Number(kind)] ?? 'person',
    utm,
  }
}
