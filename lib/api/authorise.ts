import type { SessionFacts } from '@/lib/accounts/identify'
import { requireRecent } from '@/lib/accounts/proof'
import type { Actor } from '@/lib/actor'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'

/**
 * Who may call an endpoint. `anyone` may still be refused by what the handler does. `link`: the account that a link belongs
 * to, or the manage token of one without an account; the handler finds the link, and asks.
 */
export type Audience = 'anyone' | 'link' | 'account' | 'admin'

/**
 * What an account has to show. `key`: an API key will do, and so does a session. `session`: a browser that is signed in.
 * `recent`: one whose owner proved lately who they are (lib/accounts/proof.ts); what decides who gets in, or gives
 * power over other accounts, asks for no less.
 */
export type Proof = 'key' | 'session' | 'recent'

/**
 * @param changes whether the request changes anything, where its method does not tell
 * @throws TerseError 'unauthorized', 'forbidden' or 'proof_needed'
 */
export function authorise(
  { auth, proof }: { auth: Audience; proof: Proof },
  actor: Actor,
  session: SessionFacts | null,
  request: Request,
  baseUrl: string,
  changes = request.method !== 'GET' && request.method !== 'HEAD',
): void {
  if (changes && session !== null) requireSameOrigin(request.headers, baseUrl)
  if (changes && actor.scope === 'read') throw new TerseError('forbidden', say('api.auth.readOnly'))
  if (auth === 'anyone' || auth === 'link') return
  if (actor.account === null) throw new TerseError('unauthorized', say('api.auth.needed'))
  if (auth === 'admin' && actor.account.role !== 'admin') throw new TerseError('forbidden', say('api.auth.admins'))
  if (proof === 'key') return
  if (session === null) throw new TerseError('forbidden', say('api.auth.browser'))
  if (proof === 'recent') requireRecent(session)
}

/**
 * Refuses what another site makes a browser send with its cookies. SameSite=Lax keeps most of it back; this is for
 * browsers and requests that it does not cover.
 * @throws TerseError 'forbidden'
 */
export function requireSameOrigin(headers: Headers, baseUrl: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const same = origin === null ? site === null || site === 'same-origin' || site === 'none' : origin === new URL(baseUrl).origin
  if (!same) throw new TerseError('forbidden', say('api.auth.otherSite', { site: baseUrl }))
}
