import type { DatabaseGateway } from '@/lib/db/gateway'
import type { LinkClicks } from '@/lib/stats/top'
import type { Scope } from './scope'

/** Up to this many clicked links are added up for each request. For more, sums are kept. */
export const MOST_LINKS = 100
/** How many links of a scope are read to find them. */
const MOST_LOOKED = 1_000

interface Row {
  id: bigint
  /** null if the link is in the bin, or belongs to someone else. */
  clicks: bigint | null
}

const membersOf = (rows: readonly Row[]): LinkClicks[] => rows.map(({ id, clicks }) => ({ id, clicks: Number(clicks ?? 0) }))
const isClicked = ({ clicks }: LinkClicks) => clicks > 0

/** SQL for the clicks of a link: 0 for one on another domain, so that no read has to pass over many such links. */
const clicksOn = ({ kind, subject }: Scope) => (kind === 'domain' ? `IF(domainId = ${subject}, clicks, 0)` : 'clicks')

/**
 * The next links of a scope in order of ID. Links that no longer belong to it may be among them, with 0 clicks.
 * @throws TerseError 'unavailable'
 */
export async function membersAfter(db: DatabaseGateway, scope: Scope, after: bigint, count: number): Promise<LinkClicks[]> {
  if (scope.kind === 'label')
    return membersOf(
      await db.rows<Row>(
        `SELECT held.linkId AS id, Link.clicks AS clicks
           FROM (SELECT linkId FROM LinkLabel WHERE labelId = ? AND linkId > ? ORDER BY linkId LIMIT ${count}) AS held
           LEFT JOIN Link ON Link.id = held.linkId AND Link.ownerId = ? ORDER BY held.linkId`,
        ...[scope.subject, after, scope.ownerId],
      ),
    )
  return membersOf(
    await db.rows<Row>(
      `SELECT id, ${clicksOn(scope)} AS clicks FROM Link FORCE INDEX (Link_ownerId_id_idx)
        WHERE ownerId = ? AND id > ? ORDER BY id LIMIT ${count}`,
      ...[scope.ownerId, after],
    ),
  )
}

/**
 * The links of a scope that were ever clicked, the most clicked first.
 * @returns null if there are more than `MOST_LINKS`, or if finding them would read more than `MOST_LOOKED` links
 * @throws TerseError 'unavailable'
 */
export async function fewMembers(db: DatabaseGateway, scope: Scope): Promise<LinkClicks[] | null> {
  const most = scope.kind === 'all' ? MOST_LINKS : MOST_LOOKED
  const looked = scope.kind === 'label' ? await membersAfter(db, scope, -1n, most + 1) : await mostClicked(db, scope, most + 1)
  const members = looked.filter(isClicked)
  if (looked.length > most || members.length > MOST_LINKS) return null
  return members.sort((a, b) => b.clicks - a.clicks)
}

/**
 * The links of a scope with the most clicks, up to `MOST_LINKS`: of a label with very many links, those among its first.
 * @throws TerseError 'unavailable'
 */
export async function mostClickedMembers(db: DatabaseGateway, scope: Scope): Promise<LinkClicks[]> {
  const most = scope.kind === 'all' ? MOST_LINKS : MOST_LOOKED
  const looked = scope.kind === 'label' ? await membersAfter(db, scope, -1n, most) : await mostClicked(db, scope, most)
  return looked
    .filter(isClicked)
    .sort((a, b) => b.clicks - a.clicks)
    .slice(0, MOST_LINKS)
}

/** The clicked links of an account, the most clicked first: an index skips the others. */
async function mostClicked(db: DatabaseGateway, scope: Scope, count: number): Promise<LinkClicks[]> {
  return membersOf(
    await db.rows<Row>(
      `SELECT id, ${clicksOn(scope)} AS clicks FROM Link FORCE INDEX (Link_ownerId_clicks_id_idx)
        WHERE ownerId = ? AND Link.clicks > 0 ORDER BY Link.clicks DESC, id DESC LIMIT ${count}`,
      scope.ownerId,
    ),
  )
}

/** Which of these links are in the scope now. @throws TerseError 'unavailable' */
export async function stillMembers(db: DatabaseGateway, scope: Scope, ids: readonly bigint[]): Promise<Set<bigint>> {
  if (ids.length === 0) return new Set()
  const [also, values] =
    scope.kind === 'label'
      ? [
          'AND (SELECT held.labelId FROM LinkLabel AS held WHERE held.labelId = ? AND held.linkId = Link.id) IS NOT NULL',
          [scope.subject],
        ]
      : scope.kind === 'domain'
        ? ['AND domainId = ?', [scope.subject]]
        : ['', []]
  const rows = await db.rows<{ id: bigint }>(
    `SELECT id FROM Link WHERE id IN (?) AND ownerId = ? ${also}`,
    ...[ids, scope.ownerId, ...values],
  )
  return new Set(rows.map(({ id }) => id))
}
