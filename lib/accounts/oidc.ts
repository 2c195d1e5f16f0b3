import type { BetterAuthPlugin } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import type { Config } from '@/lib/config'
import { toLine } from '@/lib/tools/line'
import { OIDC_PROVIDER } from './names'

/** Sign-in by the provider of OIDC_ISSUER; none where it is not set. */
export function oidc({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Config): BetterAuthPlugin[] {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return []
  const provider = {
    providerId: OIDC_PROVIDER,
    discoveryUrl: `${OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    // Without it a server in the provider's place could name anyone.
    requireIdTokenVerification: true,
    mapProfileToUser: ({ name, preferred_username: username, email }: Record<string, unknown>) => ({
      name: nameOf([name, username, String(email ?? '').split('@')[0]]),
      // A picture of theirs would be asked for by every visitor of ours.
      image: undefined,
    }),
  }
  const plugin = genericOAuth({ config: [provider] })
  return [
    {
      ...plugin,
      // The plugin would ask the provider at start, and while it does not answer nobody could sign in by any way. What
      // stands in this map is asked at the first sign-in by it, for ten seconds at most.
      init: () => ({ context: { genericOAuthPendingDiscovery: new Map([[OIDC_PROVIDER, provider]]) } }),
    },
  ]
}

/** The first of what may be a name that shows as one, no longer than names are. */
const nameOf = (given: readonly unknown[]): string =>
  given.map((name) => toLine(String(name ?? '').slice(0, 100))).find((name) => name !== '') ?? ''
