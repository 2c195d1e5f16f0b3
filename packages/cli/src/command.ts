import { type Command, Option } from 'commander'
import { createClient, type Terse } from './client.js'
import { readSettings } from './settings.js'

/** What every command may be given. */
export interface Common {
  server?: string
  json?: boolean
}

/** A client of the server that the settings name. @throws UsageError where they name none */
export function clientFor(command: Command, { timeout }: { timeout?: number } = {}): Terse {
  const { server } = command.optsWithGlobals<Common>()
  return createClient({ ...readSettings(server), ...(timeout !== undefined && { timeout }) })
}

export const JSON_OPTION = () => new Option('--json', 'print JSON, one object a line')

/** Adds what `--help` shows at the end. */
export const examples = (command: Command, ...lines: string[]) =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`)
