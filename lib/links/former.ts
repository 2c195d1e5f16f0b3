import type { Actor } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { marks } from '@/lib/db/literal'
import type { LinkContext } from './context'
import type { Permitted } from './permit'

/** What a deleted link left of its code. */
export interface Former {
  fullShortUrl: string
  version: bigint
  deletedAt: Date
  /** Whose it was; null: nobody's. */
  ownerId: string | null
  /** The account that undid the import which created it; null: something else deleted it. */
  undoneBy: string | null
}

/** Who wants a code. */
export interface Taker {
  /** The account that asks, and the one whose link it will be. */
  accounts: readonly (string | null)[]
  /** The old shortener of the domain brings it. */
  isUpstream: boolean
}

/** Who wants the code of a new link. By itself this server creates no others than those that an old shortener has. */
export function takerOf({ ownerId: by, origin }: Pick<Actor, 'ownerId' | 'origin'>, { ownerId }: Pick<Link, 'ownerId'>): Taker {
  return { accounts: [by, ownerId].filter((id) => id !== null), isUpstream: origin.isByItself === true }
}

/** Someone of whom nothing is known. */
export const STRANGER: Taker = { accounts: [], isUpstream: false }

/** What deleted links left of these codes, by full short URL. @throws TerseError 'unavailable' */
export async function formersOf(ctx: Pick<LinkContext, 'db'>, fulls: readonly string[]): Promise<Map<string, Former>> {
  if (fulls.length === 0) return new Map()
  const rows = await ctx.db.rows<Former>(
    `SELECT fullShortUrl, version, deletedAt, ownerId, undoneBy FROM DeletedLink WHERE fullShortUrl IN (${marks(fulls)})`,
    ...fulls,
  )
  return new Map(rows.map((row) => [row.fullShortUrl, row]))
}

/** The same of one code, or null. */
export async function formerOf(ctx: Pick<LinkContext, 'db'>, full: string): Promise<Former | null> {
  return (await formersOf(ctx, [full])).get(full) ?? null
}

/**
 * When the quarantine of a freed code ends (ms; Infinity: never), or null when it is in none. What an import created and its undo
 * deleted was here by mistake: its accounts can have the code again at once, and so can the old shortener. To others it rests.
 */
export function quarantineEnd(
  { config }: Pick<LinkContext, 'config'>,
  former: Pick<Former, 'deletedAt' | 'ownerId' | 'undoneBy'> | null,
  by: Taker,
): number | null {
  if (!former || isFreeAtOnce(former, by)) return null
  const end = former.deletedAt.getTime() + config.CODE_REUSE_AFTER
  return end > Date.now() ? end : null
}

const isFreeAtOnce = ({ ownerId, undoneBy }: Pick<Former, 'ownerId' | 'undoneBy'>, { accounts, isUpstream }: Taker) =>
  undoneBy !== null && (isUpstream || accounts.includes(undoneBy) || accounts.includes(ownerId))

/**
 * A new link with a version above those of the links that had its code before. Redis, memory and copies keep the higher
 * version, and a version begins as an id, which begins as the time of a clock: that of the former link's maker may have been
 * ahead.
 */
export function above(link: Permitted<Link>, formers: readonly (Pick<Link, 'version'> | null | undefined)[]): Permitted<Link> {
  const highest = formers.reduce((most, former) => (former && former.version > most ? former.version : most), 0n)
  return highest < link.version ? link : { ...link, version: highest + 1n }
}
