import { type Logger, pino } from 'pino'
import { toLine } from '@/lib/tools/line'

/** Characters that wait where the log cannot be written, at most: what comes after them is dropped. */
const WAITING = 1_000_000

/** What a terminal would obey, or shows nothing of, and JSON takes as it is: DEL, C1, what turns text around, U+2028. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu

/**
 * A structured log. What users entrust to us stays out of it: no URL's query, no SQL with its values, no password. Where it
 * cannot be written, as on a full disk, it waits, and nothing else does.
 * @param dest a descriptor or file
 * @param around what every line says besides, such as the request that it is about
 */
export function createLog(level: string, dest: number | string = 1, around: () => object = () => ({})): Logger {
  const destination = pino.destination({ dest, maxLength: WAITING })
  destination.on('error', () => {})
  const hooks = { streamWrite: escapeUnseen }
  return pino({ level, base: { pid: process.pid }, serializers: { err: describeError }, mixin: around, hooks }, destination)
}

/** A line of JSON that reads as the same. Such characters stand in its texts alone. */
const escapeUnseen = (json: string) =>
  json.replace(UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )

/** The same of what others write to the console, such as the framework: each error would be reported there once more. */
export function outliveFullDisks(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/**
 * What an operator reads of an error, on a terminal: its words without anything that a terminal obeys, and of what a database
 * throws neither SQL nor values.
 */
export function errorWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const isOfDatabase = typeof error === 'object' && error !== null && 'sqlState' in error
  return (isOfDatabase ? [redact(message)] : message.split('\n')).map(toLine).join('\n')
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

/** The first line with words in it: without SQL, values that MySQL refused, and what stands behind a question mark. */
export function redact(message: string): string {
  const line = message.split('\n').find((text) => text.trim() !== '') ?? ''
  return line
    .replace(/\bsql: .*/i, '')
    .replace(/\b((?:entry|value):?) '.*' for /i, "$1 '…' for ")
    .replace(/\?\S*/g, '?…')
    .slice(0, 300)
    .trim()
}
