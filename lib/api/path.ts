import { z } from 'zod'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { ID } from '@/lib/tools/schema'

export type Params = Record<string, string>

/**
 * Parameters of the path, percent-decoded; none where the path has none.
 * @throws TerseError 'bad_request'
 */
export function decoded(params: Params | undefined): Params {
  try {
    return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    throw new TerseError('bad_request', say('api.request.percent'))
  }
}

/**
 * The query parameters of a request. One pass over the names: asking for all values of each is quadratic, and 16 kB hold
 * thousands of names.
 * @throws TerseError 'validation_failed' for a parameter that is given twice
 */
export function parametersOf({ url }: Request): Params {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URL(url).searchParams) {
    if (parameters.has(name)) throw invalidField(name, say('api.request.once'))
    parameters.set(name, value)
  }
  return Object.fromEntries(parameters)
}

/**
 * The number by which a path names something that is called `what`.
 * @throws TerseError 'not_found' for what can be none
 */
export function idOf(
  { id = '' }: Params,
  what: 'domain' | 'label' | 'link' | 'note' | 'report' | 'rule' | 'share' | 'template',
  digits = 19,
): bigint {
  if (!ID.test(id) || id.length > digits) throw new TerseError('not_found', say(`api.${what}.none`))
  return BigInt(id)
}

/** Names one link, together with the code in the path. */
export const AddressQuery = z.strictObject({
  domain: z.string().max(253).optional().meta({ description: 'The domain of the short link. Defaults to the default domain.' }),
})
export const CodePath = z.object({
  code: z.string().meta({ description: 'The link’s code, percent-encoded (`/` becomes `%2F`).', example: 'spring-sale' }),
})
