import { auditManyIn } from '@/lib/audit/audit'
import type { Link } from '@/lib/db/generated/client'
import { runnerOf } from '@/lib/db/insert-many'
import type { SqlTransaction } from '@/lib/db/sql'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { Edited } from './announce'
import { cameForOthers, cameOver, type Importer, mayComplete } from './came-over'
import { codeTaken } from './code-claims'
import { type EarlierFiling, fileCompleted } from './complete-filing'
import { changesOf, saysMore } from './completion-changes'
import type { LinkContext } from './context'
import { type Asked, heardOf, isGiven, numbersOf, timeOf, writeEdits } from './edit-many'
import type { Completing, Seeker } from './find-codes'
import type { Edit } from './history'
import { type Maker, permitChange, resumed } from './permit'
import { toSnapshot } from './snapshot'

/** A link that came over before it was imported, and is now what its row says. */
export interface Completed {
  isNew: false
  link: Link
  /** Where it led before. */
  from: string
}

type IsCompleting = Seeker & { found: Completing }
const isCompleting = (seeker: Seeker): seeker is IsCompleting => seeker.found !== null && 'completes' in seeker.found

/**
 * Of links that an import wants and that have their codes already, those that came over are completed. Of several rows for one
 * the first does that.
 * @throws TerseError 'unavailable'
 */
export async function completeTaken(ctx: LinkContext, seekers: readonly Seeker[]): Promise<void> {
  const wanted = seekers.filter(
    ({ importer, chosen, found }) =>
      importer !== null && chosen !== null && isTerseError(found) && found.said.key === 'api.link.codeTaken',
  )
  const fullOf = ({ host, chosen }: Seeker) => ctx.domains.fullOf(host, chosen ?? '')
  const links = await cameOver((sql, values) => ctx.db.rows(sql, ...values), wanted.map(fullOf))
  const given = new Set(seekers.filter(isCompleting).map(({ found }) => found.full))
  for (const seeker of wanted) {
    const full = fullOf(seeker)
    const link = links.get(full)
    const { importer, input, draft, chosen } = seeker
    if (!link || !importer || given.has(full)) continue
    if (!mayComplete(importer, link)) {
      seeker.found = cameForOthers(chosen ?? '')
      continue
    }
    given.add(full)
    seeker.found = saysMore(link, input, draft.row.ownerId ?? '')
      ? { completes: link, full }
      : new TerseError('conflict', say('api.import.exists', { link: full }))
  }
}

/** What came of those that complete a link. */
export type Completions = ReadonlyMap<Seeker, Completed | TerseError>

/**
 * What completes links, once it is known what Redis has of them.
 * @returns what does so within a transaction, and again where MySQL asks for it
 * @throws TerseError 'unavailable'
 */
export async function completing(ctx: LinkContext, seekers: readonly Seeker[]) {
  const some = seekers.filter(isCompleting)
  if (some.length === 0) return async () => nothing()
  const heard = await heardOf(
    ctx,
    some.map(({ draft }) => draft.row.ownerId),
  )
  const numbers = await numbersOf(
    ctx,
    some.map(({ found }) => found.full),
  )
  return (tx: SqlTransaction) => completeIn(ctx, tx, some, { heard, numbers })
}

const nothing = (): { completions: Completions; edited: Edited[] } => ({ completions: new Map(), edited: [] })

async function completeIn(ctx: LinkContext, tx: SqlTransaction, some: readonly IsCompleting[], asked: Asked) {
  const fulls = some.map(({ found }) => found.full)
  const links = await cameOver((sql, values) => tx.rows(sql, values), fulls, true)
  const at = await timeOf(tx)
  const completions = new Map<Seeker, Completed | TerseError>()
  const edits: Completion[] = []
  for (const seeker of some) {
    const before = links.get(seeker.found.full)
    const edit = before ? editOf(ctx, seeker, before, at) : codeTaken(seeker.chosen ?? '')
    if (isTerseError(edit)) completions.set(seeker, edit)
    else edits.push(edit)
  }
  const filings = await fileCompleted(tx, edits)
  const filed: Completion[] = []
  for (const edit of edits) {
    const filing = filings.get(edit.before.id)
    if (isTerseError(filing)) completions.set(edit.seeker, filing)
    else filed.push(edit)
  }
  const edited = await writeEdits(ctx, tx, filed, asked)
  await keepEarlier(ctx, tx, filed, filings)
  for (const { seeker, before, after } of filed) completions.set(seeker, { isNew: false, link: after, from: before.url })
  await auditCompleted(tx, filed)
  return { completions, edited }
}

/** A link that is completed, and by which row. */
export interface Completion extends Edit {
  seeker: Seeker
}

function editOf(ctx: LinkContext, seeker: Seeker, before: Link, at: Date): Completion | TerseError {
  const { importer, input, draft, chosen } = seeker
  if (!importer || !mayComplete(importer, before)) return cameForOthers(chosen ?? '')
  const by = makerFor(importer, before)
  const changes = changesOf(before, input, draft.row.ownerId ?? '')
  try {
    const next = resumed(ctx, before, { ...before, ...changes, version: before.version + 1n, updatedAt: at })
    return { seeker, by, before, after: permitChange(ctx, by, before, next) }
  } catch (error) {
    if (isTerseError(error) && error.code !== 'unavailable') return error
    throw error
  }
}

/** The importer, as one who edits this link. */
export function makerFor({ id, by }: Importer, { ownerId }: Pick<Link, 'ownerId'>): Maker {
  const origin = { address: by.address || null, isJob: true as const }
  return { ownerId: id, origin, ...(ownerId !== id && { isModerator: true as const }) }
}

/** What a completed link was before, by which that can be undone. */
export interface Earlier extends EarlierFiling {
  /** As `toSnapshot` has it. */
  link: string
}

function keepEarlier(
  { jobId = 0n }: LinkContext,
  tx: SqlTransaction,
  edits: readonly Completion[],
  filings: ReadonlyMap<bigint, EarlierFiling | TerseError>,
): Promise<void> {
  const rows = edits.map(({ before }) => {
    const earlier: Earlier = { ...(filings.get(before.id) as EarlierFiling), link: toSnapshot(before) }
    return { linkId: before.id, version: before.version, jobId, earlier: JSON.stringify(earlier) }
  })
  const tail = 'ON DUPLICATE KEY UPDATE jobId = VALUES(jobId), earlier = VALUES(earlier)'
  return tx.insert('UpstreamLink', ['linkId', 'version', 'jobId', 'earlier'], rows, tail)
}

/** What an admin did to links of others is written down. */
async function auditCompleted(tx: SqlTransaction, edits: readonly Completion[]): Promise<void> {
  const others = edits.filter(({ by }) => by.isModerator)
  const [first] = others
  if (!first?.seeker.importer) return
  const done = others.map(({ before, after }) => ({
    target: after.fullShortUrl,
    details: isGiven({ before, after }) ? { owner: after.ownerId } : {},
  }))
  await auditManyIn(runnerOf(tx), first.seeker.importer.by, 'link.complete', done)
}
