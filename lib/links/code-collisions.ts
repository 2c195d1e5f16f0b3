import murmurhash from 'murmurhash'
import { foldCode } from '@/lib/codes/fold'
import { isProtocolPath, isReservedPath } from '@/lib/codes/reserved'
import { sqlTime } from '@/lib/db/time'
import type { Domains } from '@/lib/domains/domains'
import { codesAbove } from '@/lib/redirect/path'
import { Breath } from '@/lib/tools/breath'
import type { LinkContext } from './context'

/** Codes of one statement. */
const PAGE = 5_000

/**
 * Codes that would be one, or a single one that would be a word of the application's own. Sorted. `Docs/…` stands for the paths
 * of a link that takes them, and of which another account's link would take one.
 */
export type Collision = string[]

type Context = Pick<LinkContext, 'db'>
type DomainsOf = Pick<LinkContext, 'domains'>

/**
 * Which codes of a domain's links would be the same if case made no difference. Those of deleted links stand in nobody's way
 * (./rename.ts): else anyone could keep a domain from being changed for as long as codes rest. Reads all of them three times, and
 * holds 8 bytes for each, and the codes of links that take paths.
 * @returns sorted, each set once
 * @throws TerseError 'unavailable'
 */
export async function codeCollisions(ctx: Context & DomainsOf, domainId: number): Promise<Collision[]> {
  const host = ctx.domains.hostOf(domainId)
  const suspected = await hashesOfSeveral(ctx, domainId)
  const byForm = new Map<string, Set<string>>()
  const uppers = await uppersOf(ctx, domainId)
  const below: Collision[] = []
  for await (const owned of codesOf(ctx, domainId)) {
    const { code } = owned
    const form = foldCode(code)
    const upper = form.includes('/') ? newUpperOf(owned, form, uppers, (code) => ctx.domains.isSpoken(host, code)) : undefined
    if (upper) below.push([`${upper.code}/…`, code])
    if (suspected.has(hashOf(form)) || becomesWord(ctx.domains, host, code, form))
      byForm.set(form, (byForm.get(form) ?? new Set()).add(code))
  }
  const same = [...byForm.values()]
    .map((codes) => [...codes].sort())
    .filter((codes) => codes.length > 1 || codes.some((code) => becomesWord(ctx.domains, host, code, foldCode(code))))
  return [...same, ...below].sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

/** Whether a link that is found now would not be by its folded code. */
export function becomesWord(domains: Pick<Domains, 'codeRules'>, host: string, code: string, form: string): boolean {
  const isWord = domains.codeRules(host).isBase ? isReservedPath : isProtocolPath
  return code !== form && isWord(form) && !isWord(code)
}

/** A code, and whose link has it: null for nobody's. */
interface Owned {
  code: string
  ownerId: string | null
}

/** The links of a domain that take paths, by the folded forms of their codes. */
async function uppersOf({ db }: Context, domainId: number): Promise<Map<string, Owned>> {
  const uppers = new Map<string, Owned>()
  for (let after = 0n; ; ) {
    const rows = await db.rows<Owned & { id: bigint; takesPaths: bigint | number | null }>(
      // MySQL refuses a whole statement for one text that is not JSON: whoever wrote that row, it must not stop this.
      `SELECT id, code, ownerId, CASE WHEN JSON_VALID(routing) THEN JSON_EXTRACT(routing, '$.path') IS NOT NULL END AS takesPaths
         FROM Link WHERE domainId = ? AND id > ? ORDER BY id LIMIT ${PAGE}`,
      domainId,
      after,
    )
    for (const { code, ownerId, takesPaths } of rows) if (Number(takesPaths) === 1) uppers.set(foldCode(code), { code, ownerId })
    if (rows.length < PAGE) return uppers
    after = rows.at(-1)?.id ?? after
  }
}

/** Someone else's link that a code would be below by its folded form, and is not yet (lib/links/below.ts). */
function newUpperOf(
  { code, ownerId }: Owned,
  form: string,
  uppers: ReadonlyMap<string, Owned>,
  isSpoken: (code: string) => boolean,
): Owned | undefined {
  const nearest = codesAbove(encodeURI(`/${form}`), isSpoken).flatMap((above) => uppers.get(above.code) ?? [])[0]
  if (!nearest || code.startsWith(`${nearest.code}/`)) return undefined
  return ownerId !== null && ownerId === nearest.ownerId ? undefined : nearest
}

/** Hashes that the folded forms of several codes have. */
async function hashesOfSeveral(ctx: Context, domainId: number): Promise<Set<number>> {
  let hashes = new Float64Array(PAGE)
  let count = 0
  for await (const { code } of codesOf(ctx, domainId)) {
    if (count === hashes.length) {
      const more = new Float64Array(count * 2)
      more.set(hashes)
      hashes = more
    }
    hashes[count++] = hashOf(foldCode(code))
  }
  const sorted = hashes.subarray(0, count).sort()
  return new Set(sorted.filter((hash, i) => hash === sorted[i - 1]))
}

/** 53 bits: of ten million codes two have the same by chance once in 180 times, and are then told apart. */
const hashOf = (form: string) => murmurhash.v3(form, 1) * 2 ** 21 + (murmurhash.v3(form, 2) >>> 11)

/** The codes of all links of a domain. */
async function* codesOf({ db }: Context, domainId: number): AsyncGenerator<Owned, void> {
  const breath = new Breath()
  for (let after = 0n; ; ) {
    const rows = await db.rows<Owned & { id: bigint }>(
      `SELECT id, code, ownerId FROM Link WHERE domainId = ? AND id > ? ORDER BY id LIMIT ${PAGE}`,
      domainId,
      after,
    )
    yield* rows
    if (breath.isDue) await breath.pause()
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? after
  }
}

interface Freed {
  id: bigint
  code: string
  deletedAt: Date
}

/** Deleted links of a domain, the oldest first. */
async function* freedOf({ db }: Context, domainId: number): AsyncGenerator<Freed[], void> {
  let [from, after] = [sqlTime(0), 0n]
  for (;;) {
    const rows = await db.rows<Freed>(
      `SELECT id, code, deletedAt FROM DeletedLink
       WHERE domainId = ? AND deletedAt >= ? AND (deletedAt > ? OR id > ?) ORDER BY deletedAt, id LIMIT ${PAGE}`,
      domainId,
      from,
      from,
      after,
    )
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    ;[from, after] = [sqlTime(last.deletedAt.getTime()), last.id]
  }
}

/** Links of a domain whose codes do not have the folded form, in pages. */
export async function* unfoldedLinks({ db }: Context, domainId: number): AsyncGenerator<Unfolded[], void> {
  for (let after = 0n; ; ) {
    const rows = await db.rows<Unfolded>(
      `SELECT id, code FROM Link WHERE domainId = ? AND id > ? ORDER BY id LIMIT ${PAGE}`,
      domainId,
      after,
    )
    yield rows.filter(isUnfolded)
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? after
  }
}

/** The same of its deleted links. */
export async function* unfoldedDeleted(ctx: Context, domainId: number): AsyncGenerator<Unfolded[], void> {
  for await (const rows of freedOf(ctx, domainId)) yield rows.filter(isUnfolded)
}

export interface Unfolded {
  id: bigint
  code: string
}

const isUnfolded = ({ code }: Unfolded) => foldCode(code) !== code
