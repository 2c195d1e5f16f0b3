import type { Change } from '@/lib/codes/registry'
import type { Link } from '@/lib/db/generated/client'
import { type PreviewSource, previewIn } from '@/lib/previews/values'
import { Routing } from '@/lib/routing/routing'

/** What a redirect needs to know of a link: what the caches hold. Times in ms since 1970, UTC. */
export interface LinkRecord {
  kind: 'link'
  id: string
  version: string
  url: string
  title: string
  status: number
  state: string
  /** Why it was banned; '' when it was not, or for no reason given. */
  banReason: string
  startsAt: number | null
  expiresAt: number | null
  expiredUrl: string | null
  maxClicks: number | null
  passwordHash: string | null
  routing: Routing | null
  /** Whose words apps show of it; null: they are redirected. */
  preview: PreviewSource | null
}

/** Where a link was. */
export interface Tombstone {
  kind: 'tombstone'
  version: string
  deletedAt: number
  /** It was here by mistake: an old shortener is asked for it as for one that never was. */
  isUndone?: true
}

export type CachedRecord = LinkRecord | Tombstone

/** The columns to select for `toRecord`. */
export const RECORD_COLUMNS = {
  id: true,
  version: true,
  url: true,
  title: true,
  redirectStatus: true,
  state: true,
  banReason: true,
  startsAt: true,
  expiresAt: true,
  expiredUrl: true,
  maxClicks: true,
  passwordHash: true,
  routing: true,
  preview: true,
} as const

export type LinkRow = Pick<Link, keyof typeof RECORD_COLUMNS>

export function toRecord(row: LinkRow): LinkRecord {
  return {
    kind: 'link',
    id: row.id.toString(),
    version: row.version.toString(),
    url: row.url,
    title: row.title,
    status: row.redirectStatus,
    state: row.state,
    banReason: row.banReason,
    startsAt: row.startsAt?.getTime() ?? null,
    expiresAt: row.expiresAt?.getTime() ?? null,
    expiredUrl: row.expiredUrl,
    maxClicks: row.maxClicks,
    passwordHash: row.passwordHash,
    routing: Routing.of(row.routing),
    preview: previewIn(row.preview)?.source ?? null,
  }
}

export function toTombstone(row: { version: bigint; deletedAt: Date; undoneBy: string | null }): Tombstone {
  const { version, deletedAt, undoneBy } = row
  const tombstone: Tombstone = { kind: 'tombstone', version: version.toString(), deletedAt: deletedAt.getTime() }
  return undoneBy === null ? tombstone : { ...tombstone, isUndone: true }
}

export const VERSION_DIGITS = 19

/** Whether version `a` is older than `b`. Both in decimal digits, with or without zeros before them. */
export function isOlder(a: string, b: string): boolean {
  return a.padStart(VERSION_DIGITS, '0') < b.padStart(VERSION_DIGITS, '0')
}

/**
 * Text for Redis: the version in 19 digits, which the scripts compare, then JSON without what is default.
 * A record that this release cannot read is treated as not there, so the shape may change freely.
 */
export function encodeRecord(record: CachedRecord): string {
  const version = record.version.padStart(VERSION_DIGITS, '0')
  if (record.kind === 'tombstone') return version + JSON.stringify({ d: record.deletedAt, n: record.isUndone && 1 })
  return (
    version +
    JSON.stringify({
      i: record.id,
      u: record.url,
      t: record.title || undefined,
      r: record.status === 302 ? undefined : record.status,
      s: record.state === 'active' ? undefined : record.state,
      b: record.banReason || undefined,
      a: record.startsAt ?? undefined,
      e: record.expiresAt ?? undefined,
      x: record.expiredUrl ?? undefined,
      m: record.maxClicks ?? undefined,
      p: record.passwordHash ?? undefined,
      // Always: a record without it is of a release that did not know of rules, and left them out.
      g: record.routing?.text ?? 0,
      w: record.preview ?? undefined,
    })
  )
}

interface Encoded {
  i?: string
  u?: string
  t?: string
  r?: number
  s?: string
  b?: string
  a?: number
  e?: number
  x?: string
  m?: number
  p?: string
  g?: string | 0
  w?: PreviewSource
  d?: number
  n?: 1
}

/** The record in `text`, or null when it cannot be read. */
export function decodeRecord(text: string): CachedRecord | null {
  const version = text.slice(0, VERSION_DIGITS).replace(/^0+(?=\d)/, '')
  let fields: Encoded
  try {
    fields = (JSON.parse(text.slice(VERSION_DIGITS)) ?? {}) as Encoded
  } catch {
    return null
  }
  if (typeof fields.d === 'number') {
    return { kind: 'tombstone', version, deletedAt: fields.d, ...(fields.n && { isUndone: true as const }) }
  }
  if (typeof fields.i !== 'string' || typeof fields.u !== 'string' || fields.g === undefined) return null
  return {
    kind: 'link',
    id: fields.i,
    version,
    url: fields.u,
    title: fields.t ?? '',
    status: fields.r ?? 302,
    state: fields.s ?? 'active',
    banReason: fields.b ?? '',
    startsAt: fields.a ?? null,
    expiresAt: fields.e ?? null,
    expiredUrl: fields.x ?? null,
    maxClicks: fields.m ?? null,
    passwordHash: fields.p ?? null,
    routing: Routing.of(fields.g || null),
    preview: fields.w ?? null,
  }
}

/** A record as the registry publishes it. */
export function changeOf(full: string, record: CachedRecord): Change {
  return { full, value: encodeRecord(record), freedAt: record.kind === 'tombstone' ? record.deletedAt : null }
}
