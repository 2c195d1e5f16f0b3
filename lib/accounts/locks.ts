import { BANNED } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import type { User } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'

/** The account, locked until the transaction ends. @throws TerseError 'not_found' */
export async function lockUser(tx: Transaction, userId: string): Promise<User> {
  await tx.$queryRaw`SELECT id FROM User WHERE id = ${userId} FOR UPDATE`
  const user = await tx.user.findUnique({ where: { id: userId } })
  if (!user || user.removal !== null) throw new TerseError('not_found', say('api.account.none'))
  return user
}

/**
 * Refuses what would leave nobody to administer. All admins are locked, always in the same order, so that of two who
 * demote each other at once one comes second and is refused.
 * @throws TerseError 'conflict'
 */
export async function requireOtherAdmin(tx: Transaction, userId: string): Promise<void> {
  const admins = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM User WHERE role = 'admin' AND NOT ${BANNED} ORDER BY id FOR UPDATE`,
  )
  if (admins.length === 1 && admins[0]?.id === userId) {
    throw new TerseError('conflict', say('api.account.lastAdmin'))
  }
}
