import { type Command, Option } from 'commander'
import type { ScopeStats, Stats, Terse } from '../client.js'
import { clientFor, examples, JSON_OPTION } from '../command.js'
import { UsageError } from '../exit.js'
import { number, paint, plain, print, printJson, sparkline } from '../terminal.js'
import { timeOf } from './fields.js'

const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const

interface Options {
  from?: string
  to?: string
  interval?: (typeof INTERVALS)[number]
  timezone?: string
  tag?: string
  folder?: string
  domain?: string
  json?: boolean
}

export function addStats(program: Command): void {
  const command = program
    .command('stats')
    .summary('show statistics')
    .description('Shows the statistics of a link; without one, those of all your links, a tag, a folder or a domain.')
    .argument('[link]', 'its code, or its whole address')
    .option('--from <time>', 'only clicks at or after this time')
    .option('--to <time>', 'only clicks before this time')
    .addOption(new Option('--interval <interval>', 'the interval of the series').choices(INTERVALS))
    .option('--timezone <name>', 'the time zone in which days begin, such as Europe/Berlin')
    .option('-t, --tag <name>', 'of all links with this tag')
    .option('-f, --folder <name>', 'of all links in this folder')
    .option('-d, --domain <domain>', 'of all links on this domain')
    .addOption(JSON_OPTION())
    .action((link: string | undefined, options: Options, command: Command) => show(clientFor(command), link, options))
  examples(command, 'terse stats sale --from 2026-12-01', 'terse stats --tag spring --json')
}

async function show(client: Terse, link: string | undefined, { tag, folder, domain, json, ...options }: Options): Promise<void> {
  const { interval, timezone } = options
  const from = options.from && timeOf(options.from)
  const to = options.to && timeOf(options.to)
  const range = { ...(from && { from }), ...(to && { to }), ...(interval && { interval }), ...(timezone && { timezone }) }
  const scope = { ...(tag && { tag }), ...(folder && { folder }), ...(domain && { domain }) }
  if (link !== undefined && Object.keys(scope).length > 0) throw new UsageError('Name a link, or a tag, folder or domain.')
  const stats = link === undefined ? await client.stats({ ...range, ...scope }) : await client.links.stats(link, range)
  if (json) printJson(stats)
  else printStats(stats)
}

/** What is listed below the totals, and how it is headed. */
const BREAKDOWNS = { source: 'Sources', country: 'Countries', device: 'Devices', browser: 'Browsers' } as const
const LISTED = 5

function printStats(stats: Stats | ScopeStats): void {
  const { totals, series, breakdown } = stats
  const day = (time: string) => time.slice(0, 10)
  print(`${number(totals.clicks)} clicks, ${number(totals.visitors)} visitors (${day(stats.from)} to ${day(stats.to)})`)
  if (totals.bots + totals.previews > 0) print(`${number(totals.bots)} of bots, ${number(totals.previews)} of previews`)
  if (series.length > 1) print(`${sparkline(series.slice(-80).map(({ clicks }) => clicks))}  clicks by ${stats.interval}`)
  for (const [name, heading] of Object.entries(BREAKDOWNS)) {
    const shares = breakdown[name as keyof typeof BREAKDOWNS].slice(0, LISTED)
    if (shares.length === 0) continue
    print('\n', paint('bold', heading))
    for (const { value, clicks } of shares) print(`${String(clicks).padStart(8)}  ${plain(value) || '(unknown)'}`)
  }
  if ('top' in stats && stats.top.length > 0) {
    print('\n', paint('bold', 'Links'))
    for (const { link, clicks } of stats.top) print(`${String(clicks).padStart(8)}  ${link.shortUrl}`)
  }
}
