import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { RoutingFields } from '@/lib/routing/routing'
import type { Rule } from '@/lib/routing/rules'
import type { Fields } from '../fields'

/** Where some visitors go, as Dub says it: rules of ours that ask for one system or country each, and a split. */

interface Targets {
  ios: string | null
  android: string | null
  geo: Readonly<Record<string, string>> | null
  testVariants: { url: string; percentage: number }[] | null
  testCompletedAt: string | null
}

/** What one rule is there; null for one that Dub has no equal of. */
function targetOf({ when, url }: Rule): (Partial<Pick<Targets, 'ios' | 'android'>> & { country?: string; url: string }) | null {
  const [condition, more] = when
  if (!condition || more || !('in' in condition) || ('not' in condition && condition.not)) return null
  const [value, another] = condition.in ?? []
  if (value === undefined || another !== undefined) return null
  if (condition.of === 'country') return { country: value, url }
  if (condition.of !== 'os') return null
  if (value === 'iOS') return { ios: url, url }
  return value === 'Android' ? { android: url, url } : null
}

/** A link’s routing as Dub shows it, without what it has no equal of. */
export function targetsIn({ rules = [], split }: RoutingFields): Targets {
  const found = rules.map(targetOf)
  const geo = Object.fromEntries(found.flatMap((one) => (one?.country ? [[one.country, one.url] as const] : [])))
  return {
    ios: found.find((one) => one?.ios)?.ios ?? null,
    android: found.find((one) => one?.android)?.android ?? null,
    geo: Object.keys(geo).length === 0 ? null : geo,
    testVariants: split?.variants.map(({ url, weight }) => ({ url, percentage: weight })) ?? null,
    testCompletedAt: split?.endsAt ?? null,
  }
}

const RULED = ['ios', 'android', 'geo'] as const

/**
 * A link’s routing with what was sent in its place; what was not sent stays.
 * @returns undefined if nothing of it was sent
 * @throws TerseError 'conflict' for a link with rules that Dub has no equal of, which would be lost
 */
export function routingWith(fields: Fields, before: RoutingFields): unknown {
  const isRuled = RULED.some((name) => fields[name] !== undefined)
  const { testVariants, testCompletedAt } = fields
  if (!isRuled && testVariants === undefined) return undefined
  const { rules = [], split, ...rest } = before
  if (isRuled && rules.some((rule) => targetOf(rule) === null)) throw new TerseError('conflict', say('api.link.otherRules'))
  const ours = isRuled ? rulesOf({ ...targetsIn(before), ...sentOf(fields) }) : rules
  const theirs = testVariants === undefined ? split : splitOf(testVariants, testCompletedAt)
  const routing = { ...rest, ...(ours.length > 0 && { rules: ours }), ...(theirs ? { split: theirs } : {}) }
  return Object.keys(routing).length === 0 ? null : routing
}

/** Nothing that was sent is trusted to be anything: our schema tells what is wrong. */
const sentOf = (fields: Fields) =>
  Object.fromEntries(RULED.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name] || null]])))

function rulesOf({ ios, android, geo }: Record<string, unknown>): unknown[] {
  const system = (url: unknown, name: string) => (url ? [{ when: [{ of: 'os', in: [name] }], url }] : [])
  const countries = typeof geo === 'object' && geo !== null ? Object.entries(geo) : []
  return [
    ...system(ios, 'iOS'),
    ...system(android, 'Android'),
    ...countries.map(([country, url]) => ({ when: [{ of: 'country', in: [country] }], url })),
  ]
}

function splitOf(variants: unknown, endsAt: unknown): unknown {
  if (variants === null || (Array.isArray(variants) && variants.length === 0)) return null
  if (!Array.isArray(variants)) return variants
  const weighed = variants.map((one) => ({ url: one?.url, weight: one?.percentage }))
  const at = typeof endsAt === 'string' ? new Date(endsAt) : null
  const ends = at && !Number.isNaN(at.getTime()) ? at.toISOString() : endsAt
  return { variants: weighed, ...(ends === undefined || ends === null ? {} : { endsAt: ends }) }
}
