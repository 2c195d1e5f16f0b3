import type { DatabaseGateway } from '@/lib/db/gateway'
import { NOW } from '@/lib/db/time'
import type { LinkClicks } from '@/lib/stats/top'
import { DAY } from '@/lib/tools/time'
import { keyOf, SCOPE_KEY, type Scope } from './scope'

/** Sums are counted again once they are older than this, in ms, … */
const FRESH = 60_000
/** … and than this many times what counting took: so counting a scope uses a twentieth of one connection at most. */
const PAUSE_FACTOR = 20

/** The most clicked links of a scope, kept with its sums. */
const KEPT_TOP = 500

/** The sums of a scope. */
export interface Sums {
  /** The link ID that their rows have in ClickRollup; null while they are counted for the first time. */
  sumId: bigint | null
  /** When that count began. */
  countedAt: Date | null
  /** How many links were clicked. */
  links: number
  /** The most clicked of them, with their clicks of all time. */
  top: LinkClicks[]
  /** How many links the next count has added up so far; null if no count is due. */
  counting: number | null
}

interface Row {
  sumId: bigint | null
  countedAt: Date | null
  took: number
  links: number
  top: string
  nextLinks: number
  dueAt: Date | null
  askedAt: Date
  now: Date
}

/** The most clicked links as the table holds them: JSON, or '' for none. */
export const topToText = (top: readonly LinkClicks[]) => JSON.stringify(top.map(({ id, clicks }) => [id.toString(), clicks]))
export const topOfText = (text: string): LinkClicks[] =>
  text === '' ? [] : (JSON.parse(text) as [string, number][]).map(([id, clicks]) => ({ id: BigInt(id), clicks }))

/** The `KEPT_TOP` most clicked links of two lists. */
export const mostClickedOf = (a: readonly LinkClicks[], b: readonly LinkClicks[]) =>
  [...a, ...b].sort((one, other) => other.clicks - one.clicks).slice(0, KEPT_TOP)

/**
 * The sums of a scope. Notes that someone asked for them: if they are old, a count is due, for ./counting.ts of any process.
 * @throws TerseError 'unavailable'
 */
export async function askForSums(db: DatabaseGateway, scope: Scope): Promise<Sums> {
  const row = (await readSums(db, scope)) ?? (await beginSums(db, scope))
  const { sumId, countedAt, took, links, top, nextLinks, now } = row
  const age = countedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - countedAt.getTime()
  const isOld = row.dueAt === null && age > Math.max(FRESH, took * PAUSE_FACTOR)
  if (isOld || now.getTime() - row.askedAt.getTime() > DAY)
    await db.change(
      `UPDATE ScopeSum SET askedAt = ${NOW}${isOld ? `, dueAt = COALESCE(dueAt, ${NOW})` : ''} WHERE ${SCOPE_KEY}`,
      ...keyOf(scope),
    )
  const isDue = isOld || row.dueAt !== null
  return { sumId, countedAt, links, top: topOfText(top), counting: isDue ? nextLinks : null }
}

/** Whether these are still the sums in use: the rows of others may be half deleted. @throws TerseError 'unavailable' */
export async function areCurrent(db: DatabaseGateway, scope: Scope, sumId: bigint): Promise<boolean> {
  const rows = await db.rows(`SELECT sumId FROM ScopeSum WHERE ${SCOPE_KEY} AND sumId = ?`, ...keyOf(scope), sumId)
  return rows.length > 0
}

async function readSums(db: DatabaseGateway, scope: Scope): Promise<Row | undefined> {
  const [row] = await db.rows<Row>(
    `SELECT sumId, countedAt, took, links, top, nextLinks, dueAt, askedAt, ${NOW} AS now FROM ScopeSum WHERE ${SCOPE_KEY}`,
    ...keyOf(scope),
  )
  return row
}

/** Another request may have begun them already. */
async function beginSums(db: DatabaseGateway, scope: Scope): Promise<Row> {
  await db.change(
    `INSERT IGNORE INTO ScopeSum (ownerId, kind, subject, top, nextTop, dueAt, askedAt) VALUES (?, ?, ?, '', '', ${NOW}, ${NOW})`,
    ...keyOf(scope),
  )
  const row = await readSums(db, scope)
  if (!row) throw new Error('the sums that were just begun are gone')
  return row
}
