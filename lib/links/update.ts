import type { Actor } from '@/lib/actor'
import { isSpokenCode } from '@/lib/codes/reserved'
import type { Transaction } from '@/lib/db/client'
import type { Link } from '@/lib/db/generated/client'
import { databaseTime } from '@/lib/db/time'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { toRecord } from '@/lib/redirect/record'
import { sha256 } from '@/lib/tools/hash'
import { hashPassword } from '@/lib/tools/password'
import { commit } from './announce'
import type { LinkContext } from './context'
import { findManaged, type LinkAddress } from './find'
import { type Maker, type Permitted, permitChange } from './permit'
import type { UpdateLinkData } from './schemas'

const ATTEMPTS = 5

/**
 * Changes the named fields of a link and no others; two edits at once both take effect, one after the other.
 * @throws TerseError 'validation_failed', 'conflict', 'not_found', 'gone', 'unauthorized', 'forbidden', 'unavailable'
 */
export async function updateLink(ctx: LinkContext, actor: Actor, address: LinkAddress, input: UpdateLinkData): Promise<Link> {
  const passwordHash = input.password ? await hashPassword(input.password) : input.password
  return changeLink(
    ctx,
    actor,
    () => findManaged(ctx, actor, address, 'write'),
    (link) => {
      requireChangeable(link, input)
      return changesOf(link, input, passwordHash)
    },
  )
}

/**
 * Writes what `changes` makes of the link that `find` gives, and makes it known everywhere. Done again from the
 * beginning when someone else wrote in between.
 * @throws TerseError 'conflict' when that happens again and again, 'validation_failed', 'unavailable'; what the two throw
 */
export async function changeLink(
  ctx: LinkContext,
  by: Maker,
  find: () => Promise<Link>,
  changes: (link: Link) => Partial<Link>,
): Promise<Link> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const link = await find()
    const next = { ...link, ...changes(link), version: link.version + 1n }
    const written = await replace(ctx, link, permitChange(ctx, by, link, next))
    if (written) return written
  }
  throw new TerseError('conflict', say('api.link.busy'))
}

/** The number of a spoken code goes to the next link once this one has expired: that time is promised. */
function requireChangeable(link: Link, input: UpdateLinkData): void {
  if (!isSpokenCode(link.code) || input.expiresAt === undefined) return
  if (input.expiresAt?.getTime() !== link.expiresAt?.getTime()) {
    throw invalidField('expiresAt', say('api.link.spokenLifetime'))
  }
}

function changesOf(link: Link, input: UpdateLinkData, passwordHash: string | null | undefined): Partial<Link> {
  const { url, enabled, password: _password, ...fields } = input
  const changes: Partial<Link> = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (url !== undefined) Object.assign(changes, { url, urlHash: sha256(url) })
  if (passwordHash !== undefined) changes.passwordHash = passwordHash
  // A new limit counts the clicks there were; they were not taken from it.
  if (input.maxClicks != null && link.maxClicks === null) changes.taken = Number(link.clicks)
  if (enabled !== undefined) changes.state = enabled ? 'active' : 'disabled'
  return changes
}

/** Writes `next` over `link` unless someone else wrote first, and makes it known. @returns what was written, or null */
function replace(ctx: LinkContext, link: Link, next: Permitted<Link>): Promise<Link | null> {
  // Both are counted elsewhere at the same time and must not be set back.
  const { id, clicks: _clicks, taken, ...data } = next
  const write = async (tx: Transaction) => {
    const updatedAt = await databaseTime(tx)
    const { count } = await tx.link.updateMany({
      where: { id, version: link.version, shared: link.shared },
      data: { ...data, updatedAt, ...(taken === link.taken ? {} : { taken }) },
    })
    return count === 0 ? null : { ...next, updatedAt }
  }
  return commit(ctx, { full: link.fullShortUrl, isNew: false, recordOf: toRecord, write })
}
