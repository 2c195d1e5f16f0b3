import { z } from 'zod'
import { asText, type Message } from '@/lib/i18n/message'
import { type Destination, parseDestination } from './destination'
import { linkDestination } from './link-destination'

/**
 * For `transform`: a text as the destination of a link is stored, or an issue that says why it is none. Which schemes links can
 * have here is asked with the link (lib/links/permit.ts); what none can have is none for any schema.
 */
export function readDestination(input: string, context: z.RefinementCtx): string {
  return read(linkDestination(input), input, context)
}

/** The same for an address that Terse itself asks: http or https. */
export const readWebAddress = (input: string, context: z.RefinementCtx): string => read(parseDestination(input), input, context)

function read(parsed: Destination, input: string, context: z.RefinementCtx): string {
  if (parsed.ok) return parsed.href
  context.addIssue({ code: 'custom', message: asText(parsed.problem satisfies Message), input })
  return z.NEVER
}
