import type { RoutingFields } from '@/lib/routing/routing'
import type { Condition, Rule } from '@/lib/routing/rules'

/** What the editor of rules does to them: apart, since forms have it only once it is asked for. */

/** A condition as it is at first. @param zone of this browser */
export function newCondition(of: Condition['of'], zone: string): Condition {
  switch (of) {
    case 'query':
      return { of, name: '' }
    case 'date':
      return { of }
    case 'time':
      return { of, zone, from: '09:00', to: '17:00' }
    default:
      return { of, in: [] }
  }
}

/** Systems whose visitors can be led to an app: the names that statistics have for them. */
export const APP_SYSTEMS = ['iOS', 'Android'] as const
export type AppSystem = (typeof APP_SYSTEMS)[number]

/** A rule for everyone on a system, without its destination. */
export const appRule = (os: AppSystem): Rule => ({ when: [{ of: 'os', in: [os] }], url: '' })

/** Whether there is such a rule: a second one could never match. */
export const hasAppRule = (rules: readonly Rule[], os: AppSystem): boolean =>
  rules.some(({ when: [only, ...others] }) => only?.of === 'os' && !only.not && only.in.includes(os) && others.length === 0)

/** A rule for visitors of a country, without either. */
export const countryRule = (): Rule => ({ when: [{ of: 'country', in: [] }], url: '' })

export const newRule = (): Rule => ({ when: [{ of: 'device', in: ['mobile'] }], url: '' })

/** A list with one of its items changed, or taken out with null. */
export function withItem<T>(items: readonly T[], at: number, item: T | null): T[] {
  return items.flatMap((one, i) => (i !== at ? [one] : item === null ? [] : [item]))
}

/** A list with two neighbours in each other’s place. @param at of the first */
export function swapped<T>(items: readonly T[], at: number): T[] {
  const [a, b] = items.slice(at, at + 2)
  return a === undefined || b === undefined ? [...items] : [...items.slice(0, at), b, a, ...items.slice(at + 2)]
}

/** With a way to pass on what visitors add, or, with `drop`, none. */
export function withMode<Part extends 'query' | 'path'>(
  routing: RoutingFields,
  part: Part,
  mode: RoutingFields[Part] | 'drop',
): RoutingFields {
  const { [part]: _, ...rest } = routing
  return mode === 'drop' ? rest : { ...rest, [part]: mode }
}

/** What is typed into a list of values. */
export const valuesIn = (text: string): string[] => text.split(/[,;\n]/).flatMap((value) => value.trim() || [])
