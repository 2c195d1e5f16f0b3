import { type Address, type Span, spanOf } from '@/lib/net/ranges'
import { groupBy } from '@/lib/tools/group-by'
import {
  type AddressCondition,
  boundsOf,
  type Condition,
  LISTED,
  type ListCondition,
  type Listed,
  onTime,
  plain,
  type QueryCondition,
  sitesAbove,
  type TimeCondition,
} from './rules'

type At<C extends Condition> = C & { at: number }

/** Of these, a visitor has one value. */
export const isSingle = (of: Condition['of']): of is Exclude<Listed, 'referrer'> =>
  of !== 'referrer' && (LISTED as readonly string[]).includes(of)

/**
 * The place of the first condition that cannot hold if those before it do. It can miss one, but never names one that can hold.
 * @returns undefined for none
 */
export function conflictAt(when: readonly Condition[]): number | undefined {
  const groups = groupBy(
    when.map((condition, at) => ({ ...condition, at })),
    subjectOf,
  )
  for (const group of groups.values()) {
    const place = emptiedAt(group)
    if (place !== undefined) return place
  }
  return undefined
}

/** What conditions have to be about to exclude each other: a parameter, or the time in a zone. */
export const subjectOf = (condition: Condition): string =>
  `${condition.of} ${condition.of === 'query' ? condition.name : condition.of === 'time' ? condition.zone.toLowerCase() : ''}`

/** @param group conditions on the same thing */
function emptiedAt(group: readonly At<Condition>[]): number | undefined {
  if (group.length < 2) return undefined
  switch (group[0]?.of) {
    case 'date':
      return datesEmptiedAt(group)
    case 'time':
      return timesEmptiedAt(group as At<TimeCondition>[])
    case 'query':
      return queryEmptiedAt(group as At<QueryCondition>[])
    case 'address':
      return addressesEmptiedAt(group as At<AddressCondition>[])
    case 'referrer':
      return sitesEmptiedAt(group as At<ListCondition>[])
    default:
      return listEmptiedAt(group as At<ListCondition>[])
  }
}

function listEmptiedAt(conditions: readonly At<ListCondition>[]): number | undefined {
  const excluded = new Set<string>()
  let allowed: ReadonlySet<string> | undefined
  for (const { in: values, not, at } of conditions) {
    const given = new Set(values.map(plain))
    if (not) for (const value of given) excluded.add(value)
    else allowed = allowed ? new Set([...allowed].filter((value) => given.has(value))) : given
    if (allowed && isIn(allowed, excluded)) return at
  }
  return undefined
}

/** A visitor who comes from shop.example.com comes from example.com too. */
function sitesEmptiedAt(conditions: readonly At<ListCondition>[]): number | undefined {
  const excluded = new Set<string>()
  let allowed: string[] | undefined
  for (const { in: values, not, at } of conditions) {
    const given = new Set(values)
    if (not) for (const value of given) excluded.add(value)
    else allowed = allowed ? [...new Set([...below(allowed, given), ...below(values, new Set(allowed))])] : values
    if (allowed && below(allowed, excluded).length === allowed.length) return at
  }
  return undefined
}

/** Those of some sites that are among others, or below them. */
const below = (sites: readonly string[], others: ReadonlySet<string>) =>
  sites.filter((site) => sitesAbove(site).some((above) => others.has(above)))

/** A parameter can have several values at once: only one that is asked for and excluded is no visitor’s. */
function queryEmptiedAt(conditions: readonly At<QueryCondition>[]): number | undefined {
  const excluded = new Set<string>()
  const wanted: (ReadonlySet<string> | undefined)[] = []
  let isMissing = false
  for (const { in: values, not, at } of conditions) {
    if (!not) wanted.push(values && new Set(values))
    else if (values) for (const value of values) excluded.add(value)
    else isMissing = true
    if (wanted.some((some) => isMissing || (some && isIn(some, excluded)))) return at
  }
  return undefined
}

function addressesEmptiedAt(conditions: readonly At<AddressCondition>[]): number | undefined {
  const excluded: Span[] = []
  let allowed: Span[] | undefined
  for (const { in: ranges, not, at } of conditions) {
    const spans = ranges.flatMap((range) => spanOf(range) ?? [])
    if (not) excluded.push(...spans)
    else allowed = allowed ? allowed.flatMap((one) => spans.flatMap((other) => bothOf(one, other))) : spans
    const left = allowed && excluded.reduce((rest, span) => rest.flatMap((one) => without(one, span)), allowed)
    if (left?.length === 0) return at
  }
  return undefined
}

const later = (a: bigint, b: bigint) => (a > b ? a : b)
const earlier = (a: bigint, b: bigint) => (a < b ? a : b)
const spanIn = (kind: Address['kind'], first: bigint, last: bigint): Span[] => (first <= last ? [{ kind, first, last }] : [])

/** What two spans have in common. */
const bothOf = (a: Span, b: Span): Span[] =>
  a.kind === b.kind ? spanIn(a.kind, later(a.first, b.first), earlier(a.last, b.last)) : []

function without(one: Span, other: Span): Span[] {
  const { kind, first, last } = one
  if (bothOf(one, other).length === 0) return [one]
  return [...spanIn(kind, first, other.first - 1n), ...spanIn(kind, other.last + 1n, last)]
}

function datesEmptiedAt(conditions: readonly At<Condition>[]): number | undefined {
  const dates = conditions.flatMap((condition) => (condition.of === 'date' ? [{ ...boundsOf(condition), at: condition.at }] : []))
  const begin = Math.max(...dates.map(({ from }) => from))
  return dates.find(({ to }) => to <= begin)?.at
}

function timesEmptiedAt(conditions: readonly At<TimeCondition>[]): number | undefined {
  let left = WEEK
  for (const condition of conditions) {
    const holds = onTime(condition)
    left = left.filter(holds)
    if (left.length === 0) return condition.at
  }
  return undefined
}

/** Each minute of a week. */
const WEEK = Array.from({ length: 7 * 1440 }, (_, i) => ({ weekday: Math.floor(i / 1440) + 1, minute: i % 1440 }))

/** Whether a condition excludes nobody, ever. */
export function isAlways(condition: Condition): boolean {
  if (condition.of === 'date') return condition.from === undefined && condition.to === undefined
  return condition.of === 'time' && WEEK.every(onTime(condition))
}

export function isIn(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (some.size > others.size) return false
  for (const value of some) if (!others.has(value)) return false
  return true
}
