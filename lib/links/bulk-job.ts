import { z } from 'zod'
import type { Account } from '@/lib/actor'
import { By } from '@/lib/audit/schemas'
import type { Link } from '@/lib/db/generated/client'
import { pieces } from '@/lib/db/pieces'
import { databaseTime } from '@/lib/db/time'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { failedRow, type RowOutcome } from '@/lib/jobs/row-outcome'
import type { JobKind } from '@/lib/jobs/runner'
import type { RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, findJob, type JobMaker, type JobOwner } from '@/lib/jobs/store'
import type { LabelChange } from '@/lib/labels/filing'
import { actOn, isReached } from './act'
import { type AdminBulkLinks, BulkJobFields, type BulkLinks } from './bulk-schemas'
import type { LinkContext } from './context'
import { countLinks } from './count'
import { fileOne, filingChange, isFilingAction } from './file-many'
import type { LinkScope } from './filter'
import { type Found, findAny, isDeleted, noSuchLink } from './find'
import { listWithin } from './list'
import { scopeOf } from './list-all'
import type { ListLinks } from './schemas'
import { REACH } from './window'

/** What is to be done, and by which admin; null: by the owner. */
const BulkInput = BulkJobFields.extend({
  admin: By.nullable(),
  /** When it was asked for, by the database's clock, as changes and deletions are. */
  askedAt: z.iso.datetime().optional(),
})
type BulkInput = z.infer<typeof BulkInput>

/**
 * Queues something to be done to many links, each as if it were the only one.
 * @param as an admin may do it to any link, and is written down
 * @throws TerseError 'validation_failed' when no link matches, 'forbidden', 'conflict' or 'unavailable'
 */
export async function queueBulk(
  ctx: LinkContext,
  by: JobMaker & { account: Account },
  input: BulkLinks | AdminBulkLinks,
  as: 'owner' | 'admin',
): Promise<JobView> {
  const { matching, deletedBy } = input
  // Before they are counted: who asks has seen the list by now.
  const askedAt = (await ctx.db.read(databaseTime)).toISOString()
  const ids = [...new Set(input.ids)]
  const { id, handle, email } = by.account
  const admin = as === 'owner' ? null : { account: { id, handle, email }, address: by.address ?? '' }
  const { count, more } = matching
    ? await countLinks(ctx, scopeOfJob(ctx, id, admin, matching), listOf(matching))
    : { count: deletedBy ? await countDeleted(ctx, admin ? null : id, deletedBy) : ids.length, more: false }
  if (count === 0 && !more) throw invalidField(matching ? 'matching' : 'deletedBy', say('api.link.noMatch'))
  return createJob(ctx, by, {
    kind: 'links',
    title: say(`api.job.links.${input.action}`, { count, more: more ? 'more' : 'exact' }),
    input: { reason: '', ...input, ...(input.ids && { ids }), admin, askedAt } satisfies BulkInput,
    total: more ? 0 : count,
  })
}

/** How many links a job deleted that are deleted still. @throws TerseError 'not_found' */
async function countDeleted(ctx: LinkContext, owner: JobOwner, number: string): Promise<number> {
  const { id } = await findJob(ctx, owner, number)
  return ctx.db.read((client) => client.deletedLink.count({ where: { deletedByJob: id } }))
}

type Matching = NonNullable<BulkInput['matching']>

/** Among which links those that match are looked for. */
const scopeOfJob = (ctx: LinkContext, userId: string, admin: By | null, matching: Matching): LinkScope =>
  admin ? scopeOf(ctx, matching) : { ownerId: userId, isOwn: true }

/** Links that are listed, and dealt with before others have a turn. */
const PAGE = 20
/** Rows under way at the same time. */
const AT_ONCE = 4

const listOf = ({ owner: _owner, domain: _domain, ...filters }: Matching, cursor?: string): ListLinks => ({
  ...filters,
  limit: PAGE,
  sort: 'newest',
  cursor,
})

/** Told of each link that an admin changed, for the audit log. */
export type OnAdminAction = (
  ctx: LinkContext,
  admin: By,
  action: AdminBulkLinks['action'],
  fullShortUrl: string,
  reason: string,
) => Promise<void>

export function bulkKind(onAdminAction: OnAdminAction): JobKind<LinkContext, BulkInput> {
  return {
    input: BulkInput,
    run: async (runtime, job) => {
      const ctx = job.within(runtime)
      const { action } = job.input
      const filing = isFilingAction(action) ? await filingChange(ctx, job.userId, action, job.input) : null
      const deal = (id: bigint) => oneRow(ctx, job, id, filing, onAdminAction)
      const { matching, deletedBy, ids = [] } = job.input
      if (matching) return inPages(job, (cursor) => matchingPage(ctx, job, matching, cursor), deal)
      if (deletedBy) return inPages(job, (cursor) => deletedPage(ctx, deletedBy, cursor), deal)
      return job.each(ids, (id) => deal(BigInt(id)))
    },
  }
}

/** Where a job goes on that has come to the end of the list. */
const END = 'end'

interface IdPage {
  ids: bigint[]
  nextCursor: string | null
}

/** Deals with all links of a list, page by page. Begun again after a crash it goes on with the page under way. */
async function inPages(
  job: RunningJob<BulkInput>,
  read: (cursor: string | undefined) => Promise<IdPage>,
  deal: (id: bigint) => Promise<RowOutcome>,
): Promise<void> {
  while (job.resumeAt !== END) {
    const { ids, nextCursor } = await read(job.resumeAt || undefined)
    for (const some of pieces(ids, AT_ONCE)) {
      await job.dealAtOnce(some, deal)
    }
    job.resumeAt = nextCursor ?? END
    await job.turn()
  }
}

/**
 * Links that match and were there when it was asked for. What starts or expires later than that does not match. After a crash,
 * a link that matches still is dealt with once more.
 */
async function matchingPage(ctx: LinkContext, job: Bulk, matching: Matching, cursor: string | undefined): Promise<IdPage> {
  const scope = scopeOfJob(ctx, job.userId, job.input.admin, matching)
  const now = job.row.createdAt.getTime()
  const { links, nextCursor } = await listWithin(ctx, scope, listOf(matching, cursor), now, REACH)
  return { ids: links.filter((link) => wasListed(link, job)).map(({ id }) => id), nextCursor }
}

/** Links that another job deleted. One that was restored and deleted again since bears no longer its mark. */
async function deletedPage(ctx: LinkContext, number: string, cursor = '0'): Promise<IdPage> {
  const { id: deletedByJob } = await findJob(ctx, null, number)
  const where = { deletedByJob, id: { gt: BigInt(cursor) } }
  const found = await ctx.db.read((client) =>
    client.deletedLink.findMany({ where, select: { id: true }, orderBy: { id: 'asc' }, take: PAGE }),
  )
  const ids = found.map(({ id }) => id)
  return { ids, nextCursor: ids.length === PAGE ? String(ids.at(-1)) : null }
}

type Bulk = RunningJob<BulkInput>
/** By the database's clock; null for a job that was queued before this was kept. */
const whenAsked = ({ input }: Bulk) => (input.askedAt === undefined ? null : new Date(input.askedAt))

/**
 * Whether a link was in its list when the job was asked for: of what can be restored, or of what is there. Each time is compared
 * with one of the same clock: the database's tells when a link was deleted, that of a process when a link or a job was created.
 */
const wasListed = ({ deletedAt, createdAt }: Link & { deletedAt?: Date }, job: Bulk) =>
  deletedAt ? deletedAt <= (whenAsked(job) ?? job.row.createdAt) : createdAt <= job.row.createdAt

/**
 * Whether a link that is there was changed after the job was asked for. Changes bear the database's time, and so does the asking:
 * clocks of processes that differ skip nothing. A new link bears the time of its process, which may be ahead; it is known by both
 * times being the same.
 */
function isChangedSince(found: Found, job: Bulk): boolean {
  const askedAt = whenAsked(job)
  if (askedAt === null || isDeleted(found)) return false
  return found.updatedAt > askedAt && found.updatedAt.getTime() !== found.createdAt.getTime()
}

async function oneRow(
  ctx: LinkContext,
  job: RunningJob<BulkInput>,
  id: bigint,
  filing: LabelChange | null,
  tell: OnAdminAction,
): Promise<RowOutcome> {
  const { action, reason, admin, matching } = job.input
  let target = String(id)
  try {
    const found = await findAny(ctx, id)
    // Whether it is someone else's is nobody's business.
    if (!admin && found.ownerId !== job.userId) throw noSuchLink()
    target = found.fullShortUrl
    if (filing) {
      const isNew = await fileOne(ctx, job.userId, id, filing)
      return isNew ? { target, outcome: 'done' } : { target, outcome: 'skipped', message: say('api.link.unchanged') }
    }
    if (isFilingAction(action)) throw noSuchLink()
    // After a crash, a row may come twice: what this job did before is no change by someone else, so this is asked first.
    if (isReached(found, action, reason)) return { target, outcome: 'skipped', message: say('api.link.unchanged') }
    // It was chosen by what it was then.
    if (matching && isChangedSince(found, job)) return { target, outcome: 'skipped', message: say('api.link.changedSince') }
    await actOn(ctx, admin ? { ...job.actor, isModerator: true } : job.actor, found, action, reason)
    if (admin) await tell(ctx, admin, action, target, reason)
    return { target, outcome: 'done' }
  } catch (error) {
    return failedRow(target, error)
  }
}
