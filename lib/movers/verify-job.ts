import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Job } from '@/lib/db/generated/client'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { RowOutcome } from '@/lib/jobs/row-outcome'
import type { JobKind } from '@/lib/jobs/runner'
import type { RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker } from '@/lib/jobs/store'
import { hasEnded } from '@/lib/jobs/values'
import type { LinkContext } from '@/lib/links/context'
import { hostOf } from '@/lib/links/view'
import { RefusedError } from '@/lib/net/outbound'
import type { AnswerContext } from '@/lib/redirect/answer'
import { encodePath } from '@/lib/tools/encode-path'
import { Answers } from './answers'
import { Busy, compared, newReply, oldReply, requireAskable } from './compare'
import { notAnswering, notReachable } from './errors'
import type { MoveContext } from './move-job'
import { addressOf } from './queue'

/** `of`: the import whose links are compared, by its id; without, all links of the account. */
const VerifyInput = z.object({ address: z.string(), of: z.string().optional() })
type VerifyInput = z.infer<typeof VerifyInput>

type Context = MoveContext & { answering: AnswerContext }

/** So often in a row an old service can ask to be asked later. */
const MOST_REFUSALS = 60

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
  const isOver = of === null || (of.kind === 'import' && of.mode !== 'check' && hasEnded(of))
  const count = of ? (isOver ? await comparedOf(ctx, of) : 0) : await linksOf(ctx, by.account.id)
  if (of && count === 0) throw new TerseError('conflict', say('api.job.notVerifiable'))
  return createJob(ctx, by, {
    kind: 'verify',
    title: say('api.job.verify', { count, host: url.host }),
    input: { address: url.href, ...(of && { of: of.id.toString() }) } satisfies VerifyInput,
    total: count,
  })
}

const linksOf = async ({ db }: LinkContext, ownerId: string): Promise<number> =>
  db.read((client) => client.link.count({ where: { ownerId } }))

/** Rows of an import that have a short link, be it that they did not get it. */
const HAS_LINK = "(outcome IN ('done', 'skipped') OR wanted IS NOT NULL)"

/** How many there are. Of a million that takes a moment. */
async function comparedOf({ db }: LinkContext, { id }: Job): Promise<number> {
  const [row] = await db.scan<{ count: bigint }>(`COUNT(*) AS count FROM JobItem WHERE jobId = ? AND ${HAS_LINK}`, id)
  return Number(row?.count ?? 0)
}

/** A short link, and what stands for its place in the list. */
interface Compared {
  target: string
  place: string
  /** The import did not get it. */
  isMissing: boolean
}

/** Compares link after link. Begun again, it goes on behind the last that was told. */
export function verifyKind(): JobKind<Context, VerifyInput> {
  const batches = new Answers<RowOutcome[]>()
  const refusals = new Refusals()
  return {
    input: VerifyInput,
    async run(ctx, job) {
      const base = new URL(job.input.address)
      for (;;) {
        const links = await nextOf(ctx, job)
        const last = links.at(-1)
        if (!last) return
        const begun = performance.now()
        const outcomes = await batches.of(job, last.place, base.host, () =>
          refusals.counted(job, base, () => outcomesOf(ctx, links, base)),
        )
        job.resumeAt = last.place
        await job.tell(outcomes)
        await job.turn()
        await delay(Math.max(0, BATCH.ms - (performance.now() - begun)))
      }
    },
  }
}

/** How often in a row each comparison was told to come back later. */
class Refusals {
  private readonly counts = new LRUCache<bigint, number>({ max: 1_000 })

  /** @throws TerseError 'validation_failed' once that was too often; what `ask` throws */
  async counted<T>({ row: { id } }: RunningJob<VerifyInput>, { host }: URL, ask: () => Promise<T>): Promise<T> {
    try {
      const result = await ask()
      this.counts.delete(id)
      return result
    } catch (error) {
      if (!isTerseError(error) || error.code !== 'rate_limited') throw error
      const count = (this.counts.get(id) ?? 0) + 1
      if (count >= MOST_REFUSALS) throw new TerseError('validation_failed', say('api.verify.gone', { host }), { cause: error })
      this.counts.set(id, count)
      throw error
    }
  }
}

async function nextOf({ db }: Context, { input, resumeAt, userId }: RunningJob<VerifyInput>): Promise<Compared[]> {
  if (input.of !== undefined) {
    const items = await db.rows<{ position: number; target: string; wanted: string | null }>(
      `SELECT position, target, wanted FROM JobItem
        WHERE jobId = ? AND position > ? AND ${HAS_LINK} ORDER BY position LIMIT ${BATCH.size}`,
      BigInt(input.of),
      resumeAt === '' ? -1 : Number(resumeAt),
    )
    return items.map(({ position, target, wanted }) => {
      return { target: wanted ?? target, place: String(position), isMissing: wanted !== null }
    })
  }
  const rows = await db.rows<{ id: bigint; fullShortUrl: string }>(
    `SELECT id, fullShortUrl FROM Link WHERE ownerId = ? AND id > ? ORDER BY id LIMIT ${BATCH.size}`,
    userId,
    BigInt(resumeAt || 0),
  )
  return rows.map(({ id, fullShortUrl }) => ({ target: fullShortUrl, place: id.toString(), isMissing: false }))
}

async function outcomesOf(ctx: Context, links: readonly Compared[], base: URL): Promise<RowOutcome[]> {
  const outcomes: RowOutcome[] = []
  for (let from = 0; from < links.length; from += BATCH.atOnce) {
    const some = links.slice(from, from + BATCH.atOnce)
    outcomes.push(...(await Promise.all(some.map((one) => outcomeOf(ctx, one, base)))))
  }
  return outcomes
}

/** @throws TerseError 'rate_limited' where the old service wants to be asked later, 'validation_failed' if it may not be asked */
async function outcomeOf(ctx: Context, { target, isMissing }: Compared, base: URL): Promise<RowOutcome> {
  const host = hostOf(target)
  const code = target.slice(host.length + 1)
  const path = `${base.pathname.replace(/\/$/, '')}/${encodePath(code)}`
  try {
    const old = await oldReply(ctx.outbound, new URL(path, base))
    return compared(target, old, await newReply(ctx.answering, host, code), isMissing)
  } catch (error) {
    if (error instanceof RefusedError) throw notReachable('validation_failed', base.host, error)
    if (!(error instanceof Busy)) throw error
    throw notAnswering(base.host, error.seconds)
  }
}
