import { type Command, Option } from 'commander'
import type { ImportFrom, ImportOptions, Job, MoveLinks, Owners, Terse } from '../client.js'
import { clientFor, examples, JSON_OPTION } from '../command.js'
import { EXIT, Failed, UsageError } from '../exit.js'
import choices from '../generated/choices.json' with { type: 'json' }
import { readBlob, readText } from '../input.js'
import { number, plain, print, printJson, progress, tell } from '../terminal.js'

const TYPES = { csv: 'text/csv', json: 'application/json', jsonl: 'application/jsonl' } as const
const FORMATS = Object.keys(TYPES) as (keyof typeof TYPES)[]

/** How long a file of many links may take to be sent, in ms. */
const SENDING = 10 * 60_000

interface Options {
  from?: ImportFrom
  domain?: string
  site?: string
  keyFile?: string
  columns?: Record<string, string>
  owners?: Owners
  start?: string
  undo?: string
  dryRun?: boolean
  format?: keyof typeof TYPES
  json?: boolean
}

export function addImport(program: Command): void {
  const command = program
    .command('import')
    .summary('import links from a file or another shortener')
    .description(
      'Imports the links of a file, or those that another shortener lists by its API, and waits until it is done. Rows that fail are ' +
        'listed with their lines. The key for the other one comes from TERSE_SOURCE_KEY or --key-file. A file may be packed by gzip; a ' +
        'sitemap is read at its address. --start creates what a --dry-run checked, and --undo deletes what an import created.',
    )
    .argument('[source]', 'a file, - for standard input, or the address of the other shortener')
    .addOption(new Option('--from <kind>', 'what wrote the file, or which shortener is asked').choices(choices.importFrom))
    .option('--domain <domain>', 'with --from: the domain that the links are put on')
    .option('--site <address>', 'with --from: the site of destinations that are only paths')
    .addOption(
      new Option('--columns <json>', 'with --from: what columns are, as {"name": "property"}').argParser(namesIn('--columns')),
    )
    .addOption(
      new Option('--owners <json>', 'whose links become whose, as {"old name": "account here"}').argParser(namesIn('--owners')),
    )
    .option('--start <job>', 'create what a dry run checked')
    .option('--undo <job>', 'delete what an import created and nobody edited since')
    .option('--key-file <file>', 'a file with the API key for the other shortener')
    .option('--dry-run', 'say what would come of each row, and create nothing')
    .addOption(new Option('--format <format>', 'how the file is to be read, if its name doesn’t say').choices(FORMATS))
    .addOption(JSON_OPTION())
    .action((source: string | undefined, options: Options, command: Command) => run(command, source, options))
  examples(
    command,
    'terse import links.csv --dry-run',
    'terse import yourls.sql --from yourls',
    'terse import --undo 2026112400042',
    'TERSE_SOURCE_KEY=… terse import https://old.example --from kutt',
    'terse export | terse import - --server https://other.example',
  )
}

async function run(command: Command, source: string | undefined, options: Options): Promise<void> {
  const client = clientFor(command, { timeout: SENDING })
  const started = await begun(client, source, options)
  const job = await followed(client, started)
  await tellFailed(client, job)
  if (options.json) printJson(job)
  else print(summaryOf(job))
  if (job.state === 'failed' || job.failed > 0) throw new Failed(EXIT.refused)
  if (job.state === 'cancelled' || job.state === 'paused') throw new Failed(EXIT.failure)
}

async function begun(client: Terse, source: string | undefined, options: Options): Promise<Job> {
  const { start, undo } = options
  if (start !== undefined || undo !== undefined) {
    if (source !== undefined || (start && undo)) throw new UsageError('Name a source, --start or --undo: one of them.')
    return undo === undefined ? client.jobs.start(start ?? '', options.owners) : client.jobs.undo(undo)
  }
  const isLive = source === undefined || /^https?:\/\//i.test(source)
  return isLive ? move(client, source, options) : send(client, source, options)
}

/** Reads a JSON object of texts. */
const namesIn =
  (option: string) =>
  (text: string): Record<string, string> => {
    try {
      const read: unknown = JSON.parse(text)
      const isGood = typeof read === 'object' && read !== null && Object.values(read).every((value) => typeof value === 'string')
      if (isGood) return read as Record<string, string>
    } catch {
      // Said below.
    }
    throw new UsageError(`${option} isn’t a JSON object of texts.`)
  }

/** What is at an address that needs no key. */
const KEYLESS: readonly string[] = ['sitemap']

function move(client: Terse, address: string | undefined, { from, domain, keyFile, owners, dryRun }: Options): Promise<Job> {
  if (from === undefined) throw new UsageError('Name a file, or what to import with --from.')
  if (!choices.moveFrom.includes(from)) throw new UsageError(`${from} has no API to import from: name its file.`)
  const key = keyFile === undefined ? process.env.TERSE_SOURCE_KEY : readText(keyFile).trim()
  if (!key && !KEYLESS.includes(from)) throw new UsageError(`Set TERSE_SOURCE_KEY to an API key of ${from}, or use --key-file.`)
  return client.links.move({
    from,
    ...(key && !KEYLESS.includes(from) && { key }),
    ...(owners && { owners }),
    ...(address && { address }),
    ...(domain && { domain }),
    ...(dryRun && { dryRun }),
  } as MoveLinks)
}

async function send(client: Terse, file: string, { format, from, domain, site, columns, owners, dryRun }: Options): Promise<Job> {
  const named = format ?? FORMATS.find((one) => file.toLowerCase().replace(/\.gz$/, '').endsWith(`.${one}`))
  const type = named ? TYPES[named] : from ? 'application/octet-stream' : TYPES.csv
  const options: ImportOptions = {
    type,
    ...(dryRun && { dryRun }),
    ...(from && { from }),
    ...(domain && { domain }),
    ...(site && { site }),
    ...(columns && { columns }),
    ...(owners && { owners }),
  }
  return client.links.import(await readBlob(file), options)
}

/** Waits until a job goes on no longer, and shows how far it is. */
export async function followed(client: Terse, started: Job): Promise<Job> {
  let job = started
  for await (job of client.jobs.follow(started.number)) progress(`${number(job.done)} of ${number(job.total)}`)
  progress('')
  return job
}

/** Says which rows of a job failed, and why. */
export async function tellFailed(client: Terse, job: Job): Promise<void> {
  for await (const { line, target, message } of client.jobs.items(job.number, 'failed')) {
    tell(`${line === null ? '' : `line ${line}: `}${plain(target)}${target && ': '}${plain(message)}`)
  }
}

export function summaryOf({ number: name, title, state, counts, error }: Job): string {
  const said = (result: string) => (state === 'checked' && result === 'created' ? 'to create' : result)
  const each = Object.entries(counts).map(([result, count]) => `${number(count ?? 0)} ${said(result)}`)
  const words = [`${title}: ${state}`, each.join(', '), error].filter(Boolean).join('. ')
  return plain(`${words} (job ${name})`)
}
