import type { Command } from 'commander'
import { clientFor, examples } from '../command.js'

export function addMcp(program: Command): void {
  const command = program
    .command('mcp')
    .summary('serve your links to AI assistants')
    .description(
      'Serves the links of your account over the Model Context Protocol, on standard input and output. Read-only unless you say --write.',
    )
    .option('--write', 'let links be created, edited, deleted and restored too')
    .action(async ({ write = false }: { write?: boolean }, command: Command) => {
      // Half of the program, which no other command needs.
      const { serveMcp } = await import('../mcp.js')
      await serveMcp(clientFor(command), write)
    })
  examples(command, 'terse mcp', 'terse mcp --write')
}
