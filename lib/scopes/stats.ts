import type { Config } from '@/lib/config'
import { toView } from '@/lib/links/view'
import { hasBreakdowns, planOf, readsFew } from '@/lib/stats/plan'
import { countStats } from '@/lib/stats/stats'
import { type LinkClicks, topOf } from '@/lib/stats/top'
import { DAY } from '@/lib/tools/time'
import type { ScopeCounter } from './counting'
import { fewMembers, stillMembers } from './members'
import type { ScopeCounting, ScopeStats, ScopeStatsInput } from './schemas'
import { findScope, type Scope, type ScopeContext } from './scope'
import { areCurrent, askForSums } from './sums'

export interface ScopeStatsContext extends ScopeContext {
  config: Pick<Config, 'CLICK_RETENTION_DAYS'>
  scopeCounting: Pick<ScopeCounter, 'wake'>
}

/** Rows of ClickRollup that one answer reads. For a scope with more of them in the range, sums are kept. */
export const MOST_ROWS = 20_000
/** Links listed as the most clicked. */
const SHOWN = 10
/** No link has this ID: it stands for a scope without clicked links. */
const NO_LINK = -1n

/** What an answer is read from: the links themselves, or the sums kept for them. */
interface Source {
  /** Whose rows of ClickRollup are added up. */
  linkIds: readonly bigint[]
  /** Whether their single clicks can be counted too: sums have none. */
  hasSingles: boolean
  /** The sums it is; null if it is the links themselves. */
  sumId: bigint | null
  /** Links that can be among the most clicked, the most clicked of all time first. */
  candidates: readonly LinkClicks[]
  /** How many links were ever clicked. */
  links: number
  countedAt: Date | null
  counting: boolean
}

/**
 * The statistics of an account’s links, or of those with a tag, in a folder, or on a domain. The links that are there now count,
 * with all their clicks.
 * @returns the progress of counting while there are no sums yet
 * @throws TerseError 'validation_failed', 'not_found', 'unavailable'
 */
export async function getScopeStats(
  ctx: ScopeStatsContext,
  ownerId: string,
  { tag, folder, domain, ...input }: ScopeStatsInput,
  now = new Date(),
): Promise<ScopeStats | ScopeCounting> {
  const scope = await findScope(ctx, ownerId, { tag, folder, domain })
  return statsOfScope(ctx, scope, input, now)
}

/** The same of a scope that is known already. */
export async function statsOfScope(
  ctx: ScopeStatsContext,
  scope: Scope,
  input: ScopeStatsInput,
  now = new Date(),
): Promise<ScopeStats | ScopeCounting> {
  const members = await fewMembers(ctx.db, scope)
  const source = (members && (await currentSource(ctx, members, input, now))) ?? (await keptSource(ctx, scope))
  if ('counted' in source) return source
  const { linkIds, hasSingles, sumId, candidates, links, countedAt, counting } = source
  // Only a scope without clicks needs it: its page then shows the last day.
  const createdAt = new Date(now.getTime() - DAY)
  const plan = await planOf(ctx.db, { linkIds, createdAt, hasSingles }, input, ctx.config.CLICK_RETENTION_DAYS, now)
  const [stats, { top, least }] = await Promise.all([countStats(ctx.db, plan, input), topOf(ctx.db, plan, candidates, SHOWN)])
  // If new sums replaced these meanwhile, some of their rows may have been gone already.
  if (sumId !== null && !(await areCurrent(ctx.db, scope, sumId))) return statsOfScope(ctx, scope, input, now)
  return {
    ...stats,
    links,
    countedAt: countedAt?.toISOString() ?? null,
    counting,
    hasBreakdowns: hasBreakdowns(plan),
    hasClicks: members !== null,
    top: await withViews(ctx, scope, top),
    topIsComplete: candidates.length === links || least >= (candidates.at(-1)?.clicks ?? 0),
  }
}

/** The links themselves; null if they have too many clicks to be counted for each request. */
async function currentSource(
  { db }: ScopeStatsContext,
  members: readonly LinkClicks[],
  input: ScopeStatsInput,
  now: Date,
): Promise<Source | null> {
  const linkIds = members.length === 0 ? [NO_LINK] : members.map(({ id }) => id)
  if (!(await readsFew(db, linkIds, input, MOST_ROWS, now))) return null
  return { linkIds, hasSingles: true, sumId: null, candidates: members, links: members.length, countedAt: null, counting: false }
}

async function keptSource({ db, scopeCounting }: ScopeStatsContext, scope: Scope): Promise<Source | ScopeCounting> {
  const { sumId, links, top, countedAt, counting } = await askForSums(db, scope)
  if (counting !== null) scopeCounting.wake()
  if (sumId === null) return { counted: counting ?? 0 }
  return { linkIds: [sumId], hasSingles: false, sumId, candidates: top, links, countedAt, counting: counting !== null }
}

/** The links as the API shows them, without those that have left the scope since they were counted. */
async function withViews(
  { db, domains }: ScopeStatsContext,
  scope: Scope,
  top: readonly LinkClicks[],
): Promise<ScopeStats['top']> {
  const ids = top.map(({ id }) => id)
  const [members, rows] = await Promise.all([
    stillMembers(db, scope, ids),
    db.read((client) => client.link.findMany({ where: { id: { in: ids }, ownerId: scope.ownerId } })),
  ])
  const links = new Map(rows.filter(({ id }) => members.has(id)).map((link) => [link.id, link]))
  return top.flatMap(({ id, clicks }) => {
    const link = links.get(id)
    return link ? [{ link: toView(link, domains), clicks }] : []
  })
}
