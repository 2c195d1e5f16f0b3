import { type Message, say } from '@/lib/i18n/message'
import type { ImportRow } from '@/lib/links/import-source'
import { addCell, type Column, cellOf, PROPERTIES, type Row } from '@/lib/links/properties'
import { strip } from '@/lib/tools/strip'
import { decodeText } from '@/lib/tools/url'

/** What another system says of a link, by our names. What says nothing, or what no link has here, is left out. */
export type Said = { readonly [name in Column]?: unknown }

const TIMES: ReadonlySet<string> = new Set<Column>(['createdAt', 'startsAt', 'expiresAt'])

/** The same as cells of an import, times in one form. */
export function cellsOf(said: Said): Row {
  const row: Row = {}
  for (const [name, value] of Object.entries(said)) {
    const cell = TIMES.has(name) ? timeOf(value) : cellOf(value)
    if (cell !== '' && Object.hasOwn(PROPERTIES, name)) addCell(row, name as Column, cell)
  }
  return row
}

/** Characters of what is told to be left behind. */
const MOST_LEFT = 300

/**
 * The same as a row of an import.
 * @param line where it begins
 * @param left what it has there and cannot have here, by the names that it has there
 */
export const rowOf = (line: number, said: Said, fault?: Message, left: readonly string[] = []): ImportRow => ({
  line,
  ...cellsOf(said),
  ...(fault && { fault }),
  ...(left.length > 0 && { note: say('api.import.left', { what: left.join(', ').slice(0, MOST_LEFT) }) }),
})

/**
 * A time as others write it, in a form that an import reads: of the databases `2026-01-02 03:04:05.678+00`, where one without a
 * zone is of UTC, and numbers of seconds or milliseconds since 1970. What is neither stays as it is, and is refused there.
 */
export function timeOf(value: unknown): string {
  const text = cellOf(value).trim()
  if (/^\d{9,14}$/.test(text)) {
    const number = Number(text)
    return new Date(number > 100_000_000_000 ? number : number * 1000).toISOString()
  }
  // MySQL's way to say that there is none.
  if (/^0000-00-00/.test(text)) return ''
  return text.replace(/([+-]\d\d)(\d\d)?$/, (whole, hours: string, minutes: string | undefined) =>
    /:\d\d/.test(text) ? `${hours}:${minutes ?? '00'}` : whole,
  )
}

/** Whether a value of another system's database or JSON says yes. */
export const isTrue = (value: unknown) => value === true || value === 1 || /^(1|t|true|yes|y|on)$/i.test(String(value ?? ''))

/** The host and the code of a whole short link; null for what is none. A code keeps what it has but its slashes around. */
export function shortLinkOf(text: string): { domain: string; code: string } | null {
  const found = /^(?:https?:\/\/)?([^/\s?#]+)\/([^?#]+)/i.exec(text.trim())
  if (!found) return null
  const [, domain = '', path = ''] = found
  const code = codeOf(path)
  return code === '' ? null : { domain: domain.toLowerCase(), code }
}

/** The code that a path stands for. */
export const codeOf = (path: string): string => decodeText(strip(path.trim(), '/'))

/** What apps show of a link, in words of its owner. */
export function cardOf({ title, description, image }: { title?: unknown; description?: unknown; image?: unknown }): object {
  const shown = typeof image === 'string' && /^https?:/.test(image) ? image : null
  return { source: 'custom', title, description: description ?? '', image: shown }
}
