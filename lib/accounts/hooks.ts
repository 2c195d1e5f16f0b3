import { APIError, type BetterAuthOptions, generateId } from 'better-auth'
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { z } from 'zod'
import type { Config } from '@/lib/config'
import type { Database } from '@/lib/db/client'
import { localeOf } from '@/lib/i18n/languages'
import { asText, say } from '@/lib/i18n/message'
import type { Mailer } from '@/lib/mail/mailer'
import type { Limits } from '@/lib/net/limits'
import { SHOWN } from '@/lib/tools/issues'
import { DAY } from '@/lib/tools/time'
import { INVITATION_HEADER, SESSION_END_DAYS } from './names'
import { changePassword, endResetLinks, requireGood, resetPassword } from './new-password'
import { tellOwner } from './notices'
import { useTotpOnce } from './one-time-codes'
import { accountName } from './schemas'
import { admit, redeem } from './sign-up'

/** What is changed about an account, as far as more follows from it. */
type UserChanges = { email?: string; twoFactorEnabled?: boolean }

/** What a hook of ours is given. */
export type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Sessions of one account. */
const MAX_SESSIONS = 100

const SignUp = z.object({ name: accountName, email: z.string().max(254) })

/**
 * Where a session may begin for an account with a second factor: where it was passed, where better-auth asks for it next,
 * or where another factor than a mailbox stands in its place. A path that is new does not pass.
 */
const PASSES_SECOND_FACTOR = new Set([
  '/sign-in/email',
  '/sign-in/username',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  // These begin a session in place of the one that asks.
  '/two-factor/enable',
  '/two-factor/disable',
  '/change-password',
  // A provider that the owner linked, and a passkey, are factors of their own.
  '/passkey/verify-authentication',
  '/callback/:id',
])

interface Parts {
  config: Config
  db: Database
  mailer: Mailer
  limits: Limits
}

/** What we add to better-auth's sign-up, sign-in and passwords. */
export function authHooks(parts: Parts): Pick<BetterAuthOptions, 'hooks' | 'databaseHooks'> {
  const { config, db } = parts
  const before: Record<string, (ctx: HookContext) => Promise<unknown>> = {
    '/sign-up/email': (ctx) => checkApplicant(ctx, config),
    '/sign-in/username': evenOut,
    '/reset-password': (ctx) => resetPassword(ctx, parts),
    '/change-password': (ctx) => changePassword(ctx, parts),
    '/two-factor/verify-totp': (ctx) => useTotpOnce(ctx, db),
  }
  const changed = new WeakMap<object, UserChanges>()
  return {
    // What returns something has answered.
    hooks: {
      before: createAuthMiddleware(async (ctx) => before[ctx.path]?.(ctx)),
      after: createAuthMiddleware(async (ctx) => {
        if (ctx.path === '/passkey/verify-registration') await tellOfPasskey(ctx, parts)
      }),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user, context) => {
            const id = generateId()
            if (!context) throw new Error('an account is made by a request')
            const token = context.headers?.get(INVITATION_HEADER) ?? null
            const { email, emailVerified } = user
            const invitation = await admit(config.SIGN_UP, context.context.adapter, { email, emailVerified, token })
            if (invitation) await redeem(context.context.adapter, invitation, id)
            return { data: { ...user, id, language: localeOf(context.headers).language } }
          },
        },
        update: {
          before: async (changes, context) => {
            if (context) changed.set(context, changes)
          },
          after: async (user, context) => {
            const { email: newEmail, twoFactorEnabled: on } = (context && changed.get(context)) ?? {}
            // A link that was sent to the address before would still open the account.
            if (newEmail !== undefined) await endResetLinks(db, user.id)
            if (on !== undefined) void tellOwner(parts, user, { kind: 'second factor', on }, localeOf(context?.headers))
          },
        },
      },
      session: {
        create: {
          before: async ({ userId }, context) => {
            if (context?.path && PASSES_SECOND_FACTOR.has(context.path)) return
            const user = await db.user.findUnique({ where: { id: userId }, select: { twoFactorEnabled: true } })
            if (user?.twoFactorEnabled) {
              throw new APIError('FORBIDDEN', { code: 'SECOND_FACTOR_NEEDED', message: asText(say('forms.auth.secondFactor')) })
            }
          },
          after: async ({ userId }) => endOldest(db, userId),
        },
        update: {
          before: async (changes, context) => {
            const begun = context?.context.session?.session.createdAt
            if (!changes.expiresAt || !begun) return
            const end = begun.getTime() + SESSION_END_DAYS * DAY
            if (changes.expiresAt.getTime() > end) return { data: { ...changes, expiresAt: new Date(end) } }
          },
        },
      },
    },
  }
}

async function tellOfPasskey(ctx: HookContext, parts: Parts): Promise<void> {
  const session = await getSessionFromCtx(ctx)
  if (!session || ctx.context.returned instanceof APIError) return
  const name = String((ctx.body as { name?: unknown }).name ?? '')
  const { id, email } = session.user
  const user = await parts.db.user.findUnique({ where: { id } })
  void tellOwner(parts, { id, email, language: user?.language ?? null }, { kind: 'passkey', name }, localeOf(ctx.headers))
}

/** Ends the oldest sessions of an account that has too many: one that signs in all the time would fill the table. */
async function endOldest(db: Database, userId: string): Promise<void> {
  const many = { where: { userId }, orderBy: { createdAt: 'desc' }, skip: MAX_SESSIONS, select: { id: true } } as const
  const ids = (await db.session.findMany({ ...many, take: 1_000 })).map(({ id }) => id)
  if (ids.length > 0) await db.session.deleteMany({ where: { id: { in: ids } } })
}

async function checkApplicant(ctx: HookContext, { SIGN_UP, BASE_URL }: Config): Promise<void> {
  // Handles are given, not chosen; pictures are nowhere shown.
  for (const field of ['username', 'displayUsername', 'image']) delete ctx.body[field]
  const { success, data, error } = SignUp.safeParse(ctx.body, SHOWN)
  if (!success) throw new APIError('BAD_REQUEST', { code: 'INVALID_INPUT', message: error.issues[0]?.message ?? '' })
  ctx.body.name = data.name
  await requireGood(String(ctx.body.password), { ...data, baseUrl: BASE_URL })
  // Once more when the account is made; a refusal there would be taken for a secret where addresses are verified.
  const token = ctx.headers?.get(INVITATION_HEADER) ?? null
  await admit(SIGN_UP, ctx.context.adapter, { email: data.email, emailVerified: false, token })
}

/** An account without a password would be told from none by how quickly it is refused. */
async function evenOut(ctx: HookContext): Promise<void> {
  const { username, password } = ctx.body as { username: string; password: string }
  const user = await ctx.context.adapter.findOne<{ id: string }>({
    model: 'user',
    where: [{ field: 'username', value: username }],
  })
  const credential = user && (await ctx.context.internalAdapter.findCredentialAccount(user.id))
  if (user && !credential?.password) await ctx.context.password.hash(password)
}
