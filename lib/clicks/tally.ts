import type { ClickFacts } from './click'
import { ALL_LINKS, CLICK_COLUMN, DIMENSIONS, dimensionNumber, isGivenOnly, TOTAL } from './dimensions'

const HOUR = 3_600_000
/** The columns of a row that are added up. */
const COUNTS = ['clicks', 'visitors', 'bots', 'previews'] as const
const HOURS_OF_DAY = 24

/** A click as it is stored. */
export interface StoredClick extends ClickFacts {
  linkId: bigint
  at: number
  visitor: string
}

/** One row to be added to ClickRollup. */
export interface RollupRow {
  linkId: bigint
  dimension: number
  span: number
  hour: number
  value: string
  clicks: number
  visitors: number
  bots: number
  previews: number
}

export const hourOf = (at: number) => Math.floor(at / HOUR)
export const dayOf = (at: number) => Math.floor(at / HOUR / HOURS_OF_DAY)

/** Clicks that are alike in all that is counted. */
interface Alike {
  click: StoredClick
  clicks: number
  visitors: number
}

/**
 * Rollup rows of some clicks, in the order of their key, so that two transactions never wait for each other in a circle.
 * @param isNewVisitor whether this click is a person's first of the day on its link; asked once for each click, in order
 */
export function tally(clicks: readonly StoredClick[], isNewVisitor: (click: StoredClick) => boolean): RollupRow[] {
  const rows = new Map<string, RollupRow>()
  const add = (of: Alike, dimension: number, span: number, hour: number, value: string): RollupRow => {
    const { linkId } = of.click
    const key = `${linkId}|${dimension}|${span}|${hour}|${value}`
    let row = rows.get(key)
    if (!row) {
      row = { linkId, dimension, span, hour, value, clicks: 0, visitors: 0, bots: 0, previews: 0 }
      rows.set(key, row)
    }
    row.clicks += of.clicks
    row.visitors += of.visitors
    return row
  }
  for (const alike of groups(clicks, isNewVisitor)) {
    const { click } = alike
    const hour = hourOf(click.at)
    const day = dayOf(click.at) * HOURS_OF_DAY
    for (const total of [add(alike, TOTAL, 1, hour, ''), add(alike, TOTAL, HOURS_OF_DAY, day, '')]) {
      if (click.kind === 'bot') total.bots += alike.clicks
      if (click.kind === 'preview') total.previews += alike.clicks
    }
    if (click.kind !== 'person') continue
    for (const dimension of DIMENSIONS) {
      const value = click[CLICK_COLUMN[dimension]]
      // UTM parameters have a row only where they were given; all else has one for what is not known, too.
      if (value === '' && isGivenOnly(dimension)) continue
      add(alike, dimensionNumber(dimension), 1, hour, value)
      add(alike, dimensionNumber(dimension), HOURS_OF_DAY, day, value)
    }
  }
  return [...rows.values()].sort(byKey)
}

/** All clicks of all links by day, out of the rows of each link: rows of no link, under its id. In the order of their key. */
export function tallyAll(rows: readonly RollupRow[]): RollupRow[] {
  const days = new Map<number, RollupRow>()
  for (const row of rows) {
    if (row.dimension !== TOTAL || row.span !== HOURS_OF_DAY) continue
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
