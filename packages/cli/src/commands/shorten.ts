import type { Command } from 'commander'
import type { CreateLink, Link, Terse } from '../client.js'
import { clientFor, examples, JSON_OPTION } from '../command.js'
import { exitCodeOf, Failures, UsageError, wordsOf } from '../exit.js'
import { inOrder } from '../pool.js'
import { inputLines, print, printJson, tell } from '../terminal.js'
import { type FieldOptions, fieldsOf, withFields } from './fields.js'

interface Options extends FieldOptions {
  code?: string
  domain?: string
  reuse?: boolean
  json?: boolean
}

/** So many links are created at a time, in the order of the input. */
const AT_ONCE = 4

export function addShorten(program: Command): void {
  const command = program
    .command('shorten')
    .summary('create short links')
    .description('Creates a short link for each URL, and prints it. Without URLs, they are read from standard input, one a line.')
    .argument('[urls...]', 'where the links lead')
    .option('-c, --code <code>', 'the back-half, for one URL')
    .option('-d, --domain <domain>', 'the domain of the short links')
    .option('--reuse', 'return an existing plain link to the same destination')
    .addOption(JSON_OPTION())
    .action((urls: string[], options: Options, command: Command) => shorten(clientFor(command), urls, options))
  withFields(command)
  examples(
    command,
    'terse shorten https://example.com/a/long/page',
    'terse shorten https://example.com/sale --code sale --expires 30d --tag spring',
    'terse shorten < urls.txt > links.txt',
  )
}

async function shorten(client: Terse, urls: string[], { code, domain, reuse, json, ...options }: Options): Promise<void> {
  if (code !== undefined && urls.length !== 1) throw new UsageError('--code needs exactly one URL.')
  const isPiped = urls.length === 0 || (urls.length === 1 && urls[0] === '-')
  if (isPiped && process.stdin.isTTY) throw new UsageError('Name a URL, or send some on standard input.')
  const fields = fieldsOf(options)
  const bodyOf = (url: string) => ({ ...fields, url, ...(code && { code }), ...(domain && { domain }), ...(reuse && { reuse }) })
  const create = async (url: string): Promise<Link | { url: string; error: unknown }> => {
    try {
      return await client.links.create(bodyOf(url) as CreateLink)
    } catch (error) {
      return { url, error }
    }
  }

  const failures = new Failures()
  for await (const made of inOrder(isPiped ? inputLines() : urls, AT_ONCE, create)) {
    if ('error' in made) {
      if (!isPiped && urls.length === 1) throw made.error
      tell(`terse: ${made.url}: ${wordsOf(made.error)}`)
      failures.note(exitCodeOf(made.error))
    } else if (json) printJson(made)
    else print(made.shortUrl)
  }
  failures.end()
}
