/**
 * A process of its own that counts one batch, and tries until it was counted, by itself or another. Writes what came of it to its
 * standard output, as JSON. Arguments: the address of MySQL; the batch as JSON, its ids of links as texts.
 */
import { applyBatches, type StoredBatch } from '@/lib/clicks/apply'
import { SqlGateway } from '@/lib/db/sql-gateway'

const [url = '', text = ''] = process.argv.slice(2)
const batch: StoredBatch = JSON.parse(text, (key, value) => (key === 'linkId' ? BigInt(value) : value))
const db = new SqlGateway(url, 1)
for (let told: unknown; told === undefined; ) {
  told = await applyBatches(db, [batch]).catch(() => undefined)
  if (told !== undefined) process.stdout.write(JSON.stringify(told))
}
await db.close()
