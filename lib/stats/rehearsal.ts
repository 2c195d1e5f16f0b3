import type { RoutingFields } from '@/lib/routing/routing'
import { compileRules, type Rule, type VisitorFacts } from '@/lib/routing/rules'
import type { Split } from '@/lib/routing/split'
import { Breath } from '@/lib/tools/breath'
import { allClicks } from './clicks'
import type { ClickView, Rehearsal } from './schemas'
import type { StatsContext } from './stats'

/** Clicks that are looked at. */
export const REHEARSED = 10_000

/**
 * Where the latest clicks of a link would have gone by a routing. Of a click, neither its address nor its whole query is kept:
 * where a rule would ask for them, and all else of it holds, that click counts as `unknown`.
 * @throws TerseError 'unavailable'
 */
export async function rehearse(ctx: StatsContext, link: { id: bigint; url: string }, routing: RoutingFields): Promise<Rehearsal> {
  const { rules = [], split } = routing
  const known = rules.map((rule) => ({ ...rule, when: rule.when.filter(isKnown) }))
  const whole = new Map(known.map((rule, i) => [rule, rule.when.length === rules[i]?.when.length]))
  const ruleFor = compileRules(known)
  const byRule = new Map<Rule, number>(known.map((rule) => [rule, 0]))
  let [clicks, unknown] = [0, 0]
  const breath = new Breath()
  for await (const batch of allClicks(ctx, link, {})) {
    for (const click of batch.slice(0, REHEARSED - clicks)) {
      clicks++
      const rule = ruleFor(factsOf(click), Date.parse(click.at))
      if (rule && !whole.get(rule)) unknown++
      else if (rule) byRule.set(rule, (byRule.get(rule) ?? 0) + 1)
      if (breath.isDue) await breath.pause()
    }
    if (clicks >= REHEARSED) break
  }
  const ruled = known.map((rule) => byRule.get(rule) ?? 0)
  const others = clicks - unknown - ruled.reduce((sum, count) => sum + count, 0)
  return {
    clicks,
    unknown,
    rules: ruled.map((count, i) => ({ url: rules[i]?.url ?? '', clicks: count })),
    others: othersOf(split, link.url, others),
  }
}

/** Where those go for whom no rule holds. */
function othersOf(split: Split | undefined, url: string, clicks: number): Rehearsal['others'] {
  if (!split || split.winner !== undefined) return [{ url: split?.winner ?? url, clicks }]
  return split.variants.map((variant) => ({ url: variant.url, clicks: Math.round((clicks * variant.weight) / 100) }))
}

/** What is kept of a query. */
const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const

const isKnown = (condition: Rule['when'][number]) =>
  condition.of !== 'address' && (condition.of !== 'query' || UTM.some((part) => condition.name === `utm_${part}`))

function factsOf({ device, os, browser, language, country, city, referrer, utm }: ClickView): VisitorFacts {
  const sent = UTM.flatMap((part) => (utm[part] ? [[`utm_${part}`, utm[part]]] : []))
  const query = sent.length > 0 ? `?${new URLSearchParams(sent)}` : ''
  return { device, os, browser, language, country, city, referrer, query, address: '' }
}
