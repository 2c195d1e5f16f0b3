import { type Command, InvalidArgumentError } from 'commander'
import type { UpdateLink } from '../client.js'
import { UsageError } from '../exit.js'
import { readText } from '../input.js'

/** What `shorten` and `edit` can say of a link. */
export interface FieldOptions {
  title?: string
  tag?: string[]
  folder?: string
  comment?: string
  starts?: string
  expires?: string
  expiredUrl?: string
  maxClicks?: string
  status?: string
  passwordFile?: string
  set?: string[]
}

const collect = (value: string, before: string[] = []) => [...before, value]

/** Adds the options for the properties of a link. */
export function withFields(command: Command): Command {
  return command
    .option('--title <text>', 'a name that helps you find the link')
    .option('--tag <name>', 'a tag; repeat it for several', collect)
    .option('--folder <name>', 'the folder the link is in')
    .option('--comment <text>', 'what you want to remember about it')
    .option('--starts <time>', 'when it starts to work, such as 2026-12-01T09:00Z or 2h')
    .option('--expires <time>', 'when it expires, such as 2026-12-24 (UTC) or 30d')
    .option('--expired-url <url>', 'where it leads after it has expired')
    .option('--max-clicks <number>', 'the clicks after which it expires')
    .option('--status <number>', 'the HTTP status: 301, 302, 307 or 308')
    .option('--password-file <file>', 'a file with the password that visitors enter')
    .option('--set <name=json>', 'any other property of the API; repeat it for several', collect)
}

/**
 * The properties as the API takes them. An empty text stands for none.
 * @throws UsageError for a value that cannot be read
 */
export function fieldsOf(options: FieldOptions): UpdateLink {
  const fields: Record<string, unknown> = {}
  const orNull = (text: string) => (text === '' ? null : text)
  if (options.title !== undefined) fields.title = options.title
  if (options.tag !== undefined) fields.tags = options.tag.filter((tag) => tag !== '')
  if (options.folder !== undefined) fields.folder = orNull(options.folder)
  if (options.comment !== undefined) fields.comment = options.comment
  if (options.starts !== undefined) fields.startsAt = timeOf(options.starts)
  if (options.expires !== undefined) fields.expiresAt = timeOf(options.expires)
  if (options.expiredUrl !== undefined) fields.expiredUrl = orNull(options.expiredUrl)
  if (options.maxClicks !== undefined) fields.maxClicks = options.maxClicks === '' ? null : numberOf(options.maxClicks)
  if (options.status !== undefined) fields.redirectStatus = numberOf(options.status)
  if (options.passwordFile !== undefined) fields.password = passwordIn(options.passwordFile)
  for (const one of options.set ?? []) Object.assign(fields, propertyOf(one))
  return fields as UpdateLink
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/**
 * A time as the API takes it, from one that is written out, in UTC unless it says otherwise, or from how long it is until then.
 * @throws UsageError
 */
export function timeOf(text: string, now = Date.now()): string | null {
  if (text === '') return null
  const [, amount, unit = ''] = /^(\d+)([mhdw])$/.exec(text) ?? []
  if (amount !== undefined) return new Date(now + Number(amount) * (UNITS[unit] ?? 0)).toISOString()
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text)
  const time = new Date(/[T ]\d\d/.test(text) && !hasZone ? `${text.replace(' ', 'T')}Z` : text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime())) {
    throw new UsageError(`“${text}” isn’t a time. Use one such as 2026-12-24, 2026-12-24T18:00Z, 12h or 30d.`)
  }
  return time.toISOString()
}

function numberOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`“${text}” isn’t a number.`)
  return Number(text)
}

/** The text of a file; `''` for an empty file, which takes the password away. */
function passwordIn(file: string): string | null {
  const text = readText(file).replace(/\r?\n$/, '')
  return text === '' ? null : text
}

function propertyOf(text: string): Record<string, unknown> {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--set ${text}: write it as name=value.`)
  const value = text.slice(at + 1)
  try {
    return { [text.slice(0, at)]: JSON.parse(value) }
  } catch {
    // No JSON: the text that it is.
    return { [text.slice(0, at)]: value }
  }
}

/** For options that hold a number. */
export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Use a number.')
  return Number(text)
}
