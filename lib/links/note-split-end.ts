import type { Runner } from '@/lib/db/insert-many'
import { sqlTime } from '@/lib/db/time'
import type { RoutingFields } from '@/lib/routing/routing'
import { endOf } from '@/lib/routing/split'

/**
 * Notes when the split of a link is to be decided (./split-ends.ts), so that it is found by its time. To be called in the
 * transaction that writes the link, or before it. A note that is outdated does no harm: what the link says is what counts.
 * @param routing as the link has it
 */
export async function noteSplitEnd(client: Runner, linkId: bigint, routing: string | null): Promise<void> {
  const end = routing === null ? null : endOf((JSON.parse(routing) as RoutingFields).split)
  if (end === null) return
  await client.$executeRawUnsafe(
    'INSERT INTO SplitEnd (linkId, dueAt) VALUES (?, ?) ON DUPLICATE KEY UPDATE dueAt = VALUES(dueAt)',
    ...[linkId, sqlTime(end)],
  )
}
