import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { Limits } from '@/lib/net/limits'
import type { Attempt } from './attempts'
import { reserveAttempt } from './attempts'
import type { AccountContext } from './context'
import type { SessionFacts } from './identify'
import { PASSWORD_PROVIDER, RECENT_MS } from './names'
import type { ProofWays } from './schemas'

/**
 * That it is still the owner who sits there. What decides who gets into an account, or gives power over others', asks for
 * a sign-in or a password of the last 15 minutes: a key that leaked, a session that was copied or a screen that was left
 * open is not enough.
 */

/** Whether a session's owner showed lately who they are. */
const isRecent = ({ provedAt }: SessionFacts, now = Date.now()) => now - provedAt.getTime() < RECENT_MS

/** @throws TerseError 'proof_needed' */
export function requireRecent(session: SessionFacts): void {
  if (!isRecent(session)) throw new TerseError('proof_needed', say('api.auth.proof'))
}

/**
 * How this account can show who it is.
 * @throws TerseError 'unavailable'
 */
export async function waysToProve({ db, config }: AccountContext, userId: string): Promise<ProofWays> {
  const [credentials, passkeys] = await db.read((client) =>
    Promise.all([
      client.credential.findMany({ where: { userId }, select: { providerId: true, password: true } }),
      client.passkey.count({ where: { userId } }),
    ]),
  )
  const provider = config.OIDC_ISSUER && credentials.some(({ providerId }) => providerId !== PASSWORD_PROVIDER)
  return {
    password: credentials.some(({ password }) => password !== null),
    passkey: passkeys > 0,
    provider: provider ? config.OIDC_NAME : null,
  }
}

export type PasswordAttempt = Pick<Attempt, 'client' | 'device'>

/**
 * Compares a password with the account's; a wrong one counts as an attempt to sign in.
 * @returns whether it is right; null when the account has none
 * @throws TerseError 'rate_limited', 'unavailable'
 */
export async function checkPassword(
  ctx: AccountContext & { limits: Limits },
  userId: string,
  password: string,
  attempt: PasswordAttempt,
): Promise<boolean | null> {
  const where = { userId, providerId: PASSWORD_PROVIDER }
  const credential = await ctx.db.read((client) => client.credential.findFirst({ where }))
  if (!credential?.password) return null
  const giveBack = await reserveAttempt(ctx, { ...attempt, secret: 'password', account: { id: userId } })
  if (giveBack === null) return false
  const { password: hasher } = await (await ctx.auth()).$context
  const { password: hash } = credential
  let isWrong = false
  try {
    isWrong = !(await ctx.hashTurns.run(attempt.client, () => hasher.verify({ hash, password })))
  } finally {
    if (!isWrong) await giveBack()
  }
  return !isWrong
}

/**
 * Takes the password as a proof: the session counts as recent from now on.
 * @throws TerseError 'validation_failed' for a wrong password, 'forbidden' for an account without one, 'rate_limited',
 *   'unavailable'
 */
export async function proveByPassword(
  ctx: AccountContext & { limits: Limits },
  userId: string,
  session: SessionFacts,
  password: string,
  attempt: PasswordAttempt,
): Promise<void> {
  const right = await checkPassword(ctx, userId, password, attempt)
  if (right === null) throw new TerseError('forbidden', say('api.account.noPassword'))
  if (!right) throw invalidField('password', say('api.account.wrongPassword'))
  await ctx.db.write((client) => client.session.updateMany({ where: { id: session.id, userId }, data: { provedAt: new Date() } }))
}
