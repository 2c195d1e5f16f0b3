import type { DatabaseGateway } from '@/lib/db/gateway'
import { HOUR } from '@/lib/tools/time'
import { hoursWithClicks, referrersOf } from './rollup'
import { isNamed, sourceOf } from './sources'

/**
 * The hosts that a filter by source stands for: of a name those that clicks on the links came from, else the host itself.
 * @param range ms since 1970 UTC
 * @returns null without a filter
 */
export async function hostsOf(
  db: DatabaseGateway,
  linkIds: readonly bigint[],
  source: string | undefined,
  range: { from: number; to: number },
): Promise<string[] | null> {
  if (source === undefined) return null
  if (!isNamed(source)) return [source]
  const known = await hoursWithClicks(db, linkIds)
  if (!known) return []
  const hours = { from: Math.floor(range.from / HOUR), to: Math.ceil(range.to / HOUR) }
  return (await referrersOf(db, linkIds, hours, known)).filter((host) => sourceOf(host) === source)
}
