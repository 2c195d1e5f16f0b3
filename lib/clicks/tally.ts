import { DAY_HOURS, HOUR } from '@/lib/tools/time'
import type { ClickFacts } from './click'
import { ALL_LINKS, CLICK_COLUMN, DIMENSIONS, dimensionNumber, isGivenOnly, TOTAL } from './dimensions'

/** The columns of a row that are added up. */
export const COUNTS = ['clicks', 'visitors', 'bots', 'previews'] as const

/** A click as it is stored. */
export interface StoredClick extends ClickFacts {
  linkId: bigint
  at: number
  visitor: string
}

/** One row to be added to ClickRollup. */
export interface RollupRow extends Record<(typeof COUNTS)[number], number> {
  linkId: bigint
  dimension: number
  span: number
  hour: number
  value: string
}

export const hourOf = (at: number) => Math.floor(at / HOUR)
export const dayOf = (at: number) => Math.floor(at / HOUR / DAY_HOURS)

/** Clicks that are alike in all that is counted. */
interface Alike {
  click: StoredClick
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
  const hours = new Map<string, LinkHour>()
  for (const alike of groups(clicks, isNewVisitor)) {
    const { linkId, at, kind } = alike.click
    const hour = hourOf(at)
    const key = `${linkId}|${hour}`
    let of = hours.get(key)
    if (!of) {
      of = { linkId, hour, total: newRow(linkId, TOTAL, hour, ''), values: new Map() }
      hours.set(key, of)
    }
    addTo(of.total, alike)
    if (kind === 'bot') of.total.bots += alike.clicks
    if (kind === 'preview') of.total.previews += alike.clicks
    if (kind === 'person') addValues(of, alike)
  }
  return [...hours.values()]
}

function addValues({ linkId, hour, values }: LinkHour, alike: Alike): void {
  for (const dimension of DIMENSIONS) {
    const value = alike.click[CLICK_COLUMN[dimension]]
    // UTM parameters have a row only where they were given; all else has one for what is not known, too.
    if (value === '' && isGivenOnly(dimension)) continue
    const number = dimensionNumber(dimension)
    const key = `${number}|${value}`
    let row = values.get(key)
    if (!row) {
      row = newRow(linkId, number, hour, value)
      values.set(key, row)
    }
    addTo(row, alike)
  }
}

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
  const days = new Map<string, RollupRow>()
  for (const row of hours) {
    const first = Math.floor(row.hour / DAY_HOURS) * DAY_HOURS
    const key = `${row.linkId}|${row.dimension}|${first}|${row.value}`
    const day = days.get(key)
    if (day) for (const count of COUNTS) day[count] += row[count]
    else days.set(key, { ...row, span: DAY_HOURS, hour: first })
  }
  return [...hours, ...days.values()].sort(byKey)
}

/** All clicks of all links by day, out of the rows of each link: rows of no link, under its id. In the order of their key. */
export function tallyAll(rows: readonly RollupRow[]): RollupRow[] {
  const days = new Map<number, RollupRow>()
  for (const row of rows) {
    if (row.dimension !== TOTAL || row.span !== DAY_HOURS) continue
    const day = days.get(row.hour)
    if (day) for (const count of COUNTS) day[count] += row[count]
    else days.set(row.hour, { ...row, linkId: ALL_LINKS })
  }
  return [...days.values()].sort(byKey)
}

/** Clicks come in droves that are alike; to find these first spares most of the work. */
function groups(clicks: readonly StoredClick[], isNewVisitor: (click: StoredClick) => boolean): Iterable<Alike> {
  const found = new Map<string, Alike>()
  for (const click of clicks) {
    let key = `${click.linkId}|${hourOf(click.at)}|${click.kind}`
    for (const dimension of DIMENSIONS) key += `\n${click[CLICK_COLUMN[dimension]]}`
    let alike = found.get(key)
    if (!alike) {
      alike = { click, clicks: 0, visitors: 0 }
      found.set(key, alike)
    }
    alike.clicks += 1
    if (isNewVisitor(click)) alike.visitors += 1
  }
  return found.values()
}

function byKey(a: RollupRow, b: RollupRow): number {
  return (
    compare(a.linkId, b.linkId) || a.dimension - b.dimension || a.span - b.span || a.hour - b.hour || compare(a.value, b.value)
  )
}

export function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
