import { foldCode } from '@/lib/codes/fold'
import type { Transaction } from '@/lib/db/client'
import { isRetryable, isUniqueViolation } from '@/lib/db/errors'
import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { noteEvents } from '@/lib/events/outbox'
import type { FieldChange } from '@/lib/history/changes'
import { say } from '@/lib/i18n/message'
import { outboxRow } from '@/lib/redirect/outbox'
import { type CachedRecord, toRecord, toTombstone } from '@/lib/redirect/record'
import { commit } from './announce'
import { refusalsBelow } from './below'
import { becomesWord } from './code-collisions'
import type { LinkContext } from './context'
import { isHeard, linkEvents, tellLateOf } from './events'
import { formerOf } from './former'
import { noteEdit } from './history'
import { OURSELVES } from './permit'
import { fromSnapshot, toSnapshot } from './snapshot'
import { hostOf } from './view'

/**
 * Brings the codes of links to the form that their domain keeps from now on. Meanwhile a link is found under one of its
 * two names (`Domains.namesOf`). A row is renamed by one transaction, and left alone by a second try: a process may die anywhere.
 */

/** 'renamed': something changed. 'kept': there was nothing to rename, or it cannot be. 'taken': another link has the name. */
export type Renamed = 'renamed' | 'kept' | 'taken'

/** How a renamed row is written. @returns null when someone else was first */
interface Renaming<Row> {
  id: bigint
  from: string
  to: string
  write: (tx: Transaction) => Promise<Row | null>
  recordOf: (row: Row) => CachedRecord
}

/**
 * Gives a link the folded form of its code, also where that of a deleted link rests: whoever typed that would reach this one.
 * @throws TerseError 'unavailable'
 */
export async function renameLink(ctx: LinkContext, id: bigint): Promise<Renamed> {
  const link = await ctx.db.read((client) => client.link.findUnique({ where: { id } }))
  const names = link && namesOf(link)
  if (!names) return 'kept'
  const { code, from, to } = names
  const former = await formerOf(ctx, to)
  const highest = former && former.version > link.version ? former.version : link.version
  const next: Link = { ...link, code, fullShortUrl: to, version: highest + 1n }
  const isTold = await isHeard(ctx, 'link.changed', link.ownerId)
  const changed = ['code', 'shortUrl']
  let changes: FieldChange[] = []
  let renamed = null as Link | null
  const write = async (tx: Transaction) => {
    const written = { ...next, updatedAt: await databaseTime(tx) }
    const { version, updatedAt } = written
    const data = { code, fullShortUrl: to, version, updatedAt }
    const { count } = await tx.link.updateMany({ where: { id, version: link.version }, data })
    if (count === 0) return null
    changes = await noteEdit(tx, OURSELVES, link, written)
    if (isTold) await noteEvents(tx, linkEvents(ctx, 'link.changed', [written], { changed, changes }))
    renamed = written
    return written
  }
  const outcome = await rename(ctx, { id, from, to, write, recordOf: toRecord })
  if (outcome === 'renamed' && renamed) await tellLateOf(ctx, 'link.changed', isTold, renamed, { changed, changes })
  return outcome
}

/**
 * The same of a deleted link, which rests or can be restored. Where another has the name, it stays as it is, and cannot be
 * restored (./restore.ts). If that one is deleted too, the name rests until the later of the two no longer would. Below someone
 * else's link that takes paths it stays as it is too: else it would stand between that link and its visitors.
 */
export async function renameDeleted(ctx: LinkContext, id: bigint): Promise<Renamed> {
  const deleted = await ctx.db.read((client) => client.deletedLink.findUnique({ where: { id } }))
  const names = deleted && namesOf(deleted)
  if (!names) return 'kept'
  const { code, from, to } = names
  if (becomesWord(ctx.domains, hostOf(to), deleted.code, code)) return 'kept'
  const [refusal] = await refusalsBelow(ctx, { ownerId: deleted.ownerId }, [{ host: hostOf(to), code }])
  if (refusal) return 'kept'
  const where = { fullShortUrl: to }
  if (await ctx.db.read((client) => client.link.findUnique({ where, select: { id: true } }))) return 'kept'
  const other = await ctx.db.read((client) => client.deletedLink.findUnique({ where }))
  if (other) return restAsLong(ctx, other, deleted)
  const version = deleted.version + 1n
  const write = async (tx: Transaction) => {
    const before = fromSnapshot(deleted.snapshot)
    const snapshot = toSnapshot({ ...before, code, fullShortUrl: to })
    const data = { code, fullShortUrl: to, version, snapshot }
    const { count } = await tx.deletedLink.updateMany({ where: { id, version: deleted.version }, data })
    if (count === 0) return null
    const after = { ...before, state: 'deleted', version, updatedAt: await databaseTime(tx) }
    await noteEdit(tx, OURSELVES, { ...after, code: deleted.code }, { ...after, code, fullShortUrl: to })
    return { ...deleted, ...data }
  }
  const renamed = await rename(ctx, { id, from, to, write, recordOf: toTombstone })
  // The other was deleted at this moment: the next look finds it.
  return renamed === 'taken' ? 'renamed' : renamed
}

/** Has the name of a deleted link rest as long as that of another. */
async function restAsLong(ctx: LinkContext, link: DeletedLink, other: DeletedLink): Promise<Renamed> {
  const deletedAt = new Date(Math.max(link.deletedAt.getTime(), other.deletedAt.getTime()))
  // One that was no mistake rests for everyone.
  const undoneBy = other.undoneBy === null ? null : link.undoneBy
  if (deletedAt.getTime() === link.deletedAt.getTime() && undoneBy === link.undoneBy) return 'kept'
  const { id, fullShortUrl: full } = link
  const version = link.version + 1n
  const write = async (tx: Transaction) => {
    const { count } = await tx.deletedLink.updateMany({
      where: { id, version: link.version },
      data: { deletedAt, version, undoneBy },
    })
    return count === 0 ? null : { ...link, deletedAt, version, undoneBy }
  }
  await commit(ctx, { full, isNew: false, recordOf: toTombstone, write })
  return 'renamed'
}

/** The folded form of a code, and what it makes of its full short URL; null where it has that form. */
function namesOf({ code: typed, fullShortUrl: from }: Pick<Link, 'code' | 'fullShortUrl'>) {
  const code = foldCode(typed)
  return code === typed ? null : { code, from, to: `${hostOf(from)}/${code}` }
}

async function rename<Row>(ctx: LinkContext, { id, from, to, write, recordOf }: Renaming<Row>): Promise<Renamed> {
  // Until Redis has heard that the old name is gone, it is believed of MySQL alone.
  const gone = outboxRow(from)
  try {
    const written = await commit(ctx, {
      full: to,
      isNew: false,
      recordOf: (row) => recordOf(row as Row),
      write: async (tx) => {
        const row = await write(tx)
        if (row === null) return null
        await tx.report.updateMany({ where: { fullShortUrl: from, linkId: id }, data: { fullShortUrl: to } })
        await tx.outbox.createMany({ data: [gone] })
        return row
      },
    })
    // Someone else wrote it: the next look finds it again.
    if (written === null) return 'kept'
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    // It lost to other transactions again and again. That is no fault of the job, which goes on a moment later.
    if (isRetryable(error)) throw new TerseError('unavailable', say('api.system.database'), { retryAfter: 1, cause: error })
    throw error
  }
  ctx.lookup.invalidate(from)
  try {
    await ctx.registry.forget(from, '')
    await ctx.db.write((client) => client.outbox.deleteMany({ where: { id: gone.id } }))
  } catch (error) {
    ctx.log.warn({ err: error }, 'a renamed link waits in the outbox for Redis')
  }
  return 'renamed'
}
