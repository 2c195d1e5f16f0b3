import { Command } from 'commander'
import { addAccount } from './commands/account.js'
import { addCode } from './commands/code.js'
import { addCompletion } from './commands/completion.js'
import { addExport } from './commands/export.js'
import { addImport } from './commands/import.js'
import { addLinks } from './commands/links.js'
import { addMcp } from './commands/mcp.js'
import { addOffline } from './commands/offline.js'
import { addQr } from './commands/qr.js'
import { addShorten } from './commands/shorten.js'
import { addStats } from './commands/stats.js'
import { addVerify } from './commands/verify.js'
import { VERSION } from './version.js'

const EXITS = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not allowed, 4 no such link, 5 taken or edited meanwhile,
6 refused input, 7 server busy or out of reach, 8 differences found.

The server and its API key come from TERSE_URL and TERSE_KEY, or from “terse login”.`

/** All commands. What goes wrong with arguments is thrown, as a CommanderError. */
export function makeProgram(): Command {
  const program = new Command('terse')
    .description('Short links from the terminal, on a Terse server.')
    .version(VERSION)
    .option('--server <address>', 'the server, if not the one that you signed in to')
    .addHelpText('after', EXITS)
    .showHelpAfterError('(“--help” shows how to use it)')
    .exitOverride()
  addShorten(program)
  addOffline(program)
  addLinks(program)
  addStats(program)
  addQr(program)
  addImport(program)
  addExport(program)
  addVerify(program)
  addCode(program)
  addAccount(program)
  addMcp(program)
  addCompletion(program)
  return program
}
