import type { Command } from 'commander'
import { examples, JSON_OPTION } from '../command.js'
import { EXIT, Failures, UsageError } from '../exit.js'
import { type OfflineCode, OfflineError, offlineCode } from '../offline.js'
import { inOrder } from '../pool.js'
import { inputLines, print, printJson, tell } from '../terminal.js'

interface Options {
  key?: string
  domain?: string
  turn: string
  csv?: boolean
  json?: boolean
}

export function addOffline(program: Command): void {
  const command = program
    .command('code')
    .summary('say which code a link will get, offline')
    .description(
      'Prints the short link that each URL will have, and asks no server: print it now, and create the link later. Without URLs, they are read from standard input, one a line.',
    )
    .argument('[urls...]', 'where the links will lead')
    .option('-k, --key <key>', 'the offline key that was shown with an API key; or TERSE_OFFLINE_KEY')
    .option('-d, --domain <domain>', 'the domain of the short links, if not the one the key names')
    .option('--turn <number>', 'another code for the same URL: 1 to 20', '1')
    .option('--csv', 'print a file that “terse import” reads, to create the links')
    .addOption(JSON_OPTION())
    .action((urls: string[], options: Options) => codes(urls, options))
  examples(
    command,
    'terse code https://example.com/poster --key terse_off_…',
    'terse code --csv < urls.txt > links.csv   # later: terse import links.csv',
    'terse shorten https://example.com/poster --code 4kq7zvwn2xdbp6t   # claims one',
  )
}

async function codes(urls: string[], { key = process.env.TERSE_OFFLINE_KEY, domain, turn, csv, json }: Options): Promise<void> {
  if (!key)
    throw new UsageError(
      'Name an offline key with --key, or in TERSE_OFFLINE_KEY. It’s shown when you create an API key with one.',
    )
  const isPiped = urls.length === 0 || (urls.length === 1 && urls[0] === '-')
  if (isPiped && process.stdin.isTTY) throw new UsageError('Name a URL, or send some on standard input.')
  const make = (url: string) => codeOrError({ key, url, domain, turn: Number(turn) })
  // So that a key that is none is said once.
  const probe = await make('https://example.com/')
  if (probe instanceof OfflineError) throw new UsageError(probe.message)

  const taken = new Map<string, string>()
  const failures = new Failures()
  if (csv) print('url,code,domain')
  for await (const [url, made] of inOrder(isPiped ? inputLines() : urls, 1, async (url) => [url, await make(url)] as const)) {
    if (made instanceof OfflineError) {
      tell(`terse: ${made.message}`)
      failures.note(EXIT.refused)
      continue
    }
    const other = taken.get(made.code)
    if (other !== undefined && other !== made.url) {
      tell(`terse: ${url}: its code is that of ${other}. Use “--turn ${made.turn + 1}” for it.`)
      failures.note(EXIT.conflict)
      continue
    }
    taken.set(made.code, made.url)
    if (json) printJson(made)
    else print(csv ? csvLine(made) : made.shortUrl)
  }
  failures.end()
}

async function codeOrError(link: Parameters<typeof offlineCode>[0]): Promise<OfflineCode | OfflineError> {
  try {
    return await offlineCode(link)
  } catch (error) {
    if (error instanceof OfflineError) return error
    throw error
  }
}

const csvLine = ({ url, code, domain }: OfflineCode) =>
  [url, code, domain].map((text) => `"${text.replaceAll('"', '""')}"`).join(',')
