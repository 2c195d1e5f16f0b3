import type { Change, Registry } from '@/lib/codes/registry'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { readRecords } from './mysql-records'
import { changeOf, VERSION_DIGITS } from './record'

const versionOf = (value: string) => value.slice(0, VERSION_DIGITS)

/**
 * Publishes a committed change. Where Redis holds a newer record than that, MySQL is asked: it holds one as new, unless it was
 * put back to an older copy. Then what MySQL holds counts.
 * @param number as for `Registry.publish`, as is `isBackground`
 * @throws when Redis did not take it, or MySQL does not answer
 */
export async function publishReconciled(
  registry: Registry,
  db: SqlGateway,
  change: Change,
  number: number | null,
  isBackground = false,
): Promise<void> {
  if (await registry.publish(change, number, { isBackground })) return
  const { record } = await registry.lookup(change.full)
  if (record !== null) await reconcile(registry, db, new Map([[change.full, record]]))
}

/**
 * Has what MySQL holds take the place of records that are newer, or of links that it does not know.
 * @param held records by full short URL, as Redis held them just now: what it holds was committed before, so MySQL, asked after,
 *   has nothing older unless it was put back to an older copy
 * @returns how many there were
 * @throws as `publishReconciled`
 */
export async function reconcile(registry: Registry, db: SqlGateway, held: ReadonlyMap<string, string>): Promise<number> {
  const truth = await readRecords(db, [...held.keys()])
  const reconciled = await Promise.all(
    [...held].map(async ([full, value]) => {
      const known = truth.get(full)
      if (!known) return registry.forget(full, value).then(() => 1)
      const current = changeOf(full, known)
      if (versionOf(current.value) >= versionOf(value)) return 0
      await registry.publish(current, null, { over: value })
      return 1
    }),
  )
  return reconciled.reduce((sum: number, one) => sum + one, 0)
}
