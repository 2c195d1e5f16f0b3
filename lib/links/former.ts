import type { Link } from '@/lib/db/generated/client'
import { marks } from '@/lib/db/literal'
import type { LinkContext } from './context'
import type { Permitted } from './permit'

/** What a deleted link left of its code. */
export interface Former {
  fullShortUrl: string
  version: bigint
  deletedAt: Date
}

/** What deleted links left of these codes, by full short URL. @throws TerseError 'unavailable' */
export async function formersOf(ctx: Pick<LinkContext, 'db'>, fulls: readonly string[]): Promise<Map<string, Former>> {
  if (fulls.length === 0) return new Map()
  const rows = await ctx.db.rows<Former>(
    `SELECT fullShortUrl, version, deletedAt FROM DeletedLink WHERE fullShortUrl IN (${marks(fulls)})`,
    ...fulls,
  )
  return new Map(rows.map((row) => [row.fullShortUrl, row]))
}

/** The same of one code, or null. */
export async function formerOf(ctx: Pick<LinkContext, 'db'>, full: string): Promise<Former | null> {
  return (await formersOf(ctx, [full])).get(full) ?? null
}

/** When the quarantine of a freed code ends (ms; Infinity: never), or null when it is in none. */
export function quarantineEnd({ config }: Pick<LinkContext, 'config'>, former: Pick<Former, 'deletedAt'> | null): number | null {
  if (!former) return null
  const end = former.deletedAt.getTime() + config.CODE_REUSE_AFTER
  return end > Date.now() ? end : null
}

/**
 * A new link with a version above those of the links that had its code before. Redis, memory and copies keep the higher
 * version, and a version begins as an id, which begins as the time of a clock: that of the former link's maker may have been
 * ahead.
 */
export function above(link: Permitted<Link>, formers: readonly (Pick<Link, 'version'> | null | undefined)[]): Permitted<Link> {
  const highest = formers.reduce((most, former) => (former && former.version > most ? former.version : most), 0n)
  return highest < link.version ? link : { ...link, version: highest + 1n }
}
