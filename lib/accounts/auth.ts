import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { prismaAdapter } from 'better-auth/adapters/prisma'
// Not from 'better-auth/plugins', which loads all there are.
import { admin } from 'better-auth/plugins/admin'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { username } from 'better-auth/plugins/username'
import type { Logger } from 'pino'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { asText } from '@/lib/i18n/message'
import type { Handles } from '@/lib/ids/handles'
import type { Mailer } from '@/lib/mail/mailer'
import { isHttps } from '@/lib/net/host'
import type { Limits } from '@/lib/net/limits'
import { keyedHash } from '@/lib/tools/hash'
import { DAY, HOUR } from '@/lib/tools/time'
import { authDatabase } from './auth-database'
import { authLog } from './auth-log'
import { authHooks } from './hooks'
import { banMessage } from './identify'
import { mailOptions } from './mail-options'
import { CLIENT_HEADER, MAX_PASSWORD, MIN_PASSWORD, SESSION_DAYS } from './names'
import { oidc } from './oidc'
import { invitationTable } from './sign-up'

interface Parts {
  config: Config
  db: DatabaseGateway
  log: Logger
  handles: Handles
  mailer: Mailer
  limits: Limits
}

/** Sign-up, sign-in, sessions and second factors: better-auth on our tables. */
export function createAuth({ config, db: gateway, log, handles, mailer, limits }: Parts) {
  const { hostname, origin } = new URL(config.BASE_URL)
  const { emailAndPassword, emailVerification, changeEmail } = mailOptions(config, mailer, limits)
  const db = authDatabase(gateway, handles)
  return betterAuth({
    appName: config.BRAND_NAME,
    baseURL: config.BASE_URL,
    basePath: '/api/auth',
    trustedOrigins: [origin],
    secret: keyedHash(config.APP_SECRET, 'accounts').toString('base64url'),
    database: prismaAdapter(db, { provider: 'mysql', transaction: true }),
    telemetry: { enabled: false },
    // Ours count in Redis and know which proxies to believe (lib/net/limits.ts).
    rateLimit: { enabled: false },
    logger: authLog(log),
    // What is no answer of its own comes to lib/api/auth.ts, and not to the terminal.
    onAPIError: { throw: true, errorURL: `${config.BASE_URL}/sign-in` },
    // A provider opens an account that was made another way only once its owner has linked it, and no more when unlinked.
    account: { modelName: 'credential', accountLinking: { disableImplicitLinking: true } },
    emailAndPassword: {
      minPasswordLength: MIN_PASSWORD,
      maxPasswordLength: MAX_PASSWORD,
      ...emailAndPassword,
    },
    emailVerification,
    // How fresh a session must be is asked in lib/api/auth-paths.ts, by when its owner last proved who they are.
    session: { expiresIn: (SESSION_DAYS * DAY) / 1_000, updateAge: HOUR / 1_000, freshAge: 0 },
    user: {
      additionalFields: {
        publicProfile: { type: 'boolean', required: false, defaultValue: false, input: false },
        // Not in answers: by a language that is missing, one that is made up would be known (mail-options.ts).
        language: { type: 'string', required: false, input: false, returned: false },
      },
      changeEmail,
    },
    advanced: {
      cookiePrefix: 'terse',
      useSecureCookies: isHttps(origin),
      ipAddress: { ipAddressHeaders: [CLIENT_HEADER] },
    },
    ...authHooks({ config, db, mailer, limits }),
    plugins: [
      username({
        displayUsername: false,
        immutableUsername: true,
        usernameValidator: (handle) => /^[1-9]\d{7}$/.test(handle),
        schema: { user: { fields: { username: 'handle' } } },
      }),
      admin({ bannedUserMessage: (user) => asText(banMessage(user)) }),
      // Ours counts wrong codes too, and lets the owner in meanwhile (lib/accounts/attempts.ts).
      twoFactor({ issuer: config.BRAND_NAME, accountLockout: { enabled: false } }),
      passkey({ rpID: hostname, rpName: config.BRAND_NAME, origin }),
      invitationTable,
      ...oidc(config),
    ],
  })
}

export type Auth = ReturnType<typeof createAuth>
