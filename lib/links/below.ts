import type { Domains } from '@/lib/domains/domains'
import type { TerseError } from '@/lib/errors'
import { codesAbove } from '@/lib/redirect/path'
import { Routing } from '@/lib/routing/routing'
import { isManager, type Manager } from './access'
import { codeBelow } from './code-claims'
import type { LinkContext } from './context'
import { quarantineEnd, STRANGER } from './former'
import { fromSnapshot } from './snapshot'

/**
 * A link that takes paths answers for all addresses below its code. Another link there would take its address from it, so only
 * who may manage the upper link can put one there, or bring one back. One that was there before the upper link took paths stays.
 */

type Context = Pick<LinkContext, 'config' | 'db' | 'domains'>

/** An address of a link: its domain, and its code as that domain keeps it. */
export interface Place {
  host: string
  code: string
}

/** A link that takes paths, or a deleted one whose code rests. */
interface Upper {
  code: string
  ownerId: string | null
  manageTokenHash: Uint8Array | null
}

interface Row extends Upper {
  fullShortUrl: string
  routing: string | null
  /** Of a deleted link. */
  snapshot: string | null
  deletedAt: Date | null
}

/** The paths of a deleted link rest as its code does. */
const UPPER = `SELECT fullShortUrl, code, ownerId, manageTokenHash, routing, NULL AS snapshot, NULL AS deletedAt
    FROM Link WHERE fullShortUrl IN (?) AND routing IS NOT NULL
   UNION ALL
  SELECT fullShortUrl, code, ownerId, manageTokenHash, NULL, snapshot, deletedAt FROM DeletedLink WHERE fullShortUrl IN (?)`

/** Whether a link answers for the paths below its code. @param routing as it is stored */
export const takesPaths = (routing: string | null): boolean => Routing.of(routing)?.takesPaths ?? false

/** The names of the links that may answer for a path, the nearest first. @param path as it came, without the query */
export const namesAbove = (domains: Pick<Domains, 'namesOf' | 'isSpoken'>, host: string, path: string): string[] =>
  codesAbove(path, (code) => domains.isSpoken(host, code)).flatMap(({ code }) => domains.namesOf(host, code))

/**
 * Why links cannot have these addresses: someone else's link answers for them. One statement for all, and none where no code has
 * a slash.
 * @returns what is wrong with each; null: nothing
 * @throws TerseError 'unavailable'
 */
export async function refusalsBelow(ctx: Context, by: Manager, places: readonly Place[]): Promise<(TerseError | null)[]> {
  const above = places.map(({ host, code }) => (code.includes('/') ? namesAbove(ctx.domains, host, encodeURI(`/${code}`)) : []))
  const uppers = await uppersOf(ctx, [...new Set(above.flat())])
  return above.map((names) => {
    const nearest = names.flatMap((name) => uppers.get(name) ?? [])[0]
    return nearest && !isManager(by, nearest) ? codeBelow(nearest.code) : null
  })
}

/** Refuses one such address. @throws TerseError 'conflict', 'unavailable' */
export async function requireOwnPath(ctx: Context, by: Manager, place: Place): Promise<void> {
  const [refusal] = await refusalsBelow(ctx, by, [place])
  if (refusal) throw refusal
}

async function uppersOf(ctx: Context, names: readonly string[]): Promise<Map<string, Upper>> {
  if (names.length === 0) return new Map()
  const rows = await ctx.db.rows<Row>(UPPER, names, names)
  const isUpper = ({ routing, snapshot, deletedAt }: Row) => {
    if (snapshot === null || deletedAt === null) return takesPaths(routing)
    // Who could have its code again at once can manage it too, and is not refused.
    const former = { deletedAt, ownerId: null, undoneBy: null }
    return quarantineEnd(ctx, former, STRANGER) !== null && takesPaths(fromSnapshot(snapshot).routing)
  }
  return new Map(rows.filter(isUpper).map((row) => [row.fullShortUrl, row]))
}
