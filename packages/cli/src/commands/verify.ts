import type { Command } from 'commander'
import { parse } from 'csv-parse/sync'
import { encodePath } from '../../../../lib/tools/encode-path.js'
import { parseUrl } from '../../../../lib/tools/url.js'
import { addressOf } from '../address.js'
import type { Link, Terse } from '../client.js'
import { clientFor, examples, JSON_OPTION } from '../command.js'
import { EXIT, Failed, FileError, UsageError } from '../exit.js'
import { nameOf, readText } from '../input.js'
import { inOrder } from '../pool.js'
import { readSettings, serverOf } from '../settings.js'
import { number, plain, print, printJson, progress } from '../terminal.js'
import { followed, summaryOf, tellFailed } from './import.js'

interface Options {
  against?: string
  job?: string
  ignoreStatus?: boolean
  server?: string
  json?: boolean
}

/** What is asked, and what it should answer: a destination, or what another server answers to the same. */
interface Check {
  ask: string
  destination?: string
  sameAs?: string
}

/** What an address answered. */
interface Answer {
  status: number
  location: string | null
}

interface Result extends Check {
  found: Answer
  expected: Partial<Answer>
  isSame: boolean
}

const AT_ONCE = 8
const TIMEOUT = 15_000

export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .summary('ask links where they lead')
    .description(
      'Asks each link where it leads, by HEAD, and lists what is different. Terse counts no click for that; the old server may. ' +
        'The file has lines of code,destination, or with --against of codes alone: then the old and the new server are to answer ' +
        'the same. Without a file, the links of your account are asked. Exits with 8 if anything is different.',
    )
    .argument('[file]', 'a CSV file; - for standard input')
    .option('--against <address>', 'the old server, which is asked for the same codes')
    .option('--job <number>', 'with --against: let the server compare the links of this import')
    .option('--ignore-status', 'compare destinations alone, not the statuses of redirects')
    .addOption(JSON_OPTION())
    .action((file: string | undefined, options: Options, command: Command) => verify(command, file, options))
  examples(command, 'terse verify', 'terse verify moved.csv', 'terse verify codes.txt --against https://old.example')
}

async function verify(command: Command, file: string | undefined, options: Options): Promise<void> {
  if (options.job !== undefined) {
    if (file !== undefined || options.ignoreStatus) {
      throw new UsageError('--job compares the links of an import, and their statuses: leave out the file and --ignore-status.')
    }
    return verifyImport(clientFor(command), options.job, options)
  }
  const { url } = readSettings(command.optsWithGlobals<Options>().server)
  const skipped = { count: 0 }
  const checks = file === undefined ? ownChecks(clientFor(command), options, skipped) : checksIn(file, url, options)
  let count = 0
  let different = 0
  for await (const result of inOrder(checks, AT_ONCE, (check) => compare(check, options))) {
    count += 1
    progress(`${number(count)} links`)
    if (options.json) printJson(result)
    if (result.isSame) continue
    different += 1
    if (!options.json) {
      progress('')
      print(`${plain(result.ask)}\n  expected ${inWords(result.expected)}\n  found    ${inWords(result.found)}`)
    }
  }
  progress('')
  const left = skipped.count > 0 ? `; ${number(skipped.count)} with rules, a password or an end weren’t compared` : ''
  if (!options.json) print(`${number(count)} links, ${number(different)} different${left}.`)
  if (different > 0) throw new Failed(EXIT.different)
}

/** Lets the server ask, for an import that knows what its links were called elsewhere. */
async function verifyImport(client: Terse, number: string, { against, json }: Options): Promise<void> {
  if (against === undefined) throw new UsageError('Name the old server with --against.')
  const job = await followed(client, await client.jobs.verify(number, against))
  await tellFailed(client, job)
  if (json) printJson(job)
  else print(summaryOf(job))
  if (job.state !== 'done') throw new Failed(EXIT.failure)
  if (job.failed > 0) throw new Failed(EXIT.different)
}

/** The links of the account. What visitors get is plain for some of them only. */
async function* ownChecks(client: Terse, { against }: Options, skipped: { count: number }): AsyncGenerator<Check> {
  for await (const link of client.links.list({ archived: 'any', limit: 100 })) {
    if (against !== undefined) yield { ask: link.shortUrl, sameAs: `${serverOf(against)}/${encodePath(link.code)}` }
    else if (isPlain(link)) yield { ask: link.shortUrl, destination: link.url }
    else skipped.count += 1
  }
}

const isPlain = (link: Link) => link.state === 'active' && link.routing === null && !link.hasPassword

/** @throws FileError for a file that is no CSV, or a line that lacks its destination */
function checksIn(file: string, url: string, { against }: Options): Check[] {
  const rows = rowsIn(readText(file), nameOf(file))
  return rows.map(({ cells: [typed = '', destination], line }) => {
    const { code, domain } = addressOf(typed)
    const base = domain === undefined || /^https?:/i.test(typed) ? url : `https://${domain}`
    const ask = /^https?:\/\//i.test(typed) ? typed : `${base}/${encodePath(code)}`
    if (against !== undefined) return { ask, sameAs: `${serverOf(against)}/${encodePath(code)}` }
    if (!destination)
      throw new FileError(`${nameOf(file)}:${line}: there’s no destination. Write code,destination, or use --against.`)
    return { ask, destination }
  })
}

function rowsIn(text: string, file: string): { cells: string[]; line: number }[] {
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as {
      record: string[]
      info: { lines: number }
    }[]
    const rows = records.map(({ record, info }) => ({ cells: record, line: info.lines }))
    const isHead = /^(code|link|short ?url|old|from)$/i.test(rows[0]?.cells[0] ?? '')
    return isHead ? rows.slice(1) : rows
  } catch (error) {
    throw new FileError(`${file}: ${error instanceof Error ? error.message : error}`)
  }
}

async function compare(check: Check, { ignoreStatus }: Options): Promise<Result> {
  const found = await answerOf(check.ask)
  const expected: Partial<Answer> =
    check.sameAs === undefined ? { location: check.destination ?? null } : await answerOf(check.sameAs)
  const isAnswered = found.status !== 0 && expected.status !== 0
  const isStatusSame = ignoreStatus || expected.status === undefined || expected.status === found.status
  const isSame = isAnswered && isStatusSame && sameUrl(expected.location ?? null, found.location)
  return { ...check, found, expected, isSame }
}

/**
 * By HEAD, which Terse counts as no click (YOURLS and Kutt count it as one), and by GET where a server refuses that.
 * @returns status 0 where there was no answer
 */
async function answerOf(url: string): Promise<Answer> {
  const ask = (method: 'HEAD' | 'GET') => fetch(url, { method, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) })
  try {
    const head = await ask('HEAD')
    const isRefused = head.status === 405 || head.status === 501
    const { status, headers, body } = isRefused ? await ask('GET') : head
    await body?.cancel()
    const location = headers.get('location')
    return { status, location: location === null ? null : (parseUrl(location, url)?.href ?? location) }
  } catch {
    return { status: 0, location: null }
  }
}

function sameUrl(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other
  const [first, second] = [parseUrl(one), parseUrl(other)]
  return first && second ? first.href === second.href : one === other
}

function inWords({ status, location }: Partial<Answer>): string {
  if (status === 0) return 'no answer'
  return [status, location === null ? 'no redirect' : location && plain(location)].filter((word) => word !== undefined).join(' ')
}
