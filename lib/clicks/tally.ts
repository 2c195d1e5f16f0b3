import type { ClickFacts } from './click'
import { CLICK_COLUMN, DIMENSIONS, type Dimension, dimensionNumber, TOTAL } from './dimensions'

const HOUR = 3_600_000
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

/** Dimensions with a row even where nothing is known; UTM parameters have one only where they were given. */
const ALWAYS = DIMENSIONS.filter((dimension) => !dimension.startsWith('utm_'))
const WHERE_GIVEN = DIMENSIONS.filter((dimension) => dimension.startsWith('utm_'))

/** The value of a click in a dimension. */
const dimensionValue = (click: StoredClick, dimension: Dimension) => click[CLICK_COLUMN[dimension]]

/**
 * Rollup rows of some clicks, in the order of their key, so that two transactions never wait for each other in a circle.
 * @param isNewVisitor whether this click is a person's first of the day on its link; asked once for each click, in order
 */
export function tally(clicks: readonly StoredClick[], isNewVisitor: (click: StoredClick) => boolean): RollupRow[] {
  const rows = new Map<string, RollupRow>()
  const row = (linkId: bigint, dimension: number, span: number, hour: number, value: string): RollupRow => {
    const key = `${linkId}|${dimension}|${span}|${hour}|${value}`
    let known = rows.get(key)
    if (!known) {
      known = { linkId, dimension, span, hour, value, clicks: 0, visitors: 0, bots: 0, previews: 0 }
      rows.set(key, known)
    }
    return known
  }
  for (const click of clicks) {
    const hour = hourOf(click.at)
    const visitors = isNewVisitor(click) ? 1 : 0
    const total = row(click.linkId, TOTAL, 1, hour, '')
    total.clicks += 1
    total.visitors += visitors
    if (click.kind === 'bot') total.bots += 1
    if (click.kind === 'preview') total.previews += 1
    if (click.kind !== 'person') continue
    const day = dayOf(click.at) * HOURS_OF_DAY
    const count = (dimension: Dimension, value: string) => {
      for (const [span, from] of [
        [1, hour],
        [HOURS_OF_DAY, day],
      ] as const) {
        const counted = row(click.linkId, dimensionNumber(dimension), span, from, value)
        counted.clicks += 1
        counted.visitors += visitors
      }
    }
    for (const dimension of ALWAYS) count(dimension, dimensionValue(click, dimension))
    for (const dimension of WHERE_GIVEN) {
      const value = dimensionValue(click, dimension)
      if (value !== '') count(dimension, value)
    }
  }
  return [...rows.values()].sort(byKey)
}

function byKey(a: RollupRow, b: RollupRow): number {
  return (
    compare(a.linkId, b.linkId) || a.dimension - b.dimension || a.span - b.span || a.hour - b.hour || compare(a.value, b.value)
  )
}

export function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
