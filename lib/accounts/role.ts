import type { Account } from '@/lib/actor'
import type { AccountContext } from './context'
import { lockUser, requireOtherAdmin, transaction } from './transaction'

/**
 * Makes an account an admin, or no longer one. It takes effect with its next request.
 * @throws TerseError 'not_found', 'conflict' for the last admin, 'unavailable'
 */
export function setRole(ctx: AccountContext, userId: string, role: Account['role']): Promise<void> {
  return transaction(ctx, async (tx) => {
    if (role !== 'admin') await requireOtherAdmin(tx, userId)
    await lockUser(tx, userId)
    await tx.user.updateMany({ where: { id: userId }, data: { role, updatedAt: new Date() } })
  })
}
