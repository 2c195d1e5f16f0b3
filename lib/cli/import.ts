import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { knownOwners, resolveOwners } from '@/lib/accounts/import-owners'
import type { Account } from '@/lib/actor'
import { type CommandJobs, failed, followJob, openJobs, readKey } from '@/lib/command-jobs'
import { findJob, toJobView } from '@/lib/jobs/store'
import { namedOwners, startImport } from '@/lib/links/import-queue'
import { queueUndo } from '@/lib/links/undo-job'
import { columnsOf } from '@/lib/movers/column-names'
import type { Columns } from '@/lib/movers/mover'
import { queueFile, queueLive } from '@/lib/movers/queue'
import { KEYLESS, LIVE_FROM, MOVED_FROM, type MovedFrom } from '@/lib/movers/sources'
import { readCsv } from '@/lib/tools/csv'
import { unpacked } from '@/lib/tools/unpacked'

const USAGE = `say what to import: npm run import -- <kind> <file or address>. Kinds: ${MOVED_FROM.join(', ')}. Or what to do with an import: npm run import -- start|undo <number>`

/** `--owners=email`: each owner of the old system that is the email of an account here is this account. */
const BY_EMAIL = 'email'

/**
 * `npm run import -- <kind> <file or address>`: takes over links of another shortener, or of a server's configuration. The app
 * may run meanwhile. `--account` names whose links they become, by email or handle, unless `--owners` says otherwise of some:
 * `email`, or a CSV with a name of the old system and an account here in each line. `--columns` says in JSON what columns are;
 * `--domain` names the domain they are put on; `--dry-run` creates nothing; `--results` writes what came of each row to a file. A
 * key is asked for, or read from the standard input. `start <number>` creates what a dry run checked, and `undo <number>` deletes
 * what an import created.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      account: { type: 'string' },
      domain: { type: 'string' },
      site: { type: 'string' },
      columns: { type: 'string' },
      owners: { type: 'string' },
      results: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      /** Where relative paths begin. */
      folder: { type: 'string', default: '.' },
    },
    allowPositionals: true,
  })
  const [kind = '', what = ''] = positionals
  const from = MOVED_FROM.find((name) => name === kind)
  const isStep = kind === 'start' || kind === 'undo'
  if ((!from && !isStep) || what === '' || positionals.length > 2) throw new Error(USAGE)
  const isLive = from !== undefined && /^https?:\/\//.test(what)
  const key = isLive ? await keyFor(from) : ''
  const columns = values.columns === undefined ? undefined : columnsOf(values.columns)
  const results = values.results && resolve(values.folder, values.results)
  const jobs = await openJobs(values.account)
  try {
    const owners =
      values.owners === undefined || values.owners === BY_EMAIL ? null : await ownersIn(resolve(values.folder, values.owners))
    const isByEmail = values.owners === BY_EMAIL
    if (!from) return await (kind === 'undo' ? undo(jobs, what, results) : start(jobs, what, { owners, isByEmail, results }))
    // Whose the links are is known once all rows were read.
    const dryRun = values['dry-run'] || isByEmail
    const asked = { from, domain: values.domain, dryRun, owners: await idsOf(jobs, owners ?? {}) }
    const job = await queue(jobs, asked, { what, isLive, key, columns, site: values.site, folder: values.folder })
    await followJob(jobs, job, isByEmail && !values['dry-run'] ? undefined : results)
    if (isByEmail && !values['dry-run']) return await start(jobs, job.number, { owners: null, isByEmail, results })
    await tellOwners(jobs, job.number, values.owners !== undefined)
  } finally {
    await jobs.ctx.close()
  }
}

interface Source {
  what: string
  isLive: boolean
  key: string
  columns: Columns | undefined
  site: string | undefined
  folder: string
}

type Asked = Parameters<typeof queueLive>[2] & { dryRun: boolean }

const queue = ({ ctx, by }: CommandJobs, asked: Asked, { what, isLive, key, columns, site, folder }: Source) =>
  isLive
    ? queueLive(ctx, by, { ...asked, address: what, key })
    : queueFile(ctx, by, { ...asked, site, columns, bytes: bytesOf(resolve(folder, what)) })

/** A file, unpacked where it is packed. */
const bytesOf = (path: string) => unpacked(createReadStream(path, { highWaterMark: 256 * 1024 }))

async function keyFor(from: MovedFrom): Promise<string> {
  if (!(LIVE_FROM as readonly MovedFrom[]).includes(from)) throw new Error(`${from} has no API that is asked. Name a file`)
  return KEYLESS.includes(from) ? '' : readKey(`The key of ${from}: `)
}

/** A name of the old system and an account here in each line. */
async function ownersIn(path: string): Promise<Record<string, string>> {
  const owners: Record<string, string> = {}
  for await (const lines of readCsv([await readFile(path, 'utf8')], { columns: 2, cell: 254, row: 1_000 })) {
    for (const { line, cells, error } of lines) {
      const [name = '', account = ''] = cells.map((cell) => cell.trim())
      if (error || name === '' || account === '') throw new Error(`${path}: line ${line} isn’t “old name,account here”`)
      owners[name] = account
    }
  }
  return owners
}

/** The same with the IDs of the accounts. Only an admin's imports can give links to others. */
async function idsOf({ ctx, by }: CommandJobs, owners: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  if (Object.keys(owners).length === 0) return {}
  const { role } = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { id: by.account.id } }))
  return resolveOwners(
    ctx,
    { id: by.account.id, role: role === 'admin' ? 'admin' : 'user' } satisfies Pick<Account, 'id' | 'role'>,
    owners,
  )
}

interface Starting {
  owners: Readonly<Record<string, string>> | null
  isByEmail: boolean
  results: string | undefined
}

async function start(jobs: CommandJobs, number: string, { owners, isByEmail, results }: Starting): Promise<void> {
  const { ctx, by } = jobs
  const job = await findJob(ctx, by.account.id, number)
  if (job.state === 'failed') return
  const names = (namedOwners(job) ?? []).map(({ name }) => name)
  const known = isByEmail ? Object.fromEntries(await knownOwners(ctx, names)) : owners
  const started = await startImport(ctx, job, known ? await idsOf(jobs, known) : undefined)
  await followJob(jobs, toJobView(started), results)
  await tellOwners(jobs, number, isByEmail || owners !== null)
}

async function undo(jobs: CommandJobs, number: string, results: string | undefined): Promise<void> {
  const { ctx, by } = jobs
  await followJob(jobs, await queueUndo(ctx, by, await findJob(ctx, by.account.id, number)), results)
}

/** Says that links came with owners, where nobody said whose they become. */
async function tellOwners({ ctx, by }: CommandJobs, number: string, isSaid: boolean): Promise<void> {
  const named = namedOwners(await findJob(ctx, by.account.id, number)) ?? []
  if (named.length === 0 || isSaid) return
  console.log(
    'These links had owners. Without --owners=email or --owners=file.csv (old name,account here) all are the account’s:',
  )
  for (const { name, links } of named) console.log(`  ${name}: ${links.toLocaleString('en')}`)
}

main().then(() => process.exit(process.exitCode ?? 0), failed('import'))
