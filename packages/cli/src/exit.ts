import { TerseError } from './problem.js'
import { plain } from './terminal.js'

/** Exit codes. docs/cli.md lists them; they stay the same across releases. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** No key, a wrong one, or one that may not do this. */
  unauthorized: 3,
  /** There is no such link, or it was deleted. */
  notFound: 4,
  /** Taken, or edited by someone else meanwhile. */
  conflict: 5,
  /** The server, or the check of a file, refused what was given. */
  refused: 6,
  /** The server can't be reached, or has no time. */
  unavailable: 7,
  /** `plan --check` and `verify` found differences. */
  different: 8,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Wrong arguments. */
export class UsageError extends Error {}

/** What was found is said already: only the exit code is left to tell. */
export class Failed extends Error {
  constructor(readonly exitCode: ExitCode) {
    super('')
  }
}

/** How a command that does the same to many ends: as the first of those that failed, once it is through with all. */
export class Failures {
  private first: ExitCode | undefined

  note(code: ExitCode): void {
    this.first ??= code
  }

  /** @throws Failed where something failed */
  end(): void {
    if (this.first !== undefined) throw new Failed(this.first)
  }
}

/** A file that says something wrong, with the lines. */
export class FileError extends Error {}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof Failed) return error.exitCode
  if (error instanceof FileError) return EXIT.refused
  if (!(error instanceof TerseError)) return EXIT.failure
  const { status } = error
  if (status === 401 || status === 403) return EXIT.unauthorized
  if (status === 404 || status === 410) return EXIT.notFound
  if (status === 409 || status === 412) return EXIT.conflict
  if ([400, 413, 415, 422].includes(status)) return EXIT.refused
  if (status === 0 || status === 429 || status >= 502) return EXIT.unavailable
  return EXIT.failure
}

/** An error in words for the terminal: what is wrong, field by field, and what to do. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof TerseError)) return error instanceof Error ? error.message : String(error)
  const named = error.fields.filter(({ path, message }) => path !== '' && message !== error.message)
  const lines = [error.fields.length === 1 && error.fields[0]?.path ? fieldLine(error.fields[0]) : plain(error.message)]
  if (error.fields.length > 1) lines.push(...named.map((field) => `  ${fieldLine(field)}`))
  if (error.status === 401) lines.push('Sign in with “terse login”, or set TERSE_KEY.')
  if (error.retryAfter !== undefined) lines.push(`Try again in ${error.retryAfter} s.`)
  if (error.status >= 500 && error.requestId) lines.push(`Request ${plain(error.requestId)}`)
  return lines.join('\n')
}

const fieldLine = ({ path, message }: { path: string; message: string }) => plain(`${path}: ${message}`)
