import type { Actor } from '@/lib/actor'
import { CLOCKS_APART, firstIdAt } from '@/lib/db/id'
import { sqlTime } from '@/lib/db/time'
import type { Domains } from '@/lib/domains/domains'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { mayHold } from '@/lib/search/text'
import { sha256 } from '@/lib/tools/hash'
import { HEALTH_NUMBERS, HEALTH_STATES } from './health'
import { HEALTH_HASH } from './health-hash'
import { type Condition, condition } from './order'
import type { ListLinks } from './schemas'
import type { LinkKind, LinkState } from './values'

/** Whose links, and where: what is left out does not matter. */
export interface LinkScope {
  /** null: links without an account. */
  ownerId?: string | null
  manageTokenHash?: Uint8Array
  domainId?: number
  /** The list is for this owner, who filed these links: those that are archived are left out unless they are asked for. */
  isOwn?: true
  /** What each link must fulfil besides, of its own row. */
  also?: readonly Condition[]
}

/** The links that an actor may manage. @throws TerseError 'unauthorized' for one who can manage none */
export function managedBy(actor: Actor): LinkScope {
  if (actor.ownerId !== null) return { ownerId: actor.ownerId, isOwn: true }
  if (actor.manageToken !== null) return { manageTokenHash: sha256(actor.manageToken) }
  throw new TerseError('unauthorized', say('api.auth.signInOrToken'))
}

/** How the links of a list are found. */
export interface Place {
  /** The index that lists them in their order. */
  index: string
  /** Where in it they are: its first columns. */
  range: Condition[]
  /** What else tells whose they are, and where: not in the index, so it is looked at link by link. */
  rest: Condition[]
}

/** @returns where the links of a list lie: under the narrowest of what is asked for */
export function placeOf(scope: LinkScope, sort: ListLinks['sort']): Place {
  const byClicks = sort === 'clicks'
  const owner = ownerCondition(scope)
  const token = scope.manageTokenHash ? [condition('manageTokenHash = ?', Buffer.from(scope.manageTokenHash))] : []
  const domain = scope.domainId === undefined ? [] : [condition('domainId = ?', scope.domainId)]
  // A token manages few links: they may be sorted.
  if (token.length > 0) return { index: 'Link_manageTokenHash_idx', range: token, rest: [...owner, ...domain] }
  if (owner.length > 0) {
    return { index: byClicks ? 'Link_ownerId_clicks_id_idx' : 'Link_ownerId_id_idx', range: owner, rest: domain }
  }
  if (byClicks) return { index: 'Link_clicks_id_idx', range: [], rest: domain }
  return domain.length > 0
    ? { index: 'Link_domainId_id_idx', range: domain, rest: [] }
    : { index: 'PRIMARY', range: [], rest: [] }
}

function ownerCondition({ ownerId }: LinkScope): Condition[] {
  if (ownerId === undefined) return []
  return [ownerId === null ? condition('ownerId IS NULL') : condition('ownerId = ?', ownerId)]
}

/** Where in the index of this order the list begins and ends, so that nothing beyond is looked at. */
export function bounds(query: ListLinks, id = 'id'): Condition[] {
  const conditions: Condition[] = []
  if (query.sort === 'clicks') {
    if (query.minClicks !== undefined) conditions.push(condition('clicks >= ?', query.minClicks))
    if (query.maxClicks !== undefined) conditions.push(condition('clicks <= ?', query.maxClicks))
    return conditions
  }
  const { above } = idsOf(query)
  if (above !== null) conditions.push(condition(`${id} > ?`, above))
  return conditions
}

/**
 * Beyond which id the links of a list are: ids grow with time, and only imported links were created long before they
 * got theirs.
 */
export const idsOf = ({ from }: ListLinks): { above: bigint | null; below: null } => ({
  above: from === undefined ? null : firstIdAt(Date.parse(from) - CLOCKS_APART) - 1n,
  below: null,
})

/** What a link must fulfil besides; empty when every link will do. */
export function filters(query: ListLinks, terms: readonly string[], now: number, domains: Pick<Domains, 'spoken'>): Condition[] {
  const conditions = query.state === undefined ? [] : [ofState(query.state, sqlTime(now))]
  if (query.kind !== undefined) conditions.push(ofKind(query.kind, domains))
  if (query.health !== undefined) conditions.push(ofHealth(query.health))
  if (query.from !== undefined) conditions.push(condition('createdAt >= ?', sqlTime(Date.parse(query.from))))
  if (query.to !== undefined) conditions.push(condition('createdAt < ?', sqlTime(Date.parse(query.to))))
  if (query.minClicks !== undefined) conditions.push(condition('clicks >= ?', query.minClicks))
  if (query.maxClicks !== undefined) conditions.push(condition('clicks <= ?', query.maxClicks))
  return terms.length > 0 ? [...conditions, mayHold(terms)] : conditions
}

/** The same as `kindOf` in view.ts, in SQL. */
function ofKind(kind: LinkKind, { spoken }: Pick<Domains, 'spoken'>): Condition {
  const ids = spoken.map(({ id }) => id)
  const isSpoken = ids.length === 0 ? 'FALSE' : `domainId IN (${ids.join(', ')}) AND code REGEXP '^[0-9]{1,6}$'`
  return condition(kind === 'spoken' ? isSpoken : `NOT (${isSpoken})`)
}

/** Found of the destinations that the link has now: one look into a table by its key. */
function ofHealth(health: NonNullable<ListLinks['health']>): Condition {
  const states = health === 'any' ? HEALTH_STATES : [health]
  const numbers = states.map((state) => HEALTH_NUMBERS[state]).join(', ')
  return condition(
    `EXISTS (SELECT 1 FROM LinkHealth AS found WHERE found.linkId = Link.id AND found.urlHash = ${HEALTH_HASH} AND found.state IN (${numbers}))`,
  )
}

const STARTED = "state = 'active' AND (startsAt IS NULL OR startsAt <= ?)"

/** The same as `stateOf` in view.ts, in SQL. */
function ofState(state: LinkState, now: string): Condition {
  switch (state) {
    case 'scheduled':
      return condition("state = 'active' AND startsAt > ?", now)
    case 'expired':
      return condition(`${STARTED} AND (expiresAt <= ? OR taken >= maxClicks)`, now, now)
    case 'active':
      return condition(
        `${STARTED} AND (expiresAt IS NULL OR expiresAt > ?) AND (maxClicks IS NULL OR taken < maxClicks)`,
        now,
        now,
      )
    default:
      return condition('state = ?', state)
  }
}
