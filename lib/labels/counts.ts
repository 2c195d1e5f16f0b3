import type { LabelContext } from './labels'

/** Links of a label that are counted. */
const MOST_COUNTED = 10_000
/** Links of a label whose clicks are added up: of more, their sum is estimated. */
const MOST_ADDED = 1_000

export interface LabelCounts {
  /** Up to 10,000. */
  links: number
  clicks: number
}

/** How many links a label has, and how many clicks these. @throws TerseError 'unavailable' */
export async function countsOfLabel({ db }: LabelContext, labelId: bigint): Promise<LabelCounts> {
  const some = (most: number) => `(SELECT linkId FROM LinkLabel WHERE labelId = ? ORDER BY linkId DESC LIMIT ${most}) AS held`
  const [added] = await db.rows<{ links: bigint | number; clicks: number | null }>(
    `SELECT COUNT(*) AS links, SUM(Link.clicks + 0e0) AS clicks FROM ${some(MOST_ADDED)} STRAIGHT_JOIN Link ON Link.id = held.linkId`,
    labelId,
  )
  const [few, clicks] = [Number(added?.links ?? 0), Number(added?.clicks ?? 0)]
  if (few < MOST_ADDED) return { links: few, clicks }
  const [counted] = await db.rows<{ links: bigint | number }>(`SELECT COUNT(*) AS links FROM ${some(MOST_COUNTED)}`, labelId)
  const links = Number(counted?.links ?? few)
  return { links, clicks: Math.round((clicks / few) * links) }
}
