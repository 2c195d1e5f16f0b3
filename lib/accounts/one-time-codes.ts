import { createOTP } from '@better-auth/utils/otp'
import { APIError } from 'better-auth'
import { getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Database } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import { asText, say } from '@/lib/i18n/message'
import { sha256 } from '@/lib/tools/hash'
import type { HookContext } from './hooks'

/**
 * A code of the authenticator app is good once (RFC 6238, section 5.2), which better-auth does not see to. Before it looks
 * at a code that is right, a row that can be there once only is inserted for it: the database decides who was first.
 */

const STEP_S = 30
/** Steps before and after now whose codes better-auth takes. */
const WINDOW = 1
/** How long a code is remembered, in ms: longer than it is good, or than two requests with it can be on their way. */
const REMEMBERED = 10 * 60_000

interface SecondFactor {
  id: string
  secret: string
}

/** @throws APIError INVALID_CODE for a code of the app that was used before */
export async function useTotpOnce(ctx: HookContext, db: Database): Promise<void> {
  const factor = await factorOf(ctx)
  if (!factor) return // better-auth says what is wrong
  const { code } = ctx.body as { code: string }
  const otp = createOTP(await decrypted(ctx, factor.secret), { digits: 6, period: STEP_S })
  const now = Math.floor(Date.now() / 1000 / STEP_S)
  for (let step = now - WINDOW; step <= now + WINDOW; step++) {
    if ((await otp.hotp(step)) === code) await once(db, `totp:${factor.id}:${step}`)
  }
}

/** @param name of the code, by which its row is there once */
async function once(db: Database, name: string): Promise<void> {
  const identifier = `used-${sha256(name).toString('base64url')}`
  const now = new Date()
  const times = { expiresAt: new Date(now.getTime() + REMEMBERED), createdAt: now, updatedAt: now }
  try {
    // 186 bits of the hash: as long as an id may be.
    await db.verification.createMany({ data: [{ id: identifier.slice(0, 36), identifier, value: 'used', ...times }] })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: asText(say('forms.auth.codeUsed')) })
  }
}

const decrypted = (ctx: HookContext, data: string) => symmetricDecrypt({ key: ctx.context.secretConfig, data })

/** The second factor of who is asked for a code: who is signed in, else who gave the password. */
async function factorOf(ctx: HookContext): Promise<SecondFactor | null> {
  const session = await getSessionFromCtx(ctx)
  const userId = session?.user.id ?? (await challengedUser(ctx))
  if (!userId) return null
  return ctx.context.adapter.findOne<SecondFactor>({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] })
}

async function challengedUser(ctx: HookContext): Promise<string | null> {
  const { name } = ctx.context.createAuthCookie('two_factor')
  const identifier = await ctx.getSignedCookie(name, ctx.context.secret)
  const challenge = identifier ? await ctx.context.internalAdapter.findVerificationValue(identifier) : null
  return challenge?.value ?? null
}
