import type { Account } from '@/lib/actor'
import { invalidField } from '@/lib/errors'
import type { Limits } from '@/lib/net/limits'
import type { AccountContext } from './context'
import type { SessionFacts } from './identify'
import { checkPassword, type PasswordAttempt, requireRecent } from './proof'
import { removeAccount } from './remove'
import type { DeleteAccount } from './schemas'

/**
 * Removes an account for its owner, who shows once more who it is.
 * @throws TerseError 'validation_failed' for a wrong handle or password, 'proof_needed' for an account without a
 *   password that did not sign in lately, 'rate_limited', 'conflict' for the last admin, 'unavailable'
 */
export async function deleteOwnAccount(
  ctx: AccountContext & { limits: Limits },
  account: Account,
  session: SessionFacts,
  { handle, password, links }: DeleteAccount,
  attempt: PasswordAttempt,
): Promise<void> {
  if (handle !== account.handle) throw invalidField('handle', 'This is not the handle of this account.')
  const right = await checkPassword(ctx, account.id, password ?? '', attempt)
  if (right === null) requireRecent(session)
  else if (!right) throw invalidField('password', 'This is not the password of your account.')
  await removeAccount(ctx, account.id, links)
}
