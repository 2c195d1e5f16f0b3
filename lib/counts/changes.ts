import type { Transaction } from '@/lib/db/client'
import { nextId } from '@/lib/db/id'
import { insertMany, type Runner } from '@/lib/db/insert-many'
import { DAY } from '@/lib/tools/time'

/** What a link is counted by. */
export interface CountedLink {
  id: bigint
  domainId: number
  ownerId: string | null
  createdAt: Date
}

/** Notes that links went, in the transaction that deletes them. */
export const noteRemoved = (tx: Runner, links: readonly CountedLink[]) => note(tx, links, -1)

/** Notes that a link has another owner, or another date of creation. */
export async function noteRecounted(tx: Runner, before: readonly CountedLink[], after: readonly CountedLink[]): Promise<void> {
  await noteRemoved(tx, before)
  await noteRestored(tx, after)
}

/** Notes that links came back. A new link is not noted: the counter finds it by its id. */
export const noteRestored = (tx: Runner, links: readonly CountedLink[]) => note(tx, links, 1)

/** Notes that a link of nobody is now someone's. */
export const noteClaimed = (tx: Transaction, linkId: bigint, ownerId: string) => noteOwner(tx, [linkId], ownerId, 1)

/** Notes that links of this account are now nobody's. */
export const noteLetGo = (tx: Transaction, linkIds: readonly bigint[], ownerId: string) => noteOwner(tx, linkIds, ownerId, -1)

async function note(tx: Runner, some: readonly CountedLink[], links: 1 | -1): Promise<void> {
  const rows = some.map(({ id, domainId, ownerId, createdAt }) => ({
    ...{ id: nextId(), linkId: id, ownerId, domainId, links },
    day: Math.floor(createdAt.getTime() / DAY),
  }))
  await insertMany(tx, 'LinkCountChange', rows)
}

async function noteOwner(tx: Transaction, linkIds: readonly bigint[], ownerId: string, links: 1 | -1): Promise<void> {
  if (linkIds.length === 0) return
  await tx.linkCountChange.createMany({
    data: linkIds.map((linkId) => ({ id: nextId(), linkId, ownerId, domainId: null, day: null, links })),
  })
}
