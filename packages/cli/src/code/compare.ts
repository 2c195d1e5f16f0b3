import { parseUrl } from '../../../../lib/tools/url.js'
import type { Link } from '../client.js'
import type { LinkEntry, LinkFile } from './file.js'

/** One property of a link that is not as the file has it. */
export interface Difference {
  from: unknown
  to: unknown
}

export type Differences = Record<string, Difference>

/** What a link has that the file says nothing of. Others, such as `comment` or `favorite`, are left as they are then. */
const PLAIN: Readonly<Record<string, unknown>> = {
  title: '',
  startsAt: null,
  expiresAt: null,
  expiredUrl: null,
  routing: null,
  preview: null,
  maxClicks: null,
  redirectStatus: 302,
  folder: null,
  enabled: true,
  tags: [],
}

/** A link as the file wants it, but for where it is. */
export type Wanted = Record<string, unknown> & { url: string; tags: string[] }

/** All properties that a link of the file is to have, with the tag of the file. */
export function wantedOf({ managedBy, defaults }: LinkFile, entry: LinkEntry): Wanted {
  const { url, code: _code, domain: _domain, ...said } = { ...defaults, ...entry }
  const tags = [...new Set([managedBy, ...(said.tags ?? [])])]
  return { url, ...PLAIN, ...said, tags } as Wanted
}

/** What a new link is created with: nothing that it has anyway. */
export function createdFrom(wanted: Wanted): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => !(name in PLAIN) || !isSame(name, PLAIN[name], value)),
  )
}

/** What of a link is not as it is wanted. */
export function differencesOf(link: Link, wanted: Wanted): Differences {
  const found: Differences = {}
  for (const [name, to] of Object.entries(wanted)) {
    // What the site itself stopped stays so, whatever its owner wants.
    if (name === 'enabled' && (link.state === 'banned' || link.state === 'paused')) continue
    const from = name === 'enabled' ? link.state !== 'disabled' : (link as Record<string, unknown>)[name]
    if (!isSame(name, from, to)) found[name] = { from: from ?? null, to }
  }
  return found
}

function isSame(name: string, one: unknown, other: unknown): boolean {
  if (name === 'tags') return foldedTags(one) === foldedTags(other)
  if (name === 'folder' || name === 'title')
    return (
      String(one ?? '')
        .trim()
        .normalize() ===
      String(other ?? '')
        .trim()
        .normalize()
    )
  return isAlike(one, other)
}

const foldedTags = (tags: unknown) =>
  (Array.isArray(tags) ? tags : [])
    .map((tag) => String(tag).normalize().toLowerCase().trim())
    .sort()
    .join()

/** What the server adds by itself to what it is given. */
const ADDED = new Set(['winner'])

/** Whether two values say the same: destinations and times in any spelling, and what says nothing like what is left out. */
function isAlike(one: unknown, other: unknown): boolean {
  if (isNothing(one) && isNothing(other)) return true
  if (typeof one === 'string' && typeof other === 'string') return one === other || spelledOut(one) === spelledOut(other)
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, i) => isAlike(value, other[i]))
  }
  if (isRecord(one) && isRecord(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names].every((name) => isAlike(one[name], other[name]) || (ADDED.has(name) && other[name] === undefined))
  }
  return one === other
}

const isNothing = (value: unknown) => value === undefined || value === null || value === '' || value === false

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A URL or time in the one spelling that the server answers with; other text as it is. */
function spelledOut(text: string): string {
  if (/^\d{4}-\d\d-\d\d/.test(text)) {
    const time = new Date(text)
    return Number.isNaN(time.getTime()) ? text : time.toISOString()
  }
  return parseUrl(text.trim())?.href ?? text
}
