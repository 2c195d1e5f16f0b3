import { cutAddress, joinAddress, nameIn } from '@/lib/tools/query-pieces'
import { asciiOf } from './ascii'

/** How the query of a visitor's request is passed on to the destination. */
export const QUERY_MODES = ['forward', 'override'] as const
export type QueryMode = (typeof QUERY_MODES)[number]

/**
 * A destination with the parameters of a visitor's query, before its fragment. Both keep every byte and their order: decoding and
 * encoding again would change what the destination reads. If both have a parameter of one name, `forward` keeps the
 * destination's, and `override` the visitor's.
 * @param destination an address as `URL.href` writes it
 * @param query as it was sent, with its question mark; '' for none
 */
export function withQuery(destination: string, query: string, mode: QueryMode): string {
  const sent = asciiOf(query.slice(1), UNFIT).split('&').filter(isParameter)
  if (sent.length === 0) return destination
  const pieces = cutAddress(destination)
  const own = pieces.parameters.filter(isParameter)
  const isNew = namesOtherThan(mode === 'forward' ? own : sent)
  const parameters = mode === 'forward' ? [...own, ...sent.filter(isNew)] : [...own.filter(isNew), ...sent]
  return joinAddress({ ...pieces, parameters })
}

/** A destination on the web with the ID of a click, instead of any that it has. */
export const withClickId = (destination: string, parameter: string, id: string): string =>
  withQuery(destination, `?${parameter}=${id}`, 'override')

/** `a=1`, `a=` and `a` are parameters; an empty piece between two `&` is not. */
const isParameter = (piece: string) => piece !== ''

/** Whether a parameter has another name than these. */
function namesOtherThan(taken: readonly string[]): (parameter: string) => boolean {
  const names = new Set(taken.map(nameIn))
  return (parameter) => !names.has(nameIn(parameter))
}

/** Characters that no header can hold, `#`, and those that browsers encode in a query. */
const UNFIT = /[^!$-&(-;=?-~]/g
