import type { Command } from 'commander'
import { createClient } from '../client.js'
import { clientFor, examples, JSON_OPTION } from '../command.js'
import { UsageError } from '../exit.js'
import { readSettings, removeSettings, serverOf, settingsFile, writeSettings } from '../settings.js'
import { ask, inputLines, plain, print, printJson, tell } from '../terminal.js'

export function addAccount(program: Command): void {
  const login = program
    .command('login')
    .summary('keep a server and its API key')
    .description(
      'Asks for an API key (Settings → API keys on your server), checks it, and keeps both in a file that only you can read.',
    )
    .argument('[server]', 'the address of the server')
    .action(logIn)
  examples(login, 'terse login https://go.example.com', 'terse login https://go.example.com < key.txt')
  program
    .command('logout')
    .summary('forget the server and its key')
    .action(() =>
      print(
        removeSettings() ? 'Forgotten. The key still works: revoke it in the settings of your account.' : 'Nothing was kept.',
      ),
    )
  program
    .command('whoami')
    .summary('show the server and the account')
    .addOption(JSON_OPTION())
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const account = await clientFor(command).account()
      const { url } = readSettings(command.optsWithGlobals<{ server?: string }>().server)
      if (json) printJson({ server: url, ...account })
      else print(`${plain(account.name)} <${plain(account.email)}> on ${url}`)
    })
}

async function logIn(server: string | undefined): Promise<void> {
  const typed = server ?? (await ask('Server: '))
  if (!typed) throw new UsageError('Name the server: terse login https://your.server')
  const url = serverOf(typed)
  const key = (await ask('API key: ', { hidden: true })) ?? (await firstLine())
  if (!key) throw new UsageError('There’s no API key. Type it, or send it on standard input.')
  const { name } = await createClient({ url, key }).account()
  if (url.startsWith('http:') && !/^(localhost|127\.|\[::1\])/.test(new URL(url).host)) {
    tell('This server has no https: others on the way can read the key.')
  }
  writeSettings({ url, key })
  print(`Signed in to ${url} as ${plain(name)}. Kept in ${settingsFile()}`)
}

async function firstLine(): Promise<string | undefined> {
  for await (const line of inputLines()) return line
  return undefined
}
