import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/lib/db/client'
import { PASSWORD_PROVIDER, RESET_PREFIX, TRUSTED_BROWSER_PREFIX } from './names'

/**
 * Sets an account's password, and ends all that the one before may have let in: sessions, links for a new password, and
 * browsers that are asked for no second factor. The caller has locked the account.
 * @param hash of the new password
 */
export async function replacePassword(tx: Transaction, userId: string, hash: string): Promise<void> {
  const now = new Date()
  await tx.session.deleteMany({ where: { userId } })
  await endSecrets(tx, userId, [RESET_PREFIX, TRUSTED_BROWSER_PREFIX])
  const where = { userId, providerId: PASSWORD_PROVIDER }
  const { count } = await tx.credential.updateMany({ where, data: { password: hash, updatedAt: now } })
  if (count > 0) return
  const times = { createdAt: now, updatedAt: now }
  await tx.credential.createMany({ data: [{ id: randomUUID(), ...where, accountId: userId, password: hash, ...times }] })
}

/** Makes links for a new password useless, that were made for this account until now. */
export const endResetLinks = (tx: Pick<Transaction, 'verification'>, userId: string) => endSecrets(tx, userId, [RESET_PREFIX])

async function endSecrets(tx: Pick<Transaction, 'verification'>, userId: string, prefixes: string[]): Promise<void> {
  for (const startsWith of prefixes) {
    // By id: a range that is deleted from would be locked, and every other secret that is made in it would wait.
    const rows = await tx.verification.findMany({
      where: { identifier: { startsWith }, value: userId },
      select: { id: true },
    })
    if (rows.length > 0) await tx.verification.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } })
  }
}
