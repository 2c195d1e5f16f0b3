import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { sha256 } from '@/lib/tools/hash'
import { cameForOthers, cameOver, type Importer, mayComplete } from './came-over'
import { codeTaken } from './code-claims'
import { saysMore } from './completion-changes'
import type { LinkContext } from './context'
import type { Prepared } from './create-many'
import type { Wanted } from './draft'
import type { Completing, Found } from './find-codes'
import type { SeenCodes } from './seen-codes'
import { hostOf } from './view'

/** Which link is which, of those that are asked for under codes of their own. */
interface Held {
  fullShortUrl: string
  ownerId: string | null
  urlHash: Uint8Array
}

/**
 * Refuses rows whose short link is there already, in the file or in MySQL, before anything is counted against a limit for them.
 * What comes between this and the insertion is refused by the unique index.
 * Those that came over and are completed by their row may be, as if their codes were free.
 * @param lines of the rows
 * @param reuse where rows without codes are for links that their account may have already: the position of the first
 * @throws TerseError 'unavailable'
 */
export async function screenRows(
  { db, domains, registry, rehearsed }: Pick<LinkContext, 'db' | 'domains' | 'registry' | 'rehearsed'>,
  importer: Importer,
  codes: SeenCodes,
  asked: readonly (Wanted | TerseError)[],
  lines: readonly number[],
  reuse: number | null = null,
): Promise<(Wanted | TerseError)[]> {
  const fullOf = (one: Wanted | TerseError) =>
    isTerseError(one) || one.input.code === undefined ? null : domains.fullOf(one.domain.host, one.input.code)
  const fulls = asked.flatMap((one) => fullOf(one) ?? [])
  const held = new Map<string, Held>()
  if (fulls.length > 0) {
    const rows = await db.rows<Held>('SELECT fullShortUrl, ownerId, urlHash FROM Link WHERE fullShortUrl IN (?)', fulls)
    for (const row of rows) held.set(row.fullShortUrl, row)
    // Whatever the filter knew: it is told, as by a link that is refused.
    const entries = rows.map(({ fullShortUrl: full }) => ({ full, freedAt: null }))
    if (!rehearsed && entries.length > 0) await registry.add(entries, 'current').catch(() => {})
  }
  const over = await cameOver((sql, values) => db.rows(sql, ...values), [...held.keys()])
  const own = reuse !== null ? await ownLinks(db, importer.id, asked) : null
  return asked.map((one, index) => {
    const full = fullOf(one)
    if (isTerseError(one)) return one
    if (full === null) return own ? unlessOwn(own, codes, one, (reuse ?? 0) + index + 1) : one
    const line = codes.before(full, lines[index] ?? 0)
    if (line !== null) return duplicate(line, domains.isFolded(one.domain.host))
    const link = held.get(full)
    if (!link) return one
    const ownerId = one.ownerId ?? importer.id
    const came = over.get(full)
    if (came && !mayComplete(importer, came)) return cameForOthers(one.input.code ?? '')
    if (came && saysMore(came, one.input, ownerId)) return one
    const isSame = link.ownerId === ownerId && sha256(one.input.url).equals(link.urlHash)
    return isSame ? new TerseError('conflict', say('api.import.exists', { link: full })) : codeTaken(one.input.code ?? '')
  })
}

/** Links of an account by host and destination, of those that are wanted without a code. */
async function ownLinks(
  db: LinkContext['db'],
  ownerId: string,
  asked: readonly (Wanted | TerseError)[],
): Promise<ReadonlyMap<string, string>> {
  const hashes = asked.flatMap((one) => (isTerseError(one) || one.input.code !== undefined ? [] : sha256(one.input.url)))
  if (hashes.length === 0) return new Map()
  const rows = await db.rows<Held>(
    'SELECT fullShortUrl, ownerId, urlHash FROM Link WHERE ownerId = ? AND urlHash IN (?)',
    ownerId,
    hashes,
  )
  return new Map(rows.map(({ fullShortUrl, urlHash }) => [nameOf(hostOf(fullShortUrl), urlHash), fullShortUrl]))
}

const nameOf = (host: string, urlHash: Uint8Array) => `${host} ${Buffer.from(urlHash).toString('hex')}`

/**
 * A link that is wanted without a code, unless the account has it, or a row before wants the same.
 * @param at the row's position from 1: several may be in one line
 */
function unlessOwn(own: ReadonlyMap<string, string>, codes: SeenCodes, one: Wanted, at: number): Wanted | TerseError {
  const name = nameOf(one.domain.host, sha256(one.input.url))
  const link = own.get(name)
  if (link !== undefined) return new TerseError('conflict', say('api.import.exists', { link }))
  if (codes.before(name, at) !== null) return new TerseError('conflict', say('api.import.again'))
  codes.add(name, at)
  return one
}

/** @param isFolded perhaps in other capitals */
const duplicate = (line: number, isFolded: boolean) =>
  new TerseError('conflict', say(isFolded ? 'api.import.same' : 'api.import.duplicate', { line }))

const fullOf = (found: Found | Completing): string => ('link' in found ? found.link.fullShortUrl : found.full)

/** Of rows at once that want the same code, all but the first are told which one has it. */
export function tellDuplicates(
  { domains }: Pick<LinkContext, 'domains'>,
  prepared: readonly Prepared[],
  lines: readonly number[],
): readonly Prepared[] {
  const first = new Map<string, number>()
  return prepared.map((one, index) => {
    if (isTerseError(one) || !one.found) return one
    if (!isTerseError(one.found)) {
      first.set(fullOf(one.found), lines[index] ?? 0)
      return one
    }
    const { key, values } = one.found.said
    const line = key === 'api.link.codeTaken' ? first.get(domains.fullOf(one.host, String(values?.code))) : undefined
    return line === undefined ? one : duplicate(line, domains.isFolded(one.host))
  })
}

/**
 * Of rows whose code was taken after they were screened, those that want the very link which has it: it came over while it was
 * imported, since a visitor followed it.
 * @returns what is said of them, by index
 * @throws TerseError 'unavailable'
 */
export async function cameMeanwhile(
  { db, domains }: Pick<LinkContext, 'db' | 'domains'>,
  prepared: readonly Prepared[],
): Promise<ReadonlyMap<number, TerseError>> {
  // Completed by another row, of which these are duplicates.
  const completed = new Set(
    prepared.flatMap((one) => (isTerseError(one) || !one.found || !('completes' in one.found) ? [] : one.found.full)),
  )
  const wanted = prepared.flatMap((one, index) => {
    if (isTerseError(one) || !isTerseError(one.found) || one.found.said.key !== 'api.link.codeTaken' || one.chosen === null)
      return []
    const { ownerId, url } = one.draft.row
    const full = domains.fullOf(one.host, one.chosen)
    return completed.has(full) ? [] : { index, full, ownerId, url }
  })
  if (wanted.length === 0) return new Map()
  const fulls = wanted.map(({ full }) => full)
  const rows = await db.rows<Held>('SELECT fullShortUrl, ownerId, urlHash FROM Link WHERE fullShortUrl IN (?)', fulls)
  const held = new Map(rows.map((row) => [row.fullShortUrl, row]))
  return new Map(
    wanted.flatMap(({ index, full, ownerId, url }) => {
      const link = held.get(full)
      const isSame = link && link.ownerId === ownerId && sha256(url).equals(link.urlHash)
      return isSame ? [[index, new TerseError('conflict', say('api.import.exists', { link: full }))] as const] : []
    }),
  )
}

/** Remembers the links that are created or completed, or would be. */
export function noteFound(codes: SeenCodes, prepared: readonly Prepared[], lines: readonly number[]): void {
  for (const [index, one] of prepared.entries()) {
    if (!isTerseError(one) && one.found && !isTerseError(one.found)) codes.add(fullOf(one.found), lines[index] ?? 0)
  }
}
