import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, readConfig } from '@/lib/config'
import { requireFitIfUp } from '@/lib/db/migrate'
import { inEnglish } from '@/lib/i18n/translate'
import type { JobView } from '@/lib/jobs/schemas'
import { findJob, type JobMaker, listJobItems, toJobView } from '@/lib/jobs/store'
import { hasEnded } from '@/lib/jobs/values'
import { resultsOf } from '@/lib/links/import-results'
import { errorWords } from '@/lib/log'
import { createRuntime, type Runtime } from '@/lib/runtime'
import { askHidden } from '@/lib/tools/ask'

/** How often a command looks how far its job is, in ms. */
const LOOK = 500
/** Rows that went wrong which are shown. */
const SHOWN = 20

/** What a command has that starts jobs for an account. */
export interface CommandJobs {
  ctx: Runtime
  by: JobMaker
}

/**
 * A process of its own on what a running app has: it does jobs itself, as any process of the app may.
 * @param account email or handle; without, the one admin there is
 * @throws Error with what to do
 */
export async function openJobs(account: string | undefined): Promise<CommandJobs> {
  const config: Config = { ...readConfig(), LOG_LEVEL: 'silent' }
  await requireFitIfUp(config.DATABASE_URL)
  const ctx = await createRuntime(config, null)
  try {
    return { ctx, by: { account: await accountOf(ctx, account), address: null } }
  } catch (error) {
    await ctx.close()
    throw error
  }
}

async function accountOf({ db }: Runtime, name: string | undefined): Promise<{ id: string }> {
  const where = name === undefined ? { role: 'admin' } : { OR: [{ email: name.toLowerCase() }, { handle: name }] }
  const [found, other] = await db.read((client) => client.user.findMany({ where, select: { id: true }, take: 2 }))
  if (found && !other) return found
  if (name !== undefined) throw new Error(`there is no account ${name}. Name it by its email or its handle`)
  throw new Error(
    found ? 'there are several admins. Name the account with --account=email' : 'there is no account yet. Create one first',
  )
}

/** Shows how a job goes on until it ends, and then what came of it. Sets the exit code to 1 where something went wrong. */
export async function followJob({ ctx, by }: CommandJobs, { number }: JobView, results: string | undefined): Promise<void> {
  console.log(`Job ${number}: also shown on the page, where it can be paused`)
  ctx.jobs.look()
  let job = await findJob(ctx, by.account.id, number)
  for (let told = ''; !hasEnded(job) && job.state !== 'checked'; ) {
    const now = `${job.done.toLocaleString('en')} of ${job.total.toLocaleString('en')}`
    if (now !== told && process.stderr.isTTY) process.stderr.write(`\r${now}  `)
    told = now
    await delay(LOOK)
    job = await findJob(ctx, by.account.id, number)
  }
  if (process.stderr.isTTY) process.stderr.write('\n')
  const view = toJobView(job)
  console.log(`${view.title}: ${view.state}${view.error && `. ${view.error}`}`)
  for (const [result, count] of Object.entries(view.counts)) console.log(`  ${result}: ${count.toLocaleString('en')}`)
  const { items } = await listJobItems(ctx, job, { limit: SHOWN, outcome: 'failed' })
  for (const { line, target, message } of items) console.log(`  ${line === null ? '' : `line ${line} `}${target}: ${message}`)
  if (view.failed > items.length) console.log(`  … and ${(view.failed - items.length).toLocaleString('en')} more`)
  if (results) await pipeline(resultsOf(ctx, job, inEnglish), createWriteStream(results, { mode: 0o600 }))
  if (view.state === 'failed' || view.failed > 0) process.exitCode = 1
}

/** What lets us into another service: typed unseen, or the first line of the standard input; no argument, which others see. */
export async function readKey(question: string): Promise<string> {
  if (process.stdin.isTTY) return (await askHidden(question)).trim()
  let text = ''
  for await (const chunk of process.stdin) text += String(chunk)
  return text.split('\n')[0]?.trim() ?? ''
}

/** Says why a command ended, and ends it. */
export const failed = (name: string) => (error: unknown) => {
  console.error(`${name}: ${errorWords(error)}`)
  process.exit(1)
}
