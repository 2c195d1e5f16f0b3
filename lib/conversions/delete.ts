import { deleteInPieces } from '@/lib/db/pieces'
import type { SqlGateway } from '@/lib/db/sql-gateway'

/** Links that are looked at together. */
const LINKS = 500

/** Deletes all that was reported of an account's links: it is not for who has them next. @throws TerseError 'unavailable' */
export async function deleteConversionsOf(db: Pick<SqlGateway, 'change' | 'rows'>, ownerId: string): Promise<void> {
  for (const table of ['Link', 'DeletedLink']) {
    for (let after = -1n; ; ) {
      const links = await db.rows<{ id: bigint }>(
        `SELECT id FROM ${table} WHERE ownerId = ? AND id > ? ORDER BY id LIMIT ${LINKS}`,
        ...[ownerId, after],
      )
      const last = links.at(-1)
      if (!last) break
      const ids = links.map(({ id }) => id)
      await deleteInPieces(db, 'Conversion WHERE linkId IN (?) ORDER BY linkId, clickedAt, id', ids)
      await deleteInPieces(db, 'ConversionRollup WHERE linkId IN (?) ORDER BY linkId, span, hour', ids)
      after = last.id
    }
  }
}
