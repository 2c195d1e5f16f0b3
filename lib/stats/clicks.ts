import { CLICK_COLUMN } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { sqlTime } from '@/lib/db/time'
import { pageOf, parseCursor, TIME_AND_ID } from '@/lib/tools/cursor'
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

/** Where a page ends: clicks are in order of time, then id, newest first. */
interface Position {
  at: number
  id: bigint
}

interface Row extends Omit<ClickView, 'id' | 'at' | 'utm'> {
  id: bigint
  at: Date
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
  { db }: StatsContext,
  link: { id: bigint },
  input: ClicksInput,
  now = new Date(),
): Promise<ClickPage> {
  const after = input.cursor === undefined ? null : positionOf(input.cursor)
  const selection = await withHosts(db, selectionOf(link, input, now))
  const rows = await read(db, selection, after, input.limit + 1)
  const { page, nextCursor } = pageOf(rows, input.limit, ({ at, id }) => `${at.getTime()}-${id}`)
  return { clicks: page.map(toView), nextCursor }
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
  return batches(db, selectionOf(link, input, now))
}

async function* batches(db: DatabaseGateway, range: Range): AsyncGenerator<ClickView[], void> {
  const selection = await withHosts(db, range)
  for (let after: Position | null = null; ; ) {
    const rows: Row[] = await read(db, selection, after, BATCH)
    if (rows.length > 0) yield rows.map(toView)
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = { at: last.at.getTime(), id: last.id }
  }
}

function selectionOf(link: { id: bigint }, input: Omit<ClicksInput, 'limit' | 'cursor'>, now: Date): Range {
  const from = input.from?.getTime() ?? 0
  const to = input.to?.getTime() ?? now.getTime()
  checkOrder(from, to, input.from ? 'from' : 'to')
  const filters: Filters = Object.fromEntries(FACETS.map((facet) => [facet, input[facet]]))
  return { linkId: link.id, from, to, filters, kind: input.kind }
}

const withHosts = async (db: DatabaseGateway, range: Range): Promise<ClickSelection> => ({
  ...range,
  hosts: await hostsOf(db, range.linkId, range.filters.source, range),
})

/** The position is spelled out: neither server answers `(at, id) < (?, ?)` from the index. */
function read(db: DatabaseGateway, selection: ClickSelection, after: Position | null, count: number): Promise<Row[]> {
  const { where, values } = conditionOf(selection)
  const position = after ? ' AND at <= ? AND (at < ? OR id < ?)' : ''
  const positions = after ? [sqlTime(after.at), sqlTime(after.at), after.id] : []
  return db.scan<Row>(
    `id, at, kind, referrerUrl, userAgent, ${Object.values(CLICK_COLUMN).join(', ')}
       FROM Click WHERE ${where}${position} ORDER BY at DESC, id DESC LIMIT ?`,
    ...[...values, ...positions, count],
  )
}

/** @throws TerseError 'bad_request' */
function positionOf(cursor: string): Position {
  const [at, id = ''] = parseCursor(cursor, TIME_AND_ID)
  return { at: Number(at), id: BigInt(id) }
}

function toView(row: Row): ClickView {
  const { id, at, utmSource, utmMedium, utmCampaign, utmTerm, utmContent, ...rest } = row
  const utm = { source: utmSource, medium: utmMedium, campaign: utmCampaign, term: utmTerm, content: utmContent }
  return { ...rest, id: id.toString(), at: at.toISOString(), utm }
}
