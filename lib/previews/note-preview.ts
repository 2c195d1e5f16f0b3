import type { Link } from '@/lib/db/generated/client'
import type { Runner } from '@/lib/db/insert-many'
import { previewIn } from './values'

/**
 * Notes that the destination of a link is to be asked for its card (./fetcher.ts), once for each destination. To be called in the
 * transaction that writes the link, or before it.
 */
export async function notePreview(
  client: Runner,
  { id, urlHash, preview }: Pick<Link, 'id' | 'urlHash' | 'preview'>,
): Promise<void> {
  if (previewIn(preview)?.source !== 'destination') return
  // What another destination said of itself goes. Fields are set in this order, so the hash is compared before it changes.
  const isSame = 'urlHash = VALUES(urlHash)'
  const kept = ['title', 'description', 'failure'].map((name) => `${name} = IF(${isSame}, ${name}, '')`).join(', ')
  await client.$executeRawUnsafe(
    `INSERT INTO LinkPreview (linkId, urlHash, dueAt) VALUES (?, ?, UTC_TIMESTAMP(3))
     ON DUPLICATE KEY UPDATE ${kept}, image = IF(${isSame}, image, NULL), fetchedAt = IF(${isSame}, fetchedAt, NULL),
       attempts = IF(${isSame} AND failure = '', attempts, 0),
       dueAt = IF(${isSame} AND fetchedAt IS NOT NULL AND failure = '', dueAt, VALUES(dueAt)), urlHash = VALUES(urlHash)`,
    ...[id, Buffer.from(urlHash)],
  )
}
