import { literal } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlTransaction } from '@/lib/db/sql'
import { compare, dayOf, type StoredClick } from './tally'

/** Rows of one statement. */
const ROWS = 500

/** Someone on a link on a day. */
interface Visitor {
  linkId: bigint
  day: number
  visitor: string
}

const COLUMNS = ['day', 'linkId', 'visitor'] as const

/** Remembers who comes for the first time on a day. @returns the first clicks of those */
export async function registerVisitors(tx: SqlTransaction, clicks: readonly StoredClick[]): Promise<Set<StoredClick>> {
  const asked = [...pieces(firstClicks(clicks), ROWS)]
  // All are sent before the first is answered.
  const known = await Promise.all(asked.map((some) => knownOf(tx, some)))
  const unknown = asked.map((some, i) => some.filter((one) => !known[i]?.has(keyOf(one))))
  await Promise.all(unknown.map((some) => tx.insert('ClickVisitor', COLUMNS, some.map(rowOf))))
  return new Set(unknown.flat().map(({ click }) => click))
}

const rowOf = ({ day, linkId, visitor }: Visitor) => ({ day, linkId, visitor: { hex: visitor } })

/** The first click of each person on a link in a day, in the order of the table's key, for the same reason as the rollups. */
function firstClicks(clicks: readonly StoredClick[]): (Visitor & { click: StoredClick })[] {
  const found = new Map<bigint, Map<string, Visitor & { click: StoredClick }>>()
  for (const click of clicks) {
    if (click.facts.kind !== 'person') continue
    const { linkId, visitor } = click
    const day = dayOf(click.at)
    const ofLink = found.get(linkId) ?? new Map<string, Visitor & { click: StoredClick }>()
    if (ofLink.size === 0) found.set(linkId, ofLink)
    const key = `${day}|${visitor}`
    if (!ofLink.has(key)) ofLink.set(key, { linkId, day, visitor, click })
  }
  return [...found.values()]
    .flatMap((ofLink) => [...ofLink.values()])
    .sort((a, b) => a.day - b.day || compare(a.linkId, b.linkId) || compare(a.visitor, b.visitor))
}

/** Keys of those who were seen before. By a join: an IN over rows of three columns takes a hundred times as long. */
async function knownOf(tx: SqlTransaction, asked: readonly Visitor[]): Promise<Set<string>> {
  const table = asked.map(({ linkId, day, visitor }, i) =>
    i === 0
      ? `SELECT ${linkId} AS l,${day} AS d,${literal({ hex: visitor })} AS v`
      : `SELECT ${linkId},${day},${literal({ hex: visitor })}`,
  )
  const rows = await tx.rows<Visitor>(
    `SELECT v.linkId, v.day, LOWER(HEX(v.visitor)) AS visitor FROM (${table.join(' UNION ALL ')}) AS asked
     JOIN ClickVisitor v ON v.linkId = asked.l AND v.day = asked.d AND v.visitor = asked.v`,
    [],
  )
  return new Set(rows.map(keyOf))
}

const keyOf = ({ linkId, day, visitor }: Visitor) => `${linkId}|${day}|${visitor}`
