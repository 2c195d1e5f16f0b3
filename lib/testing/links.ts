import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { DeletedLink, Link } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import type { Permitted } from '@/lib/links/permit'
import { toSnapshot } from '@/lib/links/snapshot'
import type { LinkRecord } from '@/lib/redirect/record'
import { sha256 } from '@/lib/tools/hash'

export const HOST = 'terse.test'
/** For what wants to log. */
export const SILENT = pino({ level: 'silent' })

/** A code that no other test uses. */
export const freshCode = () => randomBytes(9).toString('base64url')

/** A plain Link row, with what is given instead of its defaults. */
export function linkRow(given: Partial<Link> = {}): Permitted<Link> {
  const id = given.id ?? nextId()
  const code = given.code ?? freshCode()
  const url = given.url ?? `https://example.com/${code}`
  const now = new Date()
  const row: Link = {
    id,
    domainId: 1,
    code,
    fullShortUrl: `${HOST}/${code}`,
    url,
    urlHash: sha256(url),
    ownerId: null,
    manageTokenHash: null,
    title: '',
    redirectStatus: 302,
    passwordHash: null,
    startsAt: null,
    expiresAt: null,
    expiredUrl: null,
    routing: null,
    maxClicks: null,
    taken: 0,
    state: 'active',
    banReason: '',
    stateBeforeBan: '',
    listed: false,
    shared: false,
    clicks: 0n,
    clicksBefore: 0n,
    createdAt: now,
    updatedAt: now,
    version: id,
    historyHiddenAt: null,
    preview: null,
    ...given,
  }
  return row as Permitted<Link>
}

/** What `link` leaves behind when it is deleted. */
export function deletedRow(link: Link, deletedAt = new Date()): DeletedLink {
  const { id, domainId, code, fullShortUrl, ownerId, manageTokenHash } = link
  return {
    id,
    domainId,
    code,
    fullShortUrl,
    ownerId,
    manageTokenHash,
    version: link.version + 1n,
    deletedAt,
    deletedByJob: null,
    undoneBy: null,
    snapshot: toSnapshot(link),
  }
}

/** A plain link's record, with what is given instead of its defaults. */
export function linkRecord(given: Partial<LinkRecord> = {}): LinkRecord {
  return {
    kind: 'link',
    id: '1',
    version: '1',
    url: 'https://example.com/',
    title: '',
    status: 302,
    state: 'active',
    banReason: '',
    startsAt: null,
    expiresAt: null,
    expiredUrl: null,
    maxClicks: null,
    passwordHash: null,
    routing: null,
    preview: null,
    ...given,
  }
}
