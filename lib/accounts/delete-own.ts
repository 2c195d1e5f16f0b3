import { invalidField, TerseError } from '@/lib/errors'
import type { Account } from '@/lib/links/context'
import type { AccountContext } from './context'
import type { SessionFacts } from './identify'
import { PASSWORD_PROVIDER } from './names'
import { removeAccount } from './remove'
import type { DeleteAccount } from './schemas'

/** Without a password, a session must be younger than this, in ms. */
const FRESH = 3_600_000

/**
 * Removes an account for its owner, who shows once more who it is.
 * @throws TerseError 'validation_failed' for a wrong handle or password, 'forbidden' for an account without a password
 *   that did not sign in lately, 'conflict' for the last admin, 'unavailable'
 */
export async function deleteOwnAccount(
  ctx: AccountContext,
  account: Account,
  session: SessionFacts,
  { handle, password, links }: DeleteAccount,
): Promise<void> {
  if (handle !== account.handle) throw invalidField('handle', 'This is not the handle of this account.')
  const where = { userId: account.id, providerId: PASSWORD_PROVIDER }
  const credential = await ctx.db.read((client) => client.credential.findFirst({ where }))
  if (credential?.password) {
    const { password: hasher } = await ctx.auth.$context
    const right = password !== undefined && (await hasher.verify({ hash: credential.password, password }))
    if (!right) throw invalidField('password', 'This is not the password of this account.')
  } else if (Date.now() - session.createdAt.getTime() > FRESH) {
    throw new TerseError('forbidden', 'Sign out and in again first: your sign-in is more than an hour old.')
  }
  await removeAccount(ctx, account.id, links)
}
