import { type Logger, pino } from 'pino'

/** Characters that wait where the log cannot be written, at most: what comes after them is dropped. */
const WAITING = 1_000_000

/**
 * A structured log. What users entrust to us stays out of it: no URL's query, no SQL with its values, no password. Where it
 * cannot be written, as on a full disk, it waits, and nothing else does.
 * @param dest a descriptor or file
 */
export function createLog(level: string, dest: number | string = 1): Logger {
  const destination = pino.destination({ dest, maxLength: WAITING })
  destination.on('error', () => {})
  return pino({ level, base: { pid: process.pid }, serializers: { err: describeError } }, destination)
}

/** The same of what others write to the console, such as the framework: each error would be reported there once more. */
export function outliveFullDisks(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** An error's kind, code, first line and place, and the same of its cause. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: redact(String(error)) }
  const { name, message, stack = '', cause } = error
  return {
    name,
    code: (error as { code?: unknown }).code,
    message: redact(message),
    stack: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  }
}

/** The first line with words in it, without SQL and without what stands behind a question mark. */
function redact(message: string): string {
  const line = message.split('\n').find((text) => text.trim() !== '') ?? ''
  return line
    .replace(/\bsql: .*/i, '')
    .replace(/\?\S*/g, '?…')
    .slice(0, 300)
    .trim()
}
