import { marks } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'

/** Links of one statement. */
const ROWS = 500

/** Where it is read: within a transaction or without. */
export type Read = <Row>(sql: string, values: unknown[]) => Promise<Row[]>

/** Whose some links are, null: nobody's. Only of links that exist, or can be restored. */
export async function ownersOf(read: Read, linkIds: Iterable<bigint>): Promise<Map<bigint, string | null>> {
  const owners = new Map<bigint, string | null>()
  for (const ids of pieces([...new Set(linkIds)], ROWS)) {
    const list = marks(ids)
    const rows = await read<{ id: bigint; ownerId: string | null }>(
      `SELECT id, ownerId FROM Link WHERE id IN (${list}) UNION SELECT id, ownerId FROM DeletedLink WHERE id IN (${list})`,
      [...ids, ...ids],
    )
    for (const { id, ownerId } of rows) owners.set(id, ownerId)
  }
  return owners
}
