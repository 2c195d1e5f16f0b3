import { asciiOf } from './ascii'

/** What happens to the path behind the code. A link without a mode has no such paths. */
export const PATH_MODES = ['append', 'ignore'] as const
export type PathMode = (typeof PATH_MODES)[number]

/**
 * A destination with the path behind the code added to its own, before its query and fragment. Both keep every byte: decoding
 * and encoding again would change what the destination reads.
 * @param destination an address as `URL.href` writes it
 * @param extra the path behind the code as it was sent, with its slash; '' for none
 */
export function withPath(destination: string, extra: string): string {
  if (extra === '') return destination
  const end = destination.search(/[?#]|$/)
  return destination.slice(0, end).replace(/\/$/, '') + asciiOf(extra, UNFIT) + destination.slice(end)
}

/** Characters that no header or path can hold, and the backslash, which browsers read as a slash. */
const UNFIT = /[^!$-;=@-[\]_a-z~]/g
