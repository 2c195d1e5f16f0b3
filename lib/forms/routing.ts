import type { RoutingFields } from '@/lib/routing/routing'
import { jsonIn } from './fields'

/** Rules of a link as a form keeps them: the JSON of one field, '' for none. What is not finished yet is in it too. */

/** What the field says. Null for a text that says nothing, or that was not written by this form. */
export const routingIn = (text: string | undefined) => jsonIn<RoutingFields>(text)

/** The text of the field. What decides nothing is left out. */
export function routingText({ rules, split, ...rest }: RoutingFields): string {
  const isSplit = split?.variants.length
  const said: RoutingFields = { ...(rules?.length && { rules }), ...(isSplit && { split }), ...rest }
  return Object.keys(said).length === 0 ? '' : JSON.stringify(said)
}
