import { type CountedLink, noteRemoved } from '@/lib/counts/changes'
import type { Transaction } from '@/lib/db/client'
import { Prisma } from '@/lib/db/generated/client'

/**
 * Takes links out of the table of links: the one way, so that they are no longer counted.
 * @returns those that were there
 */
export async function removeLinks(tx: Transaction, ids: readonly bigint[]): Promise<CountedLink[]> {
  if (ids.length === 0) return []
  // Locked: what another deletes or claims at this moment is noted once, and of the right owner.
  const links = await tx.$queryRaw<CountedLink[]>`
    SELECT id, domainId, ownerId, createdAt FROM Link WHERE id IN (${Prisma.join([...ids])}) FOR UPDATE`
  await tx.link.deleteMany({ where: { id: { in: links.map(({ id }) => id) } } })
  await noteRemoved(tx, links)
  return links
}
