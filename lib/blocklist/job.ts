import { z } from 'zod'
import { By } from '@/lib/audit/schemas'
import type { BlockRule, Link } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { inBatches } from '@/lib/db/pieces'
import { sqlTime } from '@/lib/db/time'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { failedRow } from '@/lib/jobs/row-outcome'
import type { JobKind } from '@/lib/jobs/runner'
import type { RunningJob, Turn } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobContext, type JobMaker, requireRoom } from '@/lib/jobs/store'
import { Breath } from '@/lib/tools/breath'
import { linesOf } from '@/lib/tools/lines'
import { type BlocklistContext, findRule } from './edit'
import { BlockRules, hostOfLine } from './rules'
import type { ActOnMatches } from './schemas'

/** Links that are read at a time. */
const BATCH = 1_000
/** Lines that are read, and hosts that are inserted, at a time. */
const LINES = 250

/** What the job is told: which of the two to do. */
const BlocklistInput = z.discriminatedUnion('task', [
  z.object({
    task: z.literal('act'),
    ruleId: z.string(),
    action: z.enum(['disable', 'ban', 'delete']),
    reason: z.string(),
    admin: By,
  }),
  z.object({ task: z.literal('import'), reason: z.string() }),
])
type BlocklistInput = z.infer<typeof BlocklistInput>
type Act = Extract<BlocklistInput, { task: 'act' }>
type Import = Extract<BlocklistInput, { task: 'import' }>

/** Queues something to be done to all links that a rule matches. */
export async function queueMatches(
  ctx: BlocklistContext & JobContext,
  by: By & Pick<JobMaker, 'locale'>,
  id: bigint,
  { action, reason }: z.output<typeof ActOnMatches>,
): Promise<{ rule: BlockRule; job: JobView }> {
  const rule = await findRule(ctx, id)
  if (rule.kind === 'client') throw new TerseError('conflict', say('api.rule.client'))
  const { id: adminId, handle, email } = by.account
  const admin = { account: { id: adminId, handle, email }, address: by.address }
  const input: BlocklistInput = { task: 'act', ruleId: rule.id.toString(), action, reason: reason || rule.reason, admin }
  const title = say(`api.job.matches.${action}`, { rule: rule.value })
  return { rule, job: await createJob(ctx, by, { kind: 'blocklist', title, input, total: 0 }) }
}

/** Lines of one list, and characters of one line that are looked at: a host name is shorter. */
const MAX_LINES = 500_000
const MAX_LINE = 400

/**
 * Queues the import of a host file, or of one host a line.
 * @throws TerseError 'validation_failed' when it names no host or has too many lines, 'conflict', 'forbidden', 'unavailable'
 */
export async function queueImport(
  ctx: BlocklistContext & JobContext,
  by: JobMaker,
  text: string,
  reason: string,
): Promise<JobView> {
  await requireRoom(ctx, by.account)
  const lines: string[] = []
  let names = false
  // Here only as far as to the first host: reading all of a long list is for the job.
  for await (const some of linesOf(text, MAX_LINE)) {
    const written = some.filter((line) => /^\s*[^\s#]/.test(line))
    names ||= written.some((line) => hostOfLine(line) !== null)
    lines.push(...written)
    if (lines.length > MAX_LINES) throw invalidField('', say('api.rule.tooManyLines', { most: MAX_LINES }))
  }
  if (!names) throw invalidField('', say('api.rule.noHosts'))
  const input: BlocklistInput = { task: 'import', reason }
  const title = say('api.job.blockHosts', { count: lines.length })
  return createJob(ctx, by, { kind: 'blocklist', title, input, total: lines.length, rows: lines })
}

/** What is done to links is decided above this room (lib/links), and so passed in. */
interface Acting<Context> {
  act(ctx: Context, by: By, link: Link, action: Act['action'], reason: string): Promise<unknown>
  /** Told of each link that was changed, for the audit log. */
  tell(ctx: Context, by: By, action: Act['action'], fullShortUrl: string, reason: string): Promise<void>
}

export function blocklistKind<Context extends BlocklistContext>(acting: Acting<Context>): JobKind<Context, BlocklistInput> {
  return {
    input: BlocklistInput,
    run: (runtime, job) => {
      const ctx = job.within(runtime)
      return job.input.task === 'act'
        ? actOnMatches(ctx, job as RunningJob<Act>, acting)
        : importHosts(ctx, job as RunningJob<Import>)
    },
  }
}

/** Holds the rule against every link there is. Begun again, it goes on behind the last batch. */
async function actOnMatches<Context extends BlocklistContext>(
  ctx: Context,
  job: RunningJob<Act>,
  acting: Acting<Context>,
): Promise<void> {
  const { ruleId, action, reason, admin } = job.input
  const rule = await findRule(ctx, BigInt(ruleId))
  const rules = new BlockRules([{ ...rule, kind: rule.kind as 'host' }])
  const breath = new Breath()
  const all = inBatches(BigInt(job.resumeAt || -1), (after) =>
    ctx.db.read((client) => client.link.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH })),
  )
  for await (const { rows, lastId } of all) {
    for (const link of rows) {
      if (breath.isDue) await breath.pause()
      if (rules.broken(link) === null || isDone(link, action)) continue
      try {
        await acting.act(ctx, admin, link, action, reason)
        await acting.tell(ctx, admin, action, link.fullShortUrl, reason)
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
async function importHosts(ctx: BlocklistContext & Turn, job: RunningJob<Import>): Promise<void> {
  const { reason } = job.input
  const createdAt = sqlTime(Date.now())
  const breath = new Breath()
  while (job.done < job.row.total) {
    const batch = await batchOf(job)
    const hosts = new Set<string>()
    const bad: string[] = []
    for (const line of batch) {
      if (breath.isDue) await breath.pause()
      const host = hostOfLine(line)
      if (host === 'bad') bad.push(line)
      else if (host !== null) hosts.add(host)
    }
    await addHosts(ctx, [...hosts], [reason, job.userId, createdAt])
    for (const line of bad) await job.report(line.trim().slice(0, 200), 'failed', say('api.rule.notHost'))
    await job.advance(batch.length - bad.length)
    await job.turn()
  }
  await ctx.blocklist.refresh()
}

async function batchOf(job: RunningJob<Import>): Promise<string[]> {
  const { rows, first } = await job.part(z.string())
  return rows.slice(job.done - first, job.done - first + LINES)
}

/** Plain SQL: Prisma takes many times as long for so many rows. */
async function addHosts(
  { db, requireTurn }: BlocklistContext & Turn,
  hosts: readonly string[],
  of: readonly [string, string, string],
): Promise<void> {
  if (hosts.length === 0) return
  const rows = hosts.map(() => "(?, 'host', ?, ?, ?, ?)").join(', ')
  const sql = `INSERT INTO BlockRule (id, kind, value, reason, createdBy, createdAt) VALUES ${rows} ON DUPLICATE KEY UPDATE kind = VALUES(kind)`
  await db.atomic(async (tx) => {
    await requireTurn?.(tx)
    await tx.$executeRawUnsafe(sql, ...hosts.flatMap((host) => [nextId(), host, ...of]))
  })
}
