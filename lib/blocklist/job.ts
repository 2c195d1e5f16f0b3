import { z } from 'zod'
import { inBatches } from '@/lib/db/batches'
import type { Link } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { sqlTime } from '@/lib/db/time'
import type { JobKind } from '@/lib/jobs/runner'
import { failedRow, type RunningJob } from '@/lib/jobs/running-job'
import { banLink, switchLink } from '@/lib/links/ban'
import type { OnAdminAction } from '@/lib/links/bulk-job'
import type { LinkContext } from '@/lib/links/context'
import { deleteFound } from '@/lib/links/delete'
import { OURSELVES } from '@/lib/links/permit'
import { Breath } from '@/lib/tools/breath'
import { BlocklistInput, findRule } from './edit'
import { BlockRules, hostOfLine } from './rules'

/** Links that are read at a time. */
const BATCH = 1_000
/** Lines that are read, and hosts that are inserted, at a time. */
const LINES = 250

type Act = Extract<BlocklistInput, { task: 'act' }>
type Import = Extract<BlocklistInput, { task: 'import' }>

/** @param tell told of each link that was changed, for the audit log */
export function blocklistKind(tell: OnAdminAction): JobKind<LinkContext, BlocklistInput> {
  return {
    input: BlocklistInput,
    run: (runtime, job) => {
      const ctx = job.within(runtime)
      return job.input.task === 'act'
        ? actOnMatches(ctx, job as RunningJob<Act>, tell)
        : importHosts(ctx, job as RunningJob<Import>)
    },
  }
}

/** Holds the rule against every link there is. Begun again, it goes on behind the last batch. */
async function actOnMatches(ctx: LinkContext, job: RunningJob<Act>, tell: OnAdminAction): Promise<void> {
  const { ruleId, action, reason, admin } = job.input
  const rule = await findRule(ctx, BigInt(ruleId))
  const rules = new BlockRules([{ ...rule, kind: rule.kind as 'host' }])
  const breath = new Breath()
  const all = inBatches(BigInt(job.resumeAt || -1), (after) =>
    ctx.db.read((client) => client.link.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH })),
  )
  for await (const { rows, lastId } of all) {
    for (const link of rows) {
      if (breath.isDue) await breath.take()
      if (rules.broken(link) === null || isDone(link, action)) continue
      try {
        if (action === 'delete') await deleteFound(ctx, OURSELVES, link)
        else if (action === 'ban') await banLink(ctx, link.id, reason)
        else await switchLink(ctx, OURSELVES, link.id, false)
        await tell(ctx, admin, action, link.fullShortUrl, reason)
        await job.report(link.fullShortUrl, 'done')
      } catch (error) {
        const { target, outcome, message } = failedRow(link.fullShortUrl, error)
        await job.report(target, outcome, message)
      }
    }
    job.resumeAt = lastId.toString()
    await job.turn()
  }
}

const isDone = ({ state }: Link, action: Act['action']) => state === 'banned' || (action === 'disable' && state === 'disabled')

/** Hosts in batches; one that is there already is left as it is. Only lines that cannot be read get a line in the result. */
async function importHosts(ctx: LinkContext, job: RunningJob<Import>): Promise<void> {
  const { reason } = job.input
  const createdAt = sqlTime(Date.now())
  const breath = new Breath()
  while (job.done < job.row.total) {
    const batch = await batchOf(job)
    const hosts = new Set<string>()
    const bad: string[] = []
    for (const line of batch) {
      if (breath.isDue) await breath.take()
      const host = hostOfLine(line)
      if (host === 'bad') bad.push(line)
      else if (host !== null) hosts.add(host)
    }
    await addHosts(ctx, [...hosts], [reason, job.userId, createdAt])
    for (const line of bad) await job.report(line.trim().slice(0, 200), 'failed', 'This line names no host.')
    await job.advance(batch.length - bad.length)
    await job.turn()
  }
  await ctx.blocklist.refresh()
}

async function batchOf(job: RunningJob<Import>): Promise<string[]> {
  if (job.input.lines) return job.input.lines.slice(job.done, job.done + LINES)
  const { rows, first } = await job.part(z.string())
  return rows.slice(job.done - first, job.done - first + LINES)
}

/** Plain SQL: Prisma takes many times as long for so many rows. */
async function addHosts(
  { db, requireTurn }: LinkContext,
  hosts: readonly string[],
  of: readonly [string, string, string],
): Promise<void> {
  if (hosts.length === 0) return
  const rows = hosts.map(() => "(?, 'host', ?, ?, ?, ?)").join(', ')
  const sql = `INSERT INTO BlockRule (id, kind, value, reason, createdBy, createdAt) VALUES ${rows} ON DUPLICATE KEY UPDATE kind = VALUES(kind)`
  await db.write((client) =>
    client.$transaction(async (tx) => {
      await requireTurn?.(tx)
      await tx.$executeRawUnsafe(sql, ...hosts.flatMap((host) => [nextId(), host, ...of]))
    }),
  )
}
