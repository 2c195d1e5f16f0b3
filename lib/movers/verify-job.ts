import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Job } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { countsOf, type RowOutcome } from '@/lib/jobs/row-outcome'
import type { JobKind } from '@/lib/jobs/runner'
import type { RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker } from '@/lib/jobs/store'
import { hasEnded } from '@/lib/jobs/values'
import type { LinkContext } from '@/lib/links/context'
import { hostOf } from '@/lib/links/view'
import { RefusedError } from '@/lib/net/outbound'
import type { AnswerContext } from '@/lib/redirect/answer'
import { encodePath } from '@/lib/tools/url'
import { Answers } from './answers'
import { Busy, compared, newReply, oldReply, requireAskable } from './compare'
import { notAnswering, notReachable } from './errors'
import type { MoveContext } from './move-job'
import { addressOf } from './queue'

/** `of`: the import whose links are compared, by its id; without, all links of the account. */
const VerifyInput = z.object({ address: z.string(), of: z.string().optional() })
type VerifyInput = z.infer<typeof VerifyInput>

type Context = MoveContext & { answering: AnswerContext }

/** How many links a step compares, how many of them at once, and the least time a step takes (ms): 50 links a second. */
const BATCH = { size: 20, atOnce: 5, ms: 400 }

/**
 * Queues asking an old service for each short link of an import, or of an account, and comparing how we answer.
 * @param address where the old short links are: what stands before their codes
 * @param of null: all links of the account
 * @throws TerseError 'conflict' for what is no import with links that has ended; 'validation_failed', 'forbidden', 'unavailable'
 */
export async function queueVerify(ctx: MoveContext, by: JobMaker, of: Job | null, address: string): Promise<JobView> {
  const url = addressOf(address)
  await requireAskable(ctx.outbound, url)
  const { created = 0, exists = 0 } = of ? countsOf(of) : {}
  const isKnown = of === null || (await ctx.db.rows('SELECT 1 FROM JobItem WHERE jobId = ? LIMIT 1', of.id)).length > 0
  if (of && (of.kind !== 'import' || of.mode === 'check' || !hasEnded(of) || created + exists === 0 || !isKnown)) {
    throw new TerseError('conflict', say('api.job.notVerifiable'))
  }
  const count = of ? created + exists : await linksOf(ctx, by.account.id)
  return createJob(ctx, by, {
    kind: 'verify',
    title: say('api.job.verify', { count, host: url.host }),
    input: { address: url.href, ...(of && { of: of.id.toString() }) } satisfies VerifyInput,
    total: count,
  })
}

const linksOf = async ({ db }: LinkContext, ownerId: string): Promise<number> =>
  db.read((client) => client.link.count({ where: { ownerId } }))

/** A short link, and what stands for its place in the list. */
interface Compared {
  target: string
  place: string
}

/** Compares link after link. Begun again, it goes on behind the last that was told. */
export function verifyKind(): JobKind<Context, VerifyInput> {
  const batches = new Answers<RowOutcome[]>()
  return {
    input: VerifyInput,
    async run(ctx, job) {
      const base = new URL(job.input.address)
      for (;;) {
        const links = await nextOf(ctx, job)
        const last = links.at(-1)
        if (!last) return
        const begun = performance.now()
        const outcomes = await batches.of(job, last.place, base.host, () => outcomesOf(ctx, links, base))
        job.resumeAt = last.place
        await job.tell(outcomes)
        await job.turn()
        await delay(Math.max(0, BATCH.ms - (performance.now() - begun)))
      }
    },
  }
}

async function nextOf({ db }: Context, { input, resumeAt, userId }: RunningJob<VerifyInput>): Promise<Compared[]> {
  if (input.of !== undefined) {
    const items = await db.rows<{ position: number; target: string }>(
      `SELECT position, target FROM JobItem
        WHERE jobId = ? AND position > ? AND outcome IN ('done', 'skipped') ORDER BY position LIMIT ${BATCH.size}`,
      BigInt(input.of),
      resumeAt === '' ? -1 : Number(resumeAt),
    )
    return items.map(({ position, target }) => ({ target, place: String(position) }))
  }
  const rows = await db.rows<{ id: bigint; fullShortUrl: string }>(
    `SELECT id, fullShortUrl FROM Link WHERE ownerId = ? AND id > ? ORDER BY id LIMIT ${BATCH.size}`,
    userId,
    BigInt(resumeAt || 0),
  )
  return rows.map(({ id, fullShortUrl }) => ({ target: fullShortUrl, place: id.toString() }))
}

async function outcomesOf(ctx: Context, links: readonly Compared[], base: URL): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (let from = 0; from < links.length; from += BATCH.atOnce) {
    const some = links.slice(from, from + BATCH.atOnce)
    outcomes.push(...(await Promise.all(some.map(({ target }) => outcomeOf(ctx, target, base)))))
  }
  return outcomes
}

/** @throws TerseError 'rate_limited' where the old service wants to be asked later, 'validation_failed' if it may not be asked */
async function outcomeOf(ctx: Context, target: string, base: URL): Promise<RowOutcome> {
  const host = hostOf(target)
  const code = target.slice(host.length + 1)
  const path = `${base.pathname.replace(/\/$/, '')}/${encodePath(code)}`
  try {
    const old = await oldReply(ctx.outbound, new URL(path, base))
    return compared(target, old, await newReply(ctx.answering, host, code))
  } catch (error) {
    if (error instanceof RefusedError) throw notReachable('validation_failed', base.host, error)
    if (!(error instanceof Busy)) throw error
    throw notAnswering(base.host, error.seconds)
  }
}
