#!/usr/bin/env node
import { CommanderError } from 'commander'
import { EXIT, exitCodeOf, Failed, UsageError, wordsOf } from './exit.js'
import { makeProgram } from './program.js'
import { paint, tell } from './terminal.js'

// Whoever read our output has seen enough, as `head` has.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.failure)
  })
}

try {
  await makeProgram().parseAsync()
} catch (error) {
  process.exitCode = exitOf(error)
}

function exitOf(error: unknown): number {
  // Help and the version were asked for, or what is wrong was said already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (error instanceof Failed) return error.exitCode
  if (error instanceof Error && (error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.ok
  tell(paint('red', 'terse:'), ` ${wordsOf(error)}`)
  if (error instanceof UsageError) tell('“terse --help” shows how to use it.')
  return exitCodeOf(error)
}
