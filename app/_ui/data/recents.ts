import { useSyncExternalStore } from 'react'
import type { LinkView } from '@/lib/links/schemas'
import { LINK_KINDS, LINK_STATES, type LinkKind, type LinkState } from '@/lib/links/values'
import { parseUrl } from '@/lib/tools/url'

/**
 * The links made in this browser, newest first, with the keys that change them. They live in localStorage
 * and nowhere else, so whatever is found there is kept if it can be: a field that is missing or odd gets
 * its default, and only what could not name a link is left out.
 */

export const MAX_RECENTS = 100
const STORAGE_KEY = 'terse:links'

export interface RecentLink {
  code: string
  domain: string
  shortUrl: string
  url: string
  /** null once an account owns it: then its session opens the link. */
  manageToken: string | null
  title: string
  state: LinkState
  kind: LinkKind
  createdAt: string
  expiresAt: string | null
  startsAt: string | null
  hasPassword: boolean
  /** Others were given it too: only its title can still change. */
  shared: boolean
  clicks: number
  /** Set once the server no longer knows the link, or no longer takes its key. */
  lost?: 'gone' | 'refused' | undefined
  /** To take it into an account was offered, and declined or refused. */
  declined: boolean
}

type Fields = Partial<Record<keyof RecentLink, unknown>>

/** Half of a character could be in no address, and makes `encodeURIComponent` throw. */
const textOf = (value: unknown) => (typeof value === 'string' && !/\p{Cs}/u.test(value) ? value : null)
const timeOf = (value: unknown) => (typeof value === 'string' && Number.isFinite(Date.parse(value)) ? value : null)
const isHttp = (text: string | null) => text !== null && /^https?:$/.test(parseUrl(text)?.protocol ?? '')

/** What is kept of a link, or null for what names none. */
function recentOf(value: unknown): RecentLink | null {
  const found = (value ?? {}) as Fields
  const [code, domain, shortUrl, url] = [found.code, found.domain, found.shortUrl, found.url].map(textOf)
  const manageToken = textOf(found.manageToken)
  if (!code || !domain || !shortUrl || !url || !isHttp(shortUrl) || !isHttp(url)) return null
  if (manageToken === '' || (manageToken === null && found.manageToken !== null)) return null
  return {
    code,
    domain,
    shortUrl,
    url,
    manageToken,
    title: textOf(found.title) ?? '',
    state: LINK_STATES.find((state) => state === found.state) ?? 'active',
    kind: LINK_KINDS.find((kind) => kind === found.kind) ?? 'short',
    createdAt: timeOf(found.createdAt) ?? new Date().toISOString(),
    expiresAt: timeOf(found.expiresAt),
    startsAt: timeOf(found.startsAt),
    hasPassword: found.hasPassword === true,
    shared: found.shared === true,
    // What JSON writes as 1e999 is read as a number without an end.
    clicks: Number.isSafeInteger(found.clicks) ? Number(found.clicks) : 0,
    lost: found.lost === 'gone' || found.lost === 'refused' ? found.lost : undefined,
    declined: found.declined === true,
  }
}

type Recents = readonly RecentLink[]

export const sameLink = (a: { code: string; domain: string }, b: { code: string; domain: string }) =>
  a.code === b.code && a.domain === b.domain

export const keyOf = (link: { code: string; domain: string }) => `${link.domain}/${link.code}`

/** @returns undefined while it is not known yet: on the server and until the page has come alive */
export function useRecents(): Recents | undefined {
  return useSyncExternalStore(subscribe, snapshot, () => undefined)
}

/** Remembers a link just made or restored. */
export function rememberLink(view: Omit<LinkView, 'manageToken'> & { manageToken: string | null }): void {
  const link = recentOf(view)
  if (!link) return
  change((links) =>
    insertByAge(
      link,
      links.filter((other) => !sameLink(other, link)),
    ),
  )
}

/** Takes over what the server says about a link that is in the list. */
export function refreshRecent(view: LinkView): void {
  change((links) => links.map((link) => (sameLink(link, view) ? (recentOf({ ...view, ...keptOf(link) }) ?? link) : link)))
}

/** What only this browser knows of a link. */
const keptOf = ({ manageToken, createdAt, declined }: RecentLink) => ({ manageToken, createdAt, declined })

/** The account that is signed in owns these links now: their keys no longer open them. */
export function markClaimed(views: readonly LinkView[]): void {
  change((links) => links.map((link) => (views.some((view) => sameLink(view, link)) ? { ...link, manageToken: null } : link)))
}

/** These links are not to be offered to an account again. */
export function markDeclined(declined: Recents): void {
  change((links) => links.map((link) => (declined.some((one) => sameLink(one, link)) ? { ...link, declined: true } : link)))
}

export function markLost(link: { code: string; domain: string }, lost: 'gone' | 'refused'): void {
  change((links) => links.map((other) => (sameLink(other, link) ? { ...other, lost } : other)))
}

export function forgetLink(link: { code: string; domain: string }): void {
  change((links) => links.filter((other) => !sameLink(other, link)))
}

/** All links with their keys, as text for a file. */
export function exportRecents(): string {
  return `${JSON.stringify(snapshot(), null, 2)}\n`
}

/**
 * Adds the links of an exported file to the list.
 * @returns how many were new, or null when the text is no such file
 */
export function importRecents(text: string): number | null {
  const imported = parse(text)
  if (!imported) return null
  const before = snapshot()
  const added = imported.filter((link) => !before.some((other) => sameLink(other, link)))
  change((links) => added.reduce<Recents>((all, link) => insertByAge(link, all), links))
  return added.length
}

const listeners = new Set<() => void>()
let cached: { text: string | null; links: Recents } = { text: null, links: [] }
/** Stands in where the browser refuses storage; lasts as long as the page. */
let memory: string | null = null

function readText(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? memory
  } catch {
    return memory
  }
}

function snapshot(): Recents {
  const text = readText()
  if (text !== cached.text) cached = { text, links: text === null ? [] : (parse(text) ?? []) }
  return cached.links
}

function parse(text: string): RecentLink[] | undefined {
  try {
    const json: unknown = JSON.parse(text)
    if (!Array.isArray(json)) return undefined
    return json.flatMap((item: unknown) => {
      const link = recentOf(item)
      return link ? [link] : []
    })
  } catch {
    return undefined
  }
}

function change(update: (links: Recents) => Recents): void {
  const text = JSON.stringify(update(snapshot()).slice(0, MAX_RECENTS))
  memory = null
  try {
    localStorage.setItem(STORAGE_KEY, text)
  } catch {
    memory = text
  }
  for (const listener of listeners) listener()
}

function insertByAge(link: RecentLink, links: Recents): Recents {
  const position = links.findIndex((other) => other.createdAt <= link.createdAt)
  return position === -1 ? [...links, link] : [...links.slice(0, position), link, ...links.slice(position)]
}

function subscribe(listener: () => void): () => void {
  // Another tab changed the list (or cleared everything, which has no key).
  const onStorage = (event: StorageEvent) => {
    if (event.key === STORAGE_KEY || event.key === null) listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}
