import { BANNED } from '@/lib/actor'
import type { By } from '@/lib/audit/schemas'
import type { Link } from '@/lib/db/generated/client'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { TerseError } from '@/lib/errors'
import { AUTHORS } from '@/lib/history/values'
import { say } from '@/lib/i18n/message'
import type { RunningJob } from '@/lib/jobs/running-job'

/**
 * Links that came over from the old shortener of their domain, by being followed: of these a redirect is known and no more. A row
 * of `UpstreamLink` says so of each. An import knows all of it, and completes them (./complete.ts).
 */

/** Who imports links, and so may complete some. */
export interface Importer {
  id: string
  isAdmin: boolean
  /** As the audit log names it. */
  by: By
}

/** @throws TerseError 'unavailable' */
export async function importerOf(db: Pick<SqlGateway, 'rows'>, { userId, row }: RunningJob<unknown>): Promise<Importer> {
  const [user] = await db.rows<{ role: string; handle: string | null; email: string }>(
    `SELECT role, handle, email FROM User WHERE id = ? AND removal IS NULL AND NOT ${BANNED}`,
    userId,
  )
  const account = { id: userId, handle: user?.handle ?? '', email: user?.email ?? '' }
  return { id: userId, isAdmin: user?.role === 'admin', by: { account, address: row.client ?? '' } }
}

/**
 * The one place that says whose import completes a link that came over: that of its owner, to whom the old shortener's links were
 * given; and that of an admin, who may give links to any account. To all others it is somebody else's link.
 */
export const mayComplete = ({ id, isAdmin }: Importer, { ownerId }: Pick<Link, 'ownerId'>): boolean => isAdmin || ownerId === id

/** What all others are told. */
export const cameForOthers = (code: string) => new TerseError('conflict', say('api.import.ofOthers', { code }))

/** Where it is read: within a transaction or without. */
export type Rows = <Row>(sql: string, values: unknown[]) => Promise<Row[]>

/** As the driver has it. */
type LinkRow = Omit<Link, 'listed' | 'shared'> & { listed: unknown; shared: unknown }

/**
 * Those of some short links that came over, are not completed yet, and were edited by no person since: what this server does to
 * links by itself is no edit, nor is how their owner files them.
 * @param isLocked holds the links until the transaction ends
 * @returns by full short URL
 */
export async function cameOver(rows: Rows, fulls: readonly string[], isLocked = false): Promise<Map<string, Link>> {
  if (fulls.length === 0) return new Map()
  // In one order, so that two transactions never wait for each other.
  if (isLocked) await rows('SELECT id FROM Link WHERE fullShortUrl IN (?) ORDER BY id FOR UPDATE', [fulls])
  const found = await rows<LinkRow>(
    `SELECT l.* FROM Link AS l STRAIGHT_JOIN UpstreamLink AS u ON u.linkId = l.id
      WHERE l.fullShortUrl IN (?) AND u.jobId IS NULL
        AND NOT EXISTS (SELECT 1 FROM LinkChange AS c WHERE c.linkId = l.id AND c.version > u.version AND c.byKind <> ${AUTHORS.system})`,
    [fulls],
  )
  return new Map(found.map((row) => [row.fullShortUrl, linkOf(row)]))
}

const linkOf = (row: LinkRow): Link => ({ ...row, listed: Boolean(row.listed), shared: Boolean(row.shared) })

/** Links by id, held until the transaction ends. */
export async function lockedLinks(rows: Rows, ids: readonly bigint[]): Promise<Map<bigint, Link>> {
  if (ids.length === 0) return new Map()
  const found = await rows<LinkRow>('SELECT * FROM Link WHERE id IN (?) ORDER BY id FOR UPDATE', [ids])
  return new Map(found.map((row) => [row.id, linkOf(row)]))
}
