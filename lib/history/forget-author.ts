import { PIECE } from '@/lib/db/pieces'
import type { SqlGateway } from '@/lib/db/sql-gateway'

/**
 * Removes an account from the history of links. The entries stay, for visitors of these links.
 * @throws TerseError 'unavailable'
 */
export async function forgetAuthor({ db }: { db: Pick<SqlGateway, 'change'> }, accountId: string): Promise<void> {
  while ((await db.change(`UPDATE LinkChange SET byId = NULL WHERE byId = ? LIMIT ${PIECE}`, accountId)) === PIECE);
}
