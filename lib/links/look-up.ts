import { booleanQuery, likePattern } from '@/lib/db/full-text'
import { isTerseError } from '@/lib/errors'
import type { LinkContext } from './context'
import { all, condition, type Key } from './order'
import { fits, force, type Plan, type Row } from './window'

/** The newest links in which the words are counted, to tell the rare ones, and how many may have a rare one. */
const SAMPLE = 1_000
const RARE = 20

/**
 * The words of a search that few links have. One that every link has, such as `https`, would cost the index a second, and
 * the links that have the rare ones are soon looked through for it.
 */
async function rareWords(ctx: LinkContext, plan: Plan, words: readonly string[]): Promise<string[]> {
  if (words.length === 1) return [...words]
  const { sql, values } = all(plan.range)
  const counts = words.map((_, i) => `COUNT(CASE WHEN searchText LIKE ? THEN 1 END) AS w${i}`).join(', ')
  const [row] = await ctx.db.rows<Record<string, bigint | number>>(
    `SELECT ${counts} FROM (
       SELECT searchText FROM Link ${force(plan)} WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT ${SAMPLE}) AS newest`,
    ...words.map(likePattern),
    ...values,
  )
  return words.filter((_, i) => Number(row?.[`w${i}`] ?? 0) <= RARE)
}

/** What the full-text index knows of the rest of the list; null when it cannot tell, or takes too long. */
export async function lookUp(
  ctx: LinkContext,
  plan: Plan,
  indexable: readonly string[],
  after: Key,
  limit: number,
): Promise<{ keys: Key[]; next: Key | null } | null> {
  const words = booleanQuery(await rareWords(ctx, plan, indexable))
  if (words === null) return null
  const match = condition('MATCH(searchText) AGAINST(? IN BOOLEAN MODE)', words)
  const { sql, values } = all([match, ...plan.range, plan.order.behind(after), ...plan.filters])
  try {
    const rows = await ctx.db.scanWithin<Row>(
      plan.reach.index,
      `id, clicks, searchText AS text FROM Link WHERE ${sql} ORDER BY ${plan.order.sql} LIMIT ${limit + 1}`,
      ...values,
    )
    const keys = rows.filter((row) => fits(plan, row))
    if (keys.length > limit) return { keys: keys.slice(0, limit), next: keys[limit - 1] ?? null }
    return { keys, next: rows.length > limit ? (rows.at(-1) ?? null) : null }
  } catch (error) {
    if (isTerseError(error) && error.code === 'unavailable' && ctx.db.breakerState === 'closed') return null
    throw error
  }
}
