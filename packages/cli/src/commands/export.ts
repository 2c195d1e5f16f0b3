import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import type { ExportFormat, Terse } from '../client.js'
import { clientFor, examples } from '../command.js'
import choices from '../generated/choices.json' with { type: 'json' }
import { shownOn } from '../terminal.js'

const FORMATS = choices.exportAs as ExportFormat[]

interface Options {
  domain?: string
  format?: ExportFormat
  output?: string
}

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .summary('export all your links')
    .description('Writes all your links to standard output or a file.')
    .addOption(new Option('--format <format>', 'csv unless the name of the file says otherwise').choices(FORMATS))
    .option('-d, --domain <domain>', 'only links of this domain')
    .option('-o, --output <file>', 'write to this file')
    .action((options: Options, command: Command) => exportLinks(clientFor(command), options))
  examples(
    command,
    'terse export > links.csv',
    'terse export -o links.json',
    'terse export --format nginx --domain go.example.com',
  )
}

async function exportLinks(client: Terse, { format, output, domain }: Options): Promise<void> {
  const named = output === undefined ? undefined : FORMATS.find((one) => path.extname(output) === `.${one}`)
  const stream = await client.links.export(format ?? named ?? 'csv', { domain })
  const links = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0])
  if (output !== undefined) await pipeline(links, createWriteStream(output))
  else if (process.stdout.isTTY) await pipeline(links.setEncoding('utf8'), shownOn, process.stdout, { end: false })
  else await pipeline(links, process.stdout, { end: false })
}
