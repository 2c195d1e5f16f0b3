/** An address in pieces. Joined again, they have the same bytes: edits of a query change nothing else. */
export interface AddressPieces {
  /** What comes before the query. */
  head: string
  /** The query, cut at each `&`; none if it is empty. */
  parameters: string[]
  /** With its `#`; '' for none. */
  fragment: string
}

export function cutAddress(address: string): AddressPieces {
  const hash = address.indexOf('#')
  const [rest, fragment] = hash === -1 ? [address, ''] : [address.slice(0, hash), address.slice(hash)]
  const mark = rest.indexOf('?')
  const query = mark === -1 ? '' : rest.slice(mark + 1)
  return { head: mark === -1 ? rest : rest.slice(0, mark), parameters: query === '' ? [] : query.split('&'), fragment }
}

export const joinAddress = ({ head, parameters, fragment }: AddressPieces): string =>
  head + (parameters.length === 0 ? '' : `?${parameters.join('&')}`) + fragment

/** The name of a parameter as servers read it: `a%62` and `ab` are the same. */
export function nameIn(parameter: string): string {
  const equals = parameter.indexOf('=')
  return decoded(equals === -1 ? parameter : parameter.slice(0, equals))
}

/** The value of a parameter as servers read it; '' for none. */
export function valueIn(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals === -1 ? '' : decoded(parameter.slice(equals + 1))
}

/**
 * What `decodeURIComponent` takes: each `%` begins a character of UTF-8 (RFC 3629, section 4). It is asked before, since an
 * exception takes some 15 µs, and a request has room for thousands of parameters.
 */
const DECODABLE =
  /^(?:[^%]|%[0-7][\da-f]|%(?:c[2-9a-f]|d[\da-f])%[89ab][\da-f]|%(?:e0%[ab][\da-f]|ed%[89][\da-f]|e[1-9a-cef]%[89ab][\da-f])%[89ab][\da-f]|%(?:f0%[9ab][\da-f]|f4%8[\da-f]|f[1-3]%[89ab][\da-f])%[89ab][\da-f]%[89ab][\da-f])*$/i

/** What cannot be decoded stays as it is. */
function decoded(text: string): string {
  return /[%+]/.test(text) && DECODABLE.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text
}
