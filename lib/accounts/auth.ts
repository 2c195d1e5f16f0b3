import { apiKey } from '@better-auth/api-key'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
import { admin, genericOAuth, twoFactor, username } from 'better-auth/plugins'
import type { Logger } from 'pino'
import type { Config } from '@/lib/config'
import type { Database } from '@/lib/db/client'
import { keyedHash } from '@/lib/links/tokens'

/** Header in which lib/api tells better-auth the client's address; what a client itself sends there is dropped. */
export const CLIENT_HEADER = 'x-terse-client'
/** By which an API key is told from a manage token. */
export const KEY_PREFIX = 'terse_'

const DAY = 86_400

/**
 * Paths of better-auth that nobody may call: handles are given, not chosen; keys and the work of admins have
 * routes of their own, which check scopes and write down who did what.
 */
const CLOSED = ['/is-username-available', '/delete-user', '/delete-user/callback', '/admin', '/api-key']

/** True for a path under the base path of better-auth that is not for the public. */
export function isClosedAuthPath(path: string): boolean {
  return CLOSED.some((closed) => path === closed || path.startsWith(`${closed}/`))
}

/** Sign-up, sign-in, sessions, second factors and keys: better-auth on our tables. */
export function createAuth({ config, db, log }: { config: Config; db: Database; log: Logger }) {
  const { hostname, origin } = new URL(config.BASE_URL)
  return betterAuth({
    appName: 'Terse',
    baseURL: config.BASE_URL,
    basePath: '/api/auth',
    trustedOrigins: [origin],
    secret: keyedHash(config.APP_SECRET, 'accounts').toString('base64url'),
    database: prismaAdapter(db, { provider: 'mysql' }),
    telemetry: { enabled: false },
    // Ours count in Redis and know which proxies to believe (lib/net/limits.ts).
    rateLimit: { enabled: false },
    logger: { level: 'warn', log: (level, message, ...rest) => log[level === 'error' ? 'error' : 'debug']({ rest }, message) },
    account: { modelName: 'credential' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      revokeSessionsOnPasswordReset: true,
    },
    session: { expiresIn: 30 * DAY, updateAge: DAY, freshAge: DAY },
    user: {
      additionalFields: { publicProfile: { type: 'boolean', required: false, defaultValue: false, input: true } },
    },
    advanced: {
      cookiePrefix: 'terse',
      useSecureCookies: origin.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [CLIENT_HEADER] },
    },
    plugins: [
      username({
        displayUsername: false,
        immutableUsername: true,
        usernameValidator: (handle) => /^[1-9]\d{7}$/.test(handle),
        schema: { user: { fields: { username: 'handle' } } },
      }),
      admin({ bannedUserMessage: (user) => `This account was banned.${user.banReason ? ` Why: ${user.banReason}` : ''}` }),
      twoFactor({ issuer: 'Terse' }),
      passkey({ rpID: hostname, rpName: 'Terse', origin }),
      apiKey({
        defaultPrefix: KEY_PREFIX,
        enableMetadata: false,
        requireName: true,
        rateLimit: { enabled: false },
        deferUpdates: true,
        keyExpiration: { defaultExpiresIn: null, minExpiresIn: 1, maxExpiresIn: 3650 },
        schema: { apikey: { modelName: 'apiKey' } },
      }),
      ...(config.OIDC_ISSUER && config.OIDC_CLIENT_ID && config.OIDC_CLIENT_SECRET
        ? [
            genericOAuth({
              config: [
                {
                  providerId: 'oidc',
                  discoveryUrl: `${config.OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`,
                  clientId: config.OIDC_CLIENT_ID,
                  clientSecret: config.OIDC_CLIENT_SECRET,
                  scopes: ['openid', 'email', 'profile'],
                  pkce: true,
                },
              ],
            }),
          ]
        : []),
    ],
  })
}

export type Auth = ReturnType<typeof createAuth>
