import type { Actor } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import type { Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { invalidField, TerseError } from '@/lib/errors'
import { noteEvents } from '@/lib/events/outbox'
import type { FieldChange } from '@/lib/history/changes'
import { say } from '@/lib/i18n/message'
import { changesIn, filingIn, refile } from '@/lib/labels/filing'
import { ensureLabels, labelsIn } from '@/lib/labels/labels'
import { FILING_FIELDS, type Filing } from '@/lib/labels/schemas'
import { notePreview } from '@/lib/previews/note-preview'
import { toRecord } from '@/lib/redirect/record'
import { sha256 } from '@/lib/tools/hash'
import { hashPassword } from '@/lib/tools/password'
import { commit } from './announce'
import { requireOwnPath, takesPaths } from './below'
import type { LinkContext } from './context'
import { type Expected, requireSeen, requireVersion } from './etag'
import { changedFields, isHeard, linkEvents, tellLate } from './events'
import { findManaged, type LinkAddress } from './find'
import { noteEdit } from './history'
import { noteSplitEnd } from './note-split-end'
import { type Maker, type Permitted, permitChange, requireFilable, resumed } from './permit'
import type { UpdateLinkData } from './schemas'
import { hostOf, kindOf } from './view'

const ATTEMPTS = 5

/**
 * Changes the named fields of a link and no others; two edits at once both take effect, one after the other.
 * @param expected edits this version of the link only
 * @throws TerseError 'validation_failed', 'conflict', 'not_found', 'gone', 'unauthorized', 'forbidden', 'unavailable',
 *   'precondition_failed'
 */
export async function updateLink(
  ctx: LinkContext,
  actor: Actor,
  address: LinkAddress,
  input: UpdateLinkData,
  expected?: Expected,
): Promise<Link> {
  const filing = filingIn(input)
  const seen = expected && (await findManaged(ctx, actor, address, 'write'))
  if (seen) await requireSeen(ctx, actor, seen, expected)
  const isFiling = Object.keys(filing).length > 0
  // Before any tag is created for someone who may not edit this link.
  if (isFiling) requireFilable(await findManaged(ctx, actor, address, 'write'), filing)
  const also = isFiling ? await filer(ctx, actor, filing) : undefined
  if (isFiling && Object.keys(input).every((field) => field in filing)) {
    const link = await findManaged(ctx, actor, address, 'write')
    // Nothing of the link itself changes: there is nothing to make known.
    await ctx.db.atomic((tx) => also?.(tx, link) ?? Promise.resolve())
    return link
  }
  const passwordHash = input.password ? await hashPassword(input.password) : input.password
  return changeLink(
    ctx,
    actor,
    () => findManaged(ctx, actor, address, 'write'),
    (link) => {
      if (seen) requireVersion(link, seen)
      requireChangeable(ctx, link, input)
      requireFilable(link, filing)
      return changesOf(link, input, passwordHash)
    },
    also,
  )
}

type Also = (tx: Transaction, link: Link) => Promise<void>

/** What files a link, within a transaction. @throws TerseError 'validation_failed' for an account that has too many tags */
async function filer(ctx: LinkContext, { ownerId }: Actor, filing: Partial<Filing>): Promise<Also> {
  // Whose link it is, is asked once it was found.
  if (ownerId === null) return () => Promise.resolve()
  const changes = changesIn(filing, await ensureLabels(ctx, ownerId, labelsIn(filing)))
  return async (tx, link) => {
    await refile(tx, ownerId, link.id, changes, filing.comment)
  }
}

/**
 * Writes what `changes` makes of the link that `find` gives, and makes it known everywhere. Done again from the
 * beginning when someone else wrote in between.
 * @param also done in the transaction that writes it
 * @throws TerseError 'conflict' when that happens again and again, 'validation_failed', 'unavailable'; what the two throw
 */
export async function changeLink(
  ctx: LinkContext,
  by: Maker,
  find: () => Promise<Link>,
  changes: (link: Link) => Partial<Link>,
  also?: Also,
): Promise<Link> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const link = await find()
    const next = resumed(ctx, link, { ...link, ...changes(link), version: link.version + 1n })
    const permitted = permitChange(ctx, by, link, next)
    if (!by.isModerator && takesPaths(next.routing) && !takesPaths(link.routing)) {
      await requireOwnPath(ctx, by, { host: hostOf(link.fullShortUrl), code: link.code })
    }
    const written = await replace(ctx, by, link, permitted, also)
    if (written) return written
  }
  throw new TerseError('conflict', say('api.link.busy'))
}

/** The number of a spoken code goes to the next link once this one has expired: that time is promised. */
function requireChangeable({ domains }: LinkContext, link: Link, input: UpdateLinkData): void {
  if (kindOf(link, domains) !== 'spoken' || input.expiresAt === undefined) return
  if (input.expiresAt?.getTime() !== link.expiresAt?.getTime()) {
    throw invalidField('expiresAt', say('api.link.spokenLifetime'))
  }
}

function changesOf(link: Link, input: UpdateLinkData, passwordHash: string | null | undefined): Partial<Link> {
  const { url, enabled, password: _password, routing, preview, publicHistory, ...fields } = input
  const isOfLink = (name: string) => !FILING_FIELDS.some((field) => field === name)
  const said = Object.entries(fields).filter(([name, value]) => value !== undefined && isOfLink(name))
  const changes: Partial<Link> = Object.fromEntries(said)
  if (url !== undefined) Object.assign(changes, { url, urlHash: sha256(url) })
  if (routing !== undefined) changes.routing = routing && JSON.stringify(routing)
  if (preview !== undefined) changes.preview = preview && JSON.stringify(preview)
  if (passwordHash !== undefined) changes.passwordHash = passwordHash
  // A new limit counts the clicks there were; they were not taken from it.
  if (input.maxClicks != null && link.maxClicks === null) {
    changes.taken = Math.min(Number(link.clicks + link.clicksBefore), input.maxClicks)
  }
  if (enabled !== undefined) changes.state = enabled ? 'active' : 'disabled'
  if (publicHistory !== undefined) changes.historyHiddenAt = publicHistory ? null : (link.historyHiddenAt ?? new Date())
  return changes
}

/** Writes `next` over `link` unless someone else wrote first, and makes it known. @returns what was written, or null */
async function replace(ctx: LinkContext, by: Maker, link: Link, next: Permitted<Link>, also?: Also): Promise<Link | null> {
  // Both are counted elsewhere at the same time and must not be set back.
  const { id, clicks: _clicks, taken, ...data } = next
  const isTold = await isHeard(ctx, 'link.changed', link.ownerId)
  const changed = isTold ? changedFields(ctx, link, next) : []
  let changes: FieldChange[] = []
  const write = async (tx: Transaction) => {
    const updatedAt = await databaseTime(tx)
    const { count } = await tx.link.updateMany({
      where: { id, version: link.version, shared: link.shared },
      data: { ...data, updatedAt, ...(taken === link.taken ? {} : { taken }) },
    })
    if (count === 0) return null
    if (next.routing !== link.routing) await noteSplitEnd(tx, id, next.routing)
    if (next.preview !== link.preview || next.url !== link.url) await notePreview(tx, next)
    const written = { ...next, updatedAt }
    // Still what it was changed from: nobody wrote in between.
    changes = await noteEdit(tx, by, link, written)
    if (changed.length > 0) await noteEvents(tx, linkEvents(ctx, 'link.changed', [written], { changed, changes }))
    await also?.(tx, link)
    return written
  }
  const written = await commit(ctx, { full: link.fullShortUrl, isNew: false, recordOf: toRecord, write })
  if (written && !isTold) {
    await tellLate(ctx, 'link.changed', [link.ownerId], () => {
      const changed = changedFields(ctx, link, written)
      return changed.length === 0 ? [] : linkEvents(ctx, 'link.changed', [written], { changed, changes })
    })
  }
  return written
}
