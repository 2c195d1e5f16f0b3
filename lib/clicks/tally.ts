import { DAY_HOURS, HOUR } from '@/lib/tools/time'
import type { ClickFacts } from './click'
import { ALL_LINKS, CLICK_COLUMN, DIMENSIONS, dimensionNumber, isGivenOnly, TOTAL } from './dimensions'

/** The columns of a row that are added up. */
export const COUNTS = ['clicks', 'visitors', 'bots', 'previews'] as const
type Counts = Record<(typeof COUNTS)[number], number>

/** A click as it is stored. Clicks that are alike share their facts, which are never written to. */
export interface StoredClick {
  linkId: bigint
  at: number
  visitor: string
  facts: ClickFacts
}

/** One row to be added to ClickRollup. */
export interface RollupRow extends Counts {
  linkId: bigint
  dimension: number
  span: number
  hour: number
  value: string
}

export const hourOf = (at: number) => Math.floor(at / HOUR)
export const dayOf = (at: number) => Math.floor(at / HOUR / DAY_HOURS)

/** Clicks of a link and hour that are alike in all that is counted. */
interface Alike {
  clicks: number
  visitors: number
}

/** Clicks of one link in one hour. */
export interface LinkHour {
  linkId: bigint
  hour: number
  /** All of them. */
  total: RollupRow
  /** Those of people, by dimension and value. */
  values: Map<string, RollupRow>
}

/** @param isNewVisitor whether this click is a person's first of the day on its link; asked once for each click, in order */
export function tallyHours(clicks: readonly StoredClick[], isNewVisitor: (click: StoredClick) => boolean): LinkHour[] {
  return groups(clicks, isNewVisitor).map(({ linkId, hour, byFacts }) => {
    const of: LinkHour = { linkId, hour, total: newRow(linkId, TOTAL, hour, ''), values: new Map() }
    for (const [facts, alike] of byFacts) {
      addTo(of.total, alike)
      if (facts.kind === 'bot') of.total.bots += alike.clicks
      if (facts.kind === 'preview') of.total.previews += alike.clicks
      if (facts.kind === 'person') addValues(of, facts, alike)
    }
    return of
  })
}

function addValues({ linkId, hour, values }: LinkHour, facts: ClickFacts, alike: Alike): void {
  for (const [dimension, number] of NUMBERED) {
    const value = facts[CLICK_COLUMN[dimension]]
    // UTM parameters have a row only where they were given; all else has one for what is not known, too.
    if (value === '' && isGivenOnly(dimension)) continue
    const key = `${number}|${value}`
    let row = values.get(key)
    if (!row) {
      row = newRow(linkId, number, hour, value)
      values.set(key, row)
    }
    addTo(row, alike)
  }
}

const NUMBERED = DIMENSIONS.map((dimension) => [dimension, dimensionNumber(dimension)] as const)

const newRow = (linkId: bigint, dimension: number, hour: number, value: string): RollupRow => ({
  linkId,
  dimension,
  span: 1,
  hour,
  value,
  clicks: 0,
  visitors: 0,
  bots: 0,
  previews: 0,
})

function addTo(row: RollupRow, { clicks, visitors }: Alike): void {
  row.clicks += clicks
  row.visitors += visitors
}

/**
 * Rows by hour, and what these add up to by day, all in the order of their key, so that two transactions never wait for each
 * other in a circle.
 */
export function withDays(hours: readonly RollupRow[]): RollupRow[] {
  const firstHour = ({ hour }: RollupRow) => Math.floor(hour / DAY_HOURS) * DAY_HOURS
  const days = addedUp(
    hours,
    (row) => `${row.linkId}|${row.dimension}|${firstHour(row)}|${row.value}`,
    (row) => ({ ...row, span: DAY_HOURS, hour: firstHour(row) }),
  )
  return [...hours, ...days].sort(byKey)
}

/**
 * All clicks of all links by day, out of the rows of each link: rows of no link, under its id. In the order of their key.
 * @param share which rows of a day to add to (./share.ts)
 */
export function tallyAll(rows: readonly RollupRow[], share: string): RollupRow[] {
  const days = rows.filter(({ dimension, span }) => dimension === TOTAL && span === DAY_HOURS)
  return addedUp(
    days,
    ({ hour }) => hour,
    (row) => ({ ...row, linkId: ALL_LINKS, value: share }),
  ).sort(byKey)
}

/** Rows with the same key, added up. @param sumOf makes a new row of the first of them, with its counts */
export function addedUp<Row extends Counts, Sum extends Counts>(
  rows: readonly Row[],
  keyOf: (row: Row) => unknown,
  sumOf: (row: Row) => Sum,
): Sum[] {
  const sums = new Map<unknown, Sum>()
  for (const row of rows) {
    const key = keyOf(row)
    const sum = sums.get(key)
    if (sum) for (const count of COUNTS) sum[count] += row[count]
    else sums.set(key, sumOf(row))
  }
  return [...sums.values()]
}

/** Clicks of one link in one hour, by what is known of them. */
interface Group {
  linkId: bigint
  hour: number
  byFacts: Map<ClickFacts, Alike>
}

/** Clicks come in droves that are alike; to find these first spares most of the work. Told by the object: no text is compared. */
function groups(clicks: readonly StoredClick[], isNewVisitor: (click: StoredClick) => boolean): Group[] {
  const byLink = new Map<bigint, Map<number, Group>>()
  for (const click of clicks) {
    const { byFacts } = groupOf(byLink, click)
    let alike = byFacts.get(click.facts)
    if (!alike) {
      alike = { clicks: 0, visitors: 0 }
      byFacts.set(click.facts, alike)
    }
    alike.clicks += 1
    if (isNewVisitor(click)) alike.visitors += 1
  }
  return [...byLink.values()].flatMap((hours) => [...hours.values()])
}

function groupOf(byLink: Map<bigint, Map<number, Group>>, { linkId, at }: StoredClick): Group {
  const hour = hourOf(at)
  let hours = byLink.get(linkId)
  if (!hours) {
    hours = new Map()
    byLink.set(linkId, hours)
  }
  let group = hours.get(hour)
  if (!group) {
    group = { linkId, hour, byFacts: new Map() }
    hours.set(hour, group)
  }
  return group
}

function byKey(a: RollupRow, b: RollupRow): number {
  return (
    compare(a.linkId, b.linkId) || a.dimension - b.dimension || a.span - b.span || a.hour - b.hour || compare(a.value, b.value)
  )
}

export function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
