import type { Change, Registry } from '@/lib/codes/registry'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { changeOf, VERSION_DIGITS } from './record'
import { readRecord } from './source'

const versionOf = (value: string) => value.slice(0, VERSION_DIGITS)

/**
 * Publishes a committed change. Where Redis holds a newer record than that, MySQL is asked: it holds one as new, unless it was
 * put back to an older copy, or the code was used again by a link whose versions are lower. Then what MySQL holds counts.
 * @throws when Redis did not take it, or MySQL does not answer
 */
export async function publishSettled(registry: Registry, db: SqlGateway, change: Change): Promise<void> {
  if (await registry.publish(change)) return
  // Read before MySQL is: what Redis holds was committed before it was published.
  const { record: held } = await registry.lookup(change.full)
  if (held === null) return
  const truth = await readRecord(db, change.full)
  const current = truth && changeOf(change.full, truth)
  if (!current || versionOf(current.value) >= versionOf(held)) return
  await registry.forget(change.full, held)
  await registry.publish(current)
}
