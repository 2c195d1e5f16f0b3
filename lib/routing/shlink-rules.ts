import { z } from 'zod'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { timeIn } from '@/lib/tools/php-times'
import type { RoutingFields } from './routing'
import type { Condition, Rule } from './rules'

/** Redirect rules of Shlink, as rules of ours and the other way around. */

const TheirCondition = z.object({
  type: z.string().max(40),
  matchKey: z.string().max(500).nullish(),
  matchValue: z.string().max(500).nullish(),
})
type TheirCondition = z.output<typeof TheirCondition>

export const TheirRules = z.object({
  redirectRules: z
    .array(z.object({ longUrl: z.string().max(8192), conditions: z.array(TheirCondition).min(1).max(50) }))
    .max(1000),
})

/** Their devices are systems, except for two. */
const SYSTEMS: Readonly<Record<string, string>> = {
  ...{ android: 'Android', ios: 'iOS', windows: 'Windows', macos: 'macOS', linux: 'Linux', chromeos: 'ChromeOS' },
}
const MOBILE = ['Android', 'iOS']
const BROWSERS: Readonly<Record<string, string>> = {
  ...{ chrome: 'Chrome', firefox: 'Firefox', edge: 'Edge', safari: 'Safari', opera: 'Opera', android_browser: 'Android Browser' },
}

/** @returns null for a condition that we have no equal of */
function ourCondition({ type, matchKey: name, matchValue: value }: TheirCondition): Condition | null {
  switch (type) {
    case 'device': {
      if (value === 'mobile') return { of: 'os', in: MOBILE }
      if (value === 'desktop') return { of: 'device', in: ['desktop'] }
      const system = SYSTEMS[value ?? '']
      return system === undefined ? null : { of: 'os', in: [system] }
    }
    case 'browser': {
      const browser = BROWSERS[value ?? '']
      return browser === undefined ? null : { of: 'browser', in: [browser] }
    }
    // A language of one country alone is a language to us.
    case 'language':
      return /^[a-z]{2,3}$/i.test(value ?? '') ? { of: 'language', in: [(value ?? '').toLowerCase()] } : null
    case 'query-param':
      return name ? { of: 'query', name, in: [value ?? ''] } : null
    case 'any-value-query-param':
      return name ? { of: 'query', name } : null
    case 'valueless-query-param':
      return name ? { of: 'query', name, in: [''] } : null
    case 'ip-address': {
      const range = rangeOf(value ?? '')
      return range === null ? null : { of: 'address', in: [range] }
    }
    case 'geolocation-country-code':
      return value ? { of: 'country', in: [value.toUpperCase()] } : null
    case 'geolocation-city-name':
      return value ? { of: 'city', in: [value] } : null
    case 'before-date':
      return value ? { of: 'date', to: timeIn(value) } : null
    case 'after-date':
      return value ? { of: 'date', from: timeIn(value) } : null
    default:
      return null
  }
}

/** `11.22.*.*` is 11.22.0.0/16. What is no address is told by the schema of our rules. */
function rangeOf(pattern: string): string | null {
  if (!pattern.includes('*')) return pattern || null
  const parts = pattern.split('.')
  const fixed = parts.indexOf('*')
  if (parts.length !== 4 || parts.slice(fixed).some((part) => part !== '*')) return null
  return `${parts.map((part) => (part === '*' ? '0' : part)).join('.')}/${fixed * 8}`
}

/** @throws TerseError 'validation_failed' for a condition that we have no equal of */
export function ourRules({ redirectRules }: z.output<typeof TheirRules>): Rule[] {
  return redirectRules.map(({ longUrl, conditions }, i) => ({
    url: longUrl,
    when: conditions.map((condition, j) => {
      const ours = ourCondition(condition)
      if (ours) return ours
      throw invalidField(`redirectRules.${i}.conditions.${j}`, say('api.link.noSuchCondition', { condition: nameOf(condition) }))
    }),
  }))
}

const nameOf = ({ type, matchKey, matchValue }: TheirCondition) => `${type} ${matchKey ?? ''}=${matchValue ?? ''}`

/** The same without rules that have a condition which we have no equal of. @returns with the names of these conditions */
export function ourRulesOf({ redirectRules }: z.output<typeof TheirRules>): { rules: Rule[]; left: string[] } {
  const left = redirectRules.flatMap(({ conditions }) => conditions.filter((one) => ourCondition(one) === null).map(nameOf))
  const told = redirectRules.filter(({ conditions }) => conditions.every((one) => ourCondition(one) !== null))
  return { rules: ourRules({ redirectRules: told }), left }
}

const keyOf = (values: Readonly<Record<string, string>>, value: string | undefined) =>
  Object.keys(values).find((key) => values[key] === value)

/** @returns null for a condition that Shlink has no equal of */
function theirCondition(condition: Condition): { type: string; matchKey: string | null; matchValue: string | null } | null {
  const as = (type: string, matchValue: string | null | undefined, matchKey: string | null = null) =>
    matchValue === undefined ? null : { type, matchKey, matchValue }
  if (condition.of === 'date') {
    const { from, to } = condition
    if (from && to) return null
    return from ? as('after-date', from) : as('before-date', to)
  }
  if (condition.of === 'time' || condition.not) return null
  const [value, ...more] = condition.in ?? []
  if (condition.of === 'query') {
    if (more.length > 0) return null
    if (condition.in === undefined) return as('any-value-query-param', null, condition.name)
    return value === '' ? as('valueless-query-param', null, condition.name) : as('query-param', value, condition.name)
  }
  if (condition.of === 'os') {
    const isMobile = more.length === 1 && MOBILE.every((system) => condition.in.includes(system))
    return as('device', isMobile ? 'mobile' : more.length > 0 ? undefined : keyOf(SYSTEMS, value))
  }
  if (more.length > 0) return null
  switch (condition.of) {
    case 'device':
      return value === 'desktop' ? as('device', value) : null
    case 'browser':
      return as('browser', keyOf(BROWSERS, value))
    case 'language':
      return as('language', value)
    case 'address':
      return as('ip-address', value)
    case 'country':
      return as('geolocation-country-code', value)
    case 'city':
      return as('geolocation-city-name', value)
    default:
      return null
  }
}

/** Rules of ours as Shlink lists them, without those that it has no equal of. */
export function theirRules({ rules = [] }: RoutingFields) {
  const told = rules.flatMap(({ url, when }) => {
    const conditions = when.flatMap((condition) => theirCondition(condition) ?? [])
    return conditions.length === when.length ? [{ longUrl: url, conditions }] : []
  })
  return told.map((rule, i) => ({ ...rule, priority: i + 1 }))
}

/** Whether a link has rules or a split that a list of Shlink’s rules cannot hold: to replace them would lose them. */
export const hasOthers = (routing: RoutingFields): boolean =>
  routing.split !== undefined || theirRules(routing).length < (routing.rules?.length ?? 0)
