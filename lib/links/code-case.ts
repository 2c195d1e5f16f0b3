import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { foldCode } from '@/lib/codes/fold'
import { pieces } from '@/lib/db/pieces'
import { CODE_CASES, type CodeCase, codeCaseOf, storedCase } from '@/lib/domains/code-case'
import { KNOWN_AFTER } from '@/lib/domains/domains'
import type { ChangeCodeCase } from '@/lib/domains/schemas'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { UNFINISHED } from '@/lib/jobs/queue'
import type { JobKind } from '@/lib/jobs/runner'
import type { RunningJob } from '@/lib/jobs/running-job'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker } from '@/lib/jobs/store'
import { OUTBOX_DELAY } from '@/lib/redirect/outbox'
import { type Collision, codeCollisions, type Unfolded, unfoldedDeleted, unfoldedLinks } from './code-collisions'
import type { LinkContext } from './context'
import { type Renamed, renameDeleted, renameLink } from './rename'

/** Collisions that are listed; how many there are is said besides. */
const LISTED = 100
/** Collisions that the message itself names. */
const SHOWN = 5
/** Links under way at the same time. */
const AT_ONCE = 4
/** How often a waiting job says that it is alive, in ms. */
const BEAT = 1_000
/** Where such a job goes on once every process knows of the change and no codes collide: some may be renamed. */
const RENAMING = 'renaming'

const CaseInput = z.object({
  domainId: z.int(),
  codeCase: z.enum(['sensitive', 'ignored']),
  /** What it goes back to where nothing can be renamed. `changing`: an earlier job did not come to its end. */
  from: z.enum(CODE_CASES).default('sensitive'),
})
type CaseInput = z.infer<typeof CaseInput>
type CaseJob = RunningJob<CaseInput>

/**
 * Has a job turn on, or off, that case makes no difference in the codes of a domain (docs/decisions/0046-case.md).
 * @returns the job, and the domain's host
 * @throws TerseError 'not_found', 'unavailable', 'conflict': it is so already, another such job is under way, or codes would be
 *   the same, which `errors` lists
 */
export async function queueCodeCase(
  ctx: LinkContext,
  by: JobMaker,
  id: number,
  { codeCase }: z.output<typeof ChangeCodeCase>,
): Promise<{ job: JobView; host: string }> {
  const domain = await ctx.db.read((client) => client.domain.findUnique({ where: { id } }))
  if (!domain) throw new TerseError('not_found', say('api.domain.none'))
  if (codeCaseOf(domain.codeCase) === codeCase) throw new TerseError('conflict', say(`api.domain.case.already.${codeCase}`))
  const where = { kind: 'case', state: { in: UNFINISHED } }
  if (await ctx.db.read((client) => client.job.findFirst({ where })))
    throw new TerseError('conflict', say('api.domain.case.busy'))
  if (codeCase === 'ignored') requireNone(await codeCollisions(ctx, id))
  const title = say(`api.job.case.${codeCase}`, { host: domain.host })
  const input: CaseInput = { domainId: id, codeCase, from: codeCaseOf(domain.codeCase) }
  return { job: await createJob(ctx, by, { kind: 'case', title, input, total: 0 }), host: domain.host }
}

/** @throws TerseError 'conflict' */
function requireNone(collisions: readonly Collision[]): void {
  if (collisions.length === 0) return
  const errors = collisions.slice(0, LISTED).map((codes) => ({ path: 'codeCase', message: collisionMessage(codes) }))
  throw new TerseError('conflict', collisionsMessage(collisions), { errors })
}

/** The first of them, as far as a message has room. */
const collisionsMessage = (collisions: readonly Collision[]) =>
  say('api.domain.case.collisions', {
    count: collisions.length,
    list:
      collisions
        .slice(0, SHOWN)
        .map((codes) => codes.join(' = '))
        .join(', ') + (collisions.length > SHOWN ? ', …' : ''),
  })

const collisionMessage = (codes: Collision) =>
  codes.length > 1
    ? say('api.domain.case.same', { codes: codes.join(', ') })
    : say('api.domain.case.word', { code: codes.join('') })

/**
 * Such a job. Begun again after a crash or an outage it goes on where links are left that have to be renamed, and does not wait
 * once more. It always comes to an end: once begun, it can be neither paused nor cancelled (lib/jobs/queue.ts).
 * @param knownAfter when every process knows of a change of a domain, in ms
 */
export function codeCaseKind(knownAfter = KNOWN_AFTER): JobKind<LinkContext, CaseInput> {
  return {
    input: CaseInput,
    isWhole: true,
    async run(runtime, job) {
      const ctx = job.within(runtime)
      const { codeCase } = job.input
      if (job.resumeAt !== RENAMING) {
        await setCase(ctx, job, 'changing')
        // From here on, links are found under both names, and new codes have the folded form: wherever they are created.
        await wait(job, knownAfter)
        if (codeCase === 'ignored') await requireStillNone(ctx, job)
        await job.resumeFrom(RENAMING)
      }
      if (codeCase === 'ignored') await renameAll(ctx, job)
      await setCase(ctx, job, codeCase)
    },
  }
}

async function setCase(ctx: LinkContext, job: CaseJob, codeCase: CodeCase): Promise<void> {
  await ctx.db.atomic(async (tx) => {
    await ctx.requireTurn?.(tx)
    await tx.domain.updateMany({ where: { id: job.input.domainId }, data: { codeCase: storedCase(codeCase) } })
  })
  await ctx.domains.refresh()
}

async function wait(job: CaseJob, ms: number): Promise<void> {
  const until = performance.now() + ms
  for (;;) {
    const left = until - performance.now()
    if (left <= 0) return
    await delay(Math.min(left, BEAT))
    await job.advance(0)
  }
}

/** @throws TerseError 'conflict' where codes were created since it was asked for: the domain is then as it was before */
async function requireStillNone(ctx: LinkContext, job: CaseJob): Promise<void> {
  const { domainId, from } = job.input
  const collisions = await codeCollisions(ctx, domainId)
  if (collisions.length === 0) return
  for (const codes of collisions) await job.report(codes.join(', '), 'failed', collisionMessage(codes))
  await setCase(ctx, job, from)
  throw new TerseError('conflict', collisionsMessage(collisions))
}

/** @throws TerseError 'conflict' where links could not be renamed: all stay reachable, and the domain goes on changing */
async function renameAll(ctx: LinkContext, job: CaseJob): Promise<void> {
  const { domainId } = job.input
  // A link may be deleted or restored while it is looked for: until a whole look finds nothing.
  for (let taken = new Set<string>(); ; taken = new Set()) {
    const links = await renamePages(job, unfoldedLinks(ctx, domainId), (id) => renameLink(ctx, id), taken)
    const deleted = await renamePages(job, unfoldedDeleted(ctx, domainId), (id) => renameDeleted(ctx, id), taken)
    if (links + deleted > 0) continue
    if (taken.size === 0) break
    for (const code of taken) await job.report(code, 'failed', say('api.domain.case.left'))
    throw new TerseError('conflict', collisionsMessage([...taken].map((code) => [code, foldCode(code)])))
  }
  // What Redis has not heard is in the outbox, which every process has read by then.
  await wait(job, OUTBOX_DELAY)
}

/** @returns how many were renamed */
async function renamePages(
  job: CaseJob,
  pages: AsyncIterable<Unfolded[]>,
  rename: (id: bigint) => Promise<Renamed>,
  taken: Set<string>,
): Promise<number> {
  let renamed = 0
  for await (const page of pages) {
    for (const some of pieces(page, AT_ONCE)) {
      const results = await Promise.all(some.map(({ id }) => rename(id)))
      const done = results.filter((result) => result === 'renamed').length
      results.forEach((result, i) => {
        if (result === 'taken') taken.add(some[i]?.code ?? '')
      })
      renamed += done
      await job.advance(done)
    }
  }
  return renamed
}
