import { z } from 'zod'
import { invalidField } from '@/lib/errors'

/**
 * The query parameters of a request. One pass over the names: asking for all values of each is quadratic, and 16 kB hold
 * thousands of names.
 * @throws TerseError 'validation_failed' for a parameter that is given twice
 */
export function parametersOf({ url }: Request): Record<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URL(url).searchParams) {
    if (parameters.has(name)) throw invalidField(name, 'Give this parameter once.')
    parameters.set(name, value)
  }
  return Object.fromEntries(parameters)
}

/** Names one link, together with the code in the path. */
export const AddressQuery = z.strictObject({
  domain: z.string().max(253).optional().meta({ description: 'Host of the short URL; the default domain if left out.' }),
})
