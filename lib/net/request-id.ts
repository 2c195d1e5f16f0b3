import { randomBytes } from 'node:crypto'
import type { Client } from './clients'

/** By which an answer says which lines of the log are about it. */
export const REQUEST_ID = 'X-Request-Id'

/** As nginx, Caddy, Traefik and tracing write them: nothing that could be taken for another line or field of a log. */
const PLAIN = /^[\w.:+/=@-]{1,128}$/

/**
 * The id of a request: the one that a trusted proxy gave it, or a new one. Anyone else's would let clients write into the log.
 * @param given what `X-Request-Id` says, if anything
 */
export function requestIdOf({ viaProxy }: Pick<Client, 'viaProxy'>, given: string | string[] | undefined): string {
  return viaProxy && typeof given === 'string' && PLAIN.test(given) ? given : randomBytes(9).toString('base64url')
}
