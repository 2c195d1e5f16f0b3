import type { FieldError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { faultsOf, type RuleFault } from './faults'
import type { RoutingFields } from './routing'
import type { Rule } from './rules'
import { endOf, type Variant } from './split'

interface Circumstances {
  /** What the link has; null for none. */
  before: RoutingFields | null
  /** It was another system’s until now, where its time may be over. */
  isTakenOver: boolean
  /** ms since 1970 */
  now: number
}

/**
 * What a routing is refused for that its form does not say: rules that can never decide, a split whose end is in the past or that
 * names a destination twice. A link works whatever time does to it, so nothing is refused of what the link has already.
 */
export function refusalsOf(routing: RoutingFields, { before, isTakenOver, now }: Circumstances): FieldError[] {
  const { rules = [], split } = routing
  const had = new Set(faultsIn(before?.rules, now).map(({ key }) => key))
  const refusals = faultsIn(rules, now).flatMap(({ key, fault }) =>
    had.has(key) || (isTakenOver && fault.why === 'past') ? [] : [refusalOf(fault)],
  )
  const end = endOf(split)
  if (end !== null && end <= now && !isTakenOver && end !== endOf(before?.split)) {
    refusals.push({ path: 'routing.split.endsAt', message: say('forms.future') })
  }
  if (!isTakenOver) refusals.push(...repeatedIn(split?.variants, before?.split?.variants))
  return refusals
}

/** Destinations that a split names again: their clicks would be counted as one's. */
function repeatedIn(variants: readonly Variant[] = [], before: readonly Variant[] = []): FieldError[] {
  const isRepeated = (all: readonly Variant[], url: string, at: number) => all.slice(0, at).some((one) => one.url === url)
  const had = new Set(before.filter(({ url }, at) => isRepeated(before, url, at)).map(({ url }) => url))
  return variants.flatMap(({ url }, at) =>
    isRepeated(variants, url, at) && !had.has(url)
      ? [{ path: `routing.split.variants.${at}.url`, message: say('forms.routing.repeated') }]
      : [],
  )
}

/** The faults of rules, and by what they are told again wherever their rule is. */
const faultsIn = (rules: readonly Rule[] = [], now: number) =>
  faultsOf(rules, now).map((fault) => ({ fault, key: `${fault.why} ${JSON.stringify(rules[fault.rule]?.when)}` }))

function refusalOf({ rule, why, place }: RuleFault): FieldError {
  const isOfRule = why === 'shadowed' || why === 'covered'
  const path = `routing.rules.${rule}${isOfRule ? '' : `.when.${place}`}`
  return { path, message: say('forms.routing.never', { why, other: place + 1 }) }
}
