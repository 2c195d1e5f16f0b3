import { groupBy } from '@/lib/tools/group-by'
import { conflictAt, isAlways, isIn, isSingle, subjectOf } from './conflicts'
import { boundsOf, type Condition, type DateCondition, plain, type Rule, type TimeCondition } from './rules'

/** Why a rule can never decide where a visitor goes. */
export interface RuleFault {
  /** Its index. */
  rule: number
  /**
   * `noValues`: a list has no values; `past`: its time has passed; `emptyRange`: its time ends before it begins; `conflict`: its
   * conditions exclude each other; `shadowed`: an earlier rule matches whenever it does; `covered`: one of the earlier rules
   * does.
   */
  why: 'conflict' | 'noValues' | 'past' | 'emptyRange' | 'shadowed' | 'covered'
  /** The index of the condition; for `shadowed`, of the earlier rule; for `covered`, of the rule itself. */
  place: number
}

/** The rules that can never decide, each with one reason. @param now ms since 1970 */
export function faultsOf(rules: readonly Rule[], now: number): RuleFault[] {
  const ready = rules.map(({ when }) => when.map(readyOf))
  return rules.flatMap(({ when }, rule) => {
    const fault = faultOf(when, now) ?? shadowOf(ready, rule)
    return fault ? [{ rule, ...fault }] : []
  })
}

type Fault = Omit<RuleFault, 'rule'>

function faultOf(when: readonly Condition[], now: number): Fault | undefined {
  for (const [place, condition] of when.entries()) {
    if (condition.of === 'date') {
      const { from, to } = boundsOf(condition)
      if (from >= to) return { why: 'emptyRange', place }
      if (to <= now) return { why: 'past', place }
    }
    if (condition.of === 'time' && condition.days?.length === 0) return { why: 'noValues', place }
    if ('in' in condition && condition.in?.length === 0 && !condition.not) return { why: 'noValues', place }
  }
  const place = conflictAt(when)
  return place === undefined ? undefined : { why: 'conflict', place }
}

function shadowOf(rules: readonly Ready[][], at: number): Fault | undefined {
  const own = rules[at] ?? []
  /** What earlier rules ask besides what this one does. */
  const asked = rules.slice(0, at).map((when) => when.filter((wide) => !wide.isAlways && !own.some((one) => implies(one, wide))))
  const place = asked.findIndex((when) => when.length === 0)
  if (place !== -1) return { why: 'shadowed', place }
  return areAll(
    asked.flatMap((when) => (when.length === 1 ? when : [])),
    own,
  )
    ? { why: 'covered', place: at }
    : undefined
}

/**
 * Whether one of some conditions always holds where a rule does: `iOS` and `not iOS`, or two that have all its values. If that is
 * hard to tell, it says no.
 */
function areAll(some: readonly Ready[], own: readonly Ready[]): boolean {
  const groups = groupBy(
    some.filter(({ condition }) => isDeniable(condition)),
    ({ condition }) => subjectOf(condition),
  )
  return [...groups].some(([subject, group]) => {
    const held = group.filter(({ isNot }) => !isNot)
    const isAny = held.some(({ values }) => values === undefined)
    const values = new Set(held.flatMap((one) => [...(one.values ?? [])]))
    const others = group.filter(({ isNot }) => isNot)
    const wanted = own.filter((one) => subjectOf(one.condition) === subject && !one.isNot && one.values !== undefined)
    if (wanted.some((one) => one.values && isIn(one.values, values))) return true
    return others.some((other) => isAny || (other.values !== undefined && isIn(other.values, values)))
  })
}

const isDeniable = ({ of }: Condition) => of !== 'date' && of !== 'time'

/** A condition and the set of its values, which is made once: each condition is compared with all others. */
interface Ready {
  condition: Condition
  values: ReadonlySet<string> | undefined
  isNot: boolean
  isAlways: boolean
}

const readyOf = (condition: Condition): Ready => ({
  condition,
  values: 'in' in condition && condition.in ? new Set(comparedOf(condition.in, condition.of)) : undefined,
  isNot: 'not' in condition && condition.not === true,
  isAlways: isAlways(condition),
})

/** Values as rules compare them: case matters in a query alone. */
const comparedOf = (values: readonly string[], of: Condition['of']) => (of === 'query' ? values : values.map(plain))

/** Whether one condition implies another. If that is hard to tell, it says no, so that no rule is refused that can match. */
function implies(narrow: Ready, broad: Ready): boolean {
  const [{ condition: one, values, isNot }, { condition: wide, values: wider, isNot: isWideNot }] = [narrow, broad]
  if (one.of === 'date' && wide.of === 'date') return isWithin(one, wide)
  if (one.of === 'time' && wide.of === 'time') return isSameTime(one, wide)
  if (subjectOf(one) !== subjectOf(wide)) return false
  if (isNot !== isWideNot) return isWideNot && isSingle(one.of) && values !== undefined && !sharesOne(values, wider)
  if (values === undefined || wider === undefined) return isNot ? values === undefined : wider === undefined
  return isNot ? isIn(wider, values) : isIn(values, wider)
}

const sharesOne = (some: ReadonlySet<string>, others: ReadonlySet<string> | undefined) =>
  [...some].some((value) => others?.has(value))

function isWithin(one: DateCondition, wide: DateCondition): boolean {
  const [inner, outer] = [boundsOf(one), boundsOf(wide)]
  return inner.from >= outer.from && inner.to <= outer.to
}

const isSameTime = (one: TimeCondition, wide: TimeCondition) =>
  one.zone === wide.zone &&
  one.from === wide.from &&
  one.to === wide.to &&
  (wide.days === undefined || (one.days?.every((day) => wide.days?.includes(day)) ?? false))
