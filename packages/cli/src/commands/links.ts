import { type Command, Option } from 'commander'
import type { Link, ListLinks, Terse, UpdateLink } from '../client.js'
import { clientFor, examples, JSON_OPTION } from '../command.js'
import { exitCodeOf, Failures, UsageError, wordsOf } from '../exit.js'
import { type Column, paint, plain, print, printJson, printTable, tell } from '../terminal.js'
import { type FieldOptions, fieldsOf, positive, withFields } from './fields.js'

const STATES = ['active', 'scheduled', 'expired', 'disabled', 'paused', 'banned', 'deleted'] as const
const SORTS = ['newest', 'oldest', 'clicks'] as const

interface ListOptions {
  query?: string
  tag?: string
  folder?: string
  state?: (typeof STATES)[number]
  sort?: (typeof SORTS)[number]
  archived?: boolean
  favorite?: boolean
  limit?: number
  all?: boolean
  json?: boolean
}

/** How many `ls` shows unless it is told otherwise. */
const SHOWN = 50

export function addLinks(program: Command): void {
  addList(program)
  addEdit(program)
  addRemove(program)
}

function addList(program: Command): void {
  const command = program
    .command('ls')
    .summary('list your links')
    .description(`Lists the links of your account, newest first: the latest ${SHOWN}, or as many as you ask for.`)
    .option('-q, --query <terms>', 'only links with these words in code, title or destination')
    .option('-t, --tag <name>', 'only links with this tag')
    .option('-f, --folder <name>', 'only links in this folder')
    .addOption(new Option('--state <state>', 'only links with this state').choices(STATES))
    .addOption(new Option('--sort <order>', 'the order').choices(SORTS))
    .option('--archived', 'only archived links')
    .option('--favorite', 'only favorites')
    .option('-n, --limit <number>', 'how many', positive)
    .option('-a, --all', 'all of them')
    .addOption(JSON_OPTION())
    .action((options: ListOptions, command: Command) => list(clientFor(command), options))
  examples(command, 'terse ls --sort clicks -n 10', 'terse ls --tag spring --json | jq -r .shortUrl')
}

const COLUMNS: readonly Column<Link>[] = [
  { name: 'LINK', of: ({ shortUrl }) => shortUrl },
  { name: 'CLICKS', of: ({ clicks }) => String(clicks), right: true },
  { name: 'STATE', of: ({ state }) => state },
  { name: 'DESTINATION', of: ({ url }) => url },
  { name: 'TITLE', of: ({ title }) => title },
]

async function list(
  client: Terse,
  { query, limit = SHOWN, all, json, archived, favorite, ...filters }: ListOptions,
): Promise<void> {
  const most = all ? Number.POSITIVE_INFINITY : limit
  const asked: ListLinks = {
    ...filters,
    ...(query !== undefined && { q: query }),
    ...(archived && { archived: 'true' as const }),
    ...(favorite && { favorite: 'true' as const }),
    limit: Math.min(most, 100),
  }
  // As wide as the widest: a table of all links waits for them, JSON and pipes do not.
  const isTable = !json && process.stdout.isTTY
  const rows: Link[] = []
  let count = 0
  for await (const link of client.links.list(asked)) {
    count += 1
    if (json) printJson(link)
    else if (isTable) rows.push(link)
    else printTable(COLUMNS, [link])
    if (count >= most) break
  }
  if (isTable && count > 0) printTable(COLUMNS, rows)
  if (count === 0) tell('No links.')
}

interface EditOptions extends FieldOptions {
  url?: string
  on?: boolean
  off?: boolean
  json?: boolean
}

function addEdit(program: Command): void {
  const command = program
    .command('edit')
    .summary('edit a link')
    .description(
      'Edits the named properties of a link. What you leave out stays as it is; an empty value (--folder "") stands for none.',
    )
    .argument('<link>', 'its code, or its whole address')
    .option('--url <url>', 'where it leads')
    .option('--on', 'turn it on')
    .addOption(new Option('--off', 'turn it off').conflicts('on'))
    .addOption(JSON_OPTION())
    .action((link: string, options: EditOptions, command: Command) => edit(clientFor(command), link, options))
  withFields(command)
  examples(command, 'terse edit sale --url https://example.com/new --title "Summer sale"', 'terse edit sale --expires ""')
}

async function edit(client: Terse, link: string, { url, on, off, json, ...options }: EditOptions): Promise<void> {
  const fields: UpdateLink = {
    ...fieldsOf(options),
    ...(url !== undefined && { url }),
    ...((on || off) && { enabled: on === true }),
  }
  if (Object.keys(fields).length === 0) throw new UsageError('Name what to edit, such as --url or --title.')
  const edited = await client.links.edit(link, fields)
  if (json) printJson(edited)
  else print(`${edited.shortUrl} `, paint('dim', '→'), ` ${plain(edited.url)}`)
}

function addRemove(program: Command): void {
  const command = program
    .command('rm')
    .summary('delete links')
    .description('Deletes links. Until their codes are free again, “terse restore” brings them back.')
    .argument('<links...>', 'codes, or whole addresses')
    .addOption(JSON_OPTION())
    .action((links: string[], options: { json?: boolean }, command: Command) =>
      each(links, async (link) => {
        await clientFor(command).links.delete(link)
        if (options.json) printJson({ link, deleted: true })
      }),
    )
  examples(command, 'terse rm sale', 'terse ls --tag old --all --json | jq -r .shortUrl | xargs terse rm')
  program
    .command('restore')
    .summary('restore deleted links')
    .argument('<links...>', 'codes, or whole addresses')
    .addOption(JSON_OPTION())
    .action((links: string[], options: { json?: boolean }, command: Command) =>
      each(links, async (link) => {
        const restored = await clientFor(command).links.restore(link)
        if (options.json) printJson(restored)
        else print(restored.shortUrl)
      }),
    )
}

/** Does the same to each; those that fail are named, and the others are done all the same. */
async function each(links: readonly string[], work: (link: string) => Promise<void>): Promise<void> {
  const failures = new Failures()
  for (const link of links) {
    try {
      await work(link)
    } catch (error) {
      if (error instanceof UsageError) throw error
      tell(`terse: ${link}: ${wordsOf(error)}`)
      failures.note(exitCodeOf(error))
    }
  }
  failures.end()
}
