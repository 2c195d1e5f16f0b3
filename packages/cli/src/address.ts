import { decodeText } from '../../../lib/tools/url.js'

/** Names one link: its code, and its domain unless that is the server's default one. */
export interface LinkAddress {
  code: string
  domain?: string | undefined
}

/** With a scheme, or with a dot or a port in what is before the first slash. */
const WITH_DOMAIN = /^(?:https?:\/\/([^/]+)|([^/]*[.:][^/]*))\/(.+)$/is

/**
 * The link that someone typed: `https://go.example.com/sale`, `go.example.com/sale`, or `sale` on the default domain. A code with
 * a dot before its first slash, such as `v1.2/notes`, is known by its whole address only.
 */
export function addressOf(typed: string | LinkAddress): LinkAddress {
  if (typeof typed !== 'string') return typed
  const bare = typed.trim().replace(/[?#].*/s, '')
  const [, ofUrl, domain = ofUrl, path] = WITH_DOMAIN.exec(bare) ?? []
  if (domain === undefined || path === undefined) return { code: decodeText(bare.replace(/^\//, '')) }
  return { code: decodeText(path), domain }
}
