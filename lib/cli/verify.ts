import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { failed, followJob, openJobs } from '@/lib/command-jobs'
import { findJob } from '@/lib/jobs/store'
import { queueVerify } from '@/lib/movers/verify-job'

/**
 * `npm run verify -- <import number> <old address>`, or without the number: asks the old service for each short link of the
 * import, or of an account, and lists where we answer otherwise. `--account` names the account, by email or handle;
 * `--results` writes all of it to a file. Ends with 1 where there is a difference.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      account: { type: 'string' },
      results: { type: 'string' },
      /** Where relative paths begin. */
      folder: { type: 'string', default: '.' },
    },
    allowPositionals: true,
  })
  const number = /^\d{13,20}$/.test(positionals[0] ?? '') ? positionals[0] : undefined
  const address = positionals[number === undefined ? 0 : 1]
  if (address === undefined || positionals.length > 2) {
    throw new Error('say what to compare: npm run verify -- [import number] <address of the old service>')
  }
  const jobs = await openJobs(values.account)
  try {
    const of = number === undefined ? null : await findJob(jobs.ctx, null, number)
    const by = of ? { ...jobs.by, account: { id: of.userId } } : jobs.by
    const job = await queueVerify(jobs.ctx, by, of, address)
    await followJob(jobs, job, values.results && resolve(values.folder, values.results))
  } finally {
    await jobs.ctx.close()
  }
}

main().then(() => process.exit(process.exitCode ?? 0), failed('verify'))
