import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { ImportRow } from '@/lib/links/import-source'
import { failureOf, type Outbound, type OutboundAnswer, type OutboundRequest, retryAfterOf } from '@/lib/net/outbound'
import { levelsOf, MOST_LEVELS } from '@/lib/tools/json-levels'
import { unpackedBeginning } from '@/lib/tools/unpacked'
import { parseUrl } from '@/lib/tools/url'
import { notAnswering, notAsExpected, notReachable } from './errors'

/** Where the list of another system goes on. Kept with the job; short. */
export type Cursor = Readonly<Record<string, string | number>>

/** Links of one request. */
export interface LivePage<C> {
  rows: ImportRow[]
  /** How many links there are in all; null: it does not say. */
  total: number | null
  next: C | null
  /** `next` is for when fewer links came than there are. */
  isOnlyIfMissing?: true
}

/** How a system is asked for its links, page after page. */
export interface Live<C extends Cursor = Cursor> {
  /** What it calls what lets us in; null: nothing is needed. */
  key: 'key' | 'signature' | null
  /** Where its API is, for one that is in a single place. */
  address?: string
  begin: C
  page: (ask: Ask, cursor: C, file: AskFile) => Promise<LivePage<C>>
}

/** The same, of which nobody but itself knows what its cursor holds. */
export const live = <C extends Cursor>(of: Live<C>): Live => of as unknown as Live

interface Asking {
  /** A header for the key. */
  keyIn?: string
  /** In the header before the key, or the field of the form that it is. */
  keyAs?: string
  /** Sent as a form; the key is never in a URL, which servers write to their logs. */
  form?: Readonly<Record<string, string>>
  /** Statuses that stand for null. */
  isNothing?: readonly number[]
}

/** Where a list, newest first, has been read to: how many rows are before the page, and how many there were in all until then. */
interface Place {
  before: number
  /** -1: this is the first page. */
  total: number
}

/**
 * Where a list goes on that is asked for by place. What was deleted there meanwhile has moved the rest forward, over the place:
 * so many rows are asked for again. What was created came before the first, and moves nothing over it.
 * @param rows of this page
 * @param total of this page
 */
export function placeAfter({ before, total: known }: Place, rows: number, total: number): Place {
  const gone = Math.max(0, known - total)
  return { before: gone > 0 ? Math.max(0, before - gone) : before + rows, total }
}

/** More links than any system has, and no more than a job's total has room for. */
const MOST_TOLD = 1_000_000_000

/** A number of rows that was told; 0 where it is none. */
export const countOf = (said: unknown): number =>
  Number.isSafeInteger(Number(said)) ? Math.min(Math.max(0, Number(said)), MOST_TOLD) : 0

/** Asks another system, at a path below its address, or at a URL of the same origin. The answer is JSON. */
export type Ask = <T>(path: string, how: Asking) => Promise<T>

/** Asks for a file: the one at the address itself, or another of the same origin. @returns its bytes, unpacked */
export type AskFile = (path: string | null) => Promise<Uint8Array>

const TIMEOUT = 30_000
/** Bytes of a file: most sitemaps have a tenth. */
const MOST_OF_FILE = 16 * 1024 * 1024
const MOST_BYTES = 4 * 1024 * 1024
/** When one that does not answer is asked again, in s. */
const AWAY = 5
/** Links of an answer, as many as any system is asked for. */
const MOST_LISTED = 1_000
/** Commas of an answer: what reading it takes grows with its values, however short they are. */
const MOST_COMMAS = 200_000
const COMMA = 44

/** The links of an answer. @throws TerseError 'bad_request' where there are more than anyone asked for */
export function listed<T>(links: readonly T[]): readonly T[] {
  if (links.length > MOST_LISTED) throw notAsExpected()
  return links
}

/** @throws by `ask`: TerseError 'rate_limited' where it may be asked later, 'bad_request' where that helps nothing */
export function asker(outbound: Outbound, address: URL, key: string): Ask {
  const base = new URL(address.pathname.endsWith('/') ? address.href : `${address.href}/`)
  return async <T>(path: string, how: Asking): Promise<T> => {
    const url = parseUrl(path, base)
    // What it answers may name another host, which is not to have the key.
    if (url?.origin !== base.origin) throw notAsExpected()
    const answer = await answerOf(outbound, url, requestOf(how, key))
    if (how.isNothing?.includes(answer.status)) return null as T
    requireGood(url, answer)
    const text = answer.body.toString('utf8')
    if (commasIn(answer.body) > MOST_COMMAS || levelsOf(text) > MOST_LEVELS) throw notAsExpected()
    try {
      return JSON.parse(text) as T
    } catch {
      throw notAsExpected()
    }
  }
}

function commasIn(bytes: Uint8Array): number {
  let commas = 0
  for (const byte of bytes) if (byte === COMMA) commas += 1
  return commas
}

/** @throws as `asker` */
export function fileAsker(outbound: Outbound, address: URL): AskFile {
  return async (path) => {
    const url = path === null ? address : parseUrl(path, address)
    if (url?.origin !== address.origin) throw notAsExpected()
    const headers = { Accept: 'application/xml, text/xml, */*', 'Accept-Encoding': 'gzip, deflate, br' }
    const answer = await answerOf(outbound, url, { timeout: TIMEOUT, maxBytes: MOST_OF_FILE, ports: 'open', headers })
    requireGood(url, answer)
    const bytes = await unpackedBeginning(answer.body, MOST_OF_FILE)
    if (bytes.length >= MOST_OF_FILE) throw notAsExpected()
    return bytes
  }
}

function requestOf({ keyIn, keyAs, form }: Asking, key: string): OutboundRequest {
  const common = { timeout: TIMEOUT, maxBytes: MOST_BYTES, ports: 'open' } as const
  const headers = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, deflate, br',
    ...(keyIn && key !== '' && { [keyIn]: keyAs ? `${keyAs} ${key}` : key }),
  }
  if (!form) return { ...common, headers }
  const fields = new URLSearchParams({ ...form, ...(keyAs && key !== '' && { [keyAs]: key }) })
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return { ...common, method: 'POST', headers: { ...headers, ...type }, body: fields.toString() }
}

/** @throws TerseError */
async function answerOf(outbound: Outbound, url: URL, request: OutboundRequest): Promise<OutboundAnswer> {
  try {
    return await outbound.fetch(url, request)
  } catch (error) {
    const fault = failureOf(error)
    const isOver = fault === 'private' || fault === 'port' || fault === 'scheme' || fault === 'credentials'
    if (isOver) throw notReachable('bad_request', url.host, error)
    throw notAnswering(url.host, AWAY)
  }
}

/** @throws TerseError */
function requireGood({ host }: URL, answer: OutboundAnswer): void {
  const { status, headers, isCut } = answer
  if (status === 429 || status >= 500) throw notAnswering(host, retryAfterOf(answer, AWAY))
  if (status === 401 || status === 403) throw new TerseError('bad_request', say('api.move.key', { host }))
  if (status >= 300 && status < 400) {
    throw new TerseError('bad_request', say('api.move.redirected', { to: String(headers.location ?? '').slice(0, 200) }))
  }
  if (status !== 200) throw new TerseError('bad_request', say('api.move.noApi', { host, status }))
  if (isCut) throw notAsExpected()
}
