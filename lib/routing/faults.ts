import {
  boundsOf,
  type Condition,
  type DateCondition,
  LISTED,
  type ListCondition,
  plain,
  type Rule,
  type TimeCondition,
} from './rules'

/** Why a rule can never decide where a visitor goes. */
export interface RuleFault {
  /** Its index. */
  rule: number
  /**
   * `none`: a list has no values; `over`: its time has passed; `empty`: its time ends before it begins; `conflict`: its
   * conditions exclude each other; `shadowed`: an earlier rule matches whenever it does.
   */
  why: 'conflict' | 'none' | 'over' | 'empty' | 'shadowed'
  /** The index of the condition; for `shadowed`, of the earlier rule. */
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
      if (from >= to) return { why: 'empty', place }
      if (to <= now) return { why: 'over', place }
    }
    if (condition.of === 'time' && condition.days?.length === 0) return { why: 'none', place }
    if ('in' in condition && condition.in?.length === 0 && !condition.not) return { why: 'none', place }
  }
  return conflictOf(when)
}

function conflictOf(when: readonly Condition[]): Fault | undefined {
  for (const name of LISTED) {
    // A visitor can come from both example.com and shop.example.com.
    if (name === 'referrer') continue
    const place = emptiedAt(when.flatMap((condition, at) => (condition.of === name ? [{ ...condition, at }] : [])))
    if (place !== undefined) return { why: 'conflict', place }
  }
  const dates = when.flatMap((condition, place) => (condition.of === 'date' ? [{ ...boundsOf(condition), place }] : []))
  const begin = Math.max(...dates.map(({ from }) => from))
  const late = dates.find(({ to }) => to <= begin)
  return late && { why: 'conflict', place: late.place }
}

/** Which of some conditions on the same thing leaves no value that all of them allow; undefined: none does. */
function emptiedAt(conditions: readonly (ListCondition & { at: number })[]): number | undefined {
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

/** The first of the earlier rules that matches whenever this one does. */
function shadowOf(rules: readonly Ready[][], at: number): Fault | undefined {
  const own = rules[at] ?? []
  const earlier = rules.slice(0, at)
  const place = earlier.findIndex((when) => when.every((wide) => own.some((one) => implies(one, wide))))
  return place === -1 ? undefined : { why: 'shadowed', place }
}

/** A condition and the set of its values, which is made once: each condition is compared with all others. */
interface Ready {
  condition: Condition
  values: ReadonlySet<string> | undefined
}

const readyOf = (condition: Condition): Ready => ({
  condition,
  values: 'in' in condition && condition.in ? new Set(comparedOf(condition.in, condition.of)) : undefined,
})

/** Values as rules compare them: case matters in a query alone. */
const comparedOf = (values: readonly string[], of: Condition['of']) => (of === 'query' ? values : values.map(plain))

/** Whether one condition implies another. If that is hard to tell, it says no, so that no rule is refused that can match. */
function implies({ condition: one, values }: Ready, { condition: wide, values: wider }: Ready): boolean {
  if (one.of !== wide.of) return false
  if (one.of === 'date' && wide.of === 'date') return isWithin(one, wide)
  if (one.of === 'time' && wide.of === 'time') return isSameTime(one, wide)
  if (!('in' in one) && !('in' in wide)) return JSON.stringify(one) === JSON.stringify(wide)
  if (nameOf(one) !== nameOf(wide)) return false
  const [isNot, isWideNot] = ['not' in one && one.not === true, 'not' in wide && wide.not === true]
  if (isNot !== isWideNot) return false
  if (values === undefined || wider === undefined) return isNot ? values === undefined : wider === undefined
  return isNot ? isIn(wider, values) : isIn(values, wider)
}

function isIn(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (some.size > others.size) return false
  for (const value of some) if (!others.has(value)) return false
  return true
}

const nameOf = (condition: Condition) => (condition.of === 'query' ? condition.name : condition.of)

function isWithin(one: DateCondition, wide: DateCondition): boolean {
  const [inner, outer] = [boundsOf(one), boundsOf(wide)]
  return inner.from >= outer.from && inner.to <= outer.to
}

const isSameTime = (one: TimeCondition, wide: TimeCondition) =>
  one.zone === wide.zone &&
  one.from === wide.from &&
  one.to === wide.to &&
  (wide.days === undefined || (one.days?.every((day) => wide.days?.includes(day)) ?? false))
