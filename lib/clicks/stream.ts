import type { CapturedClick } from './click'

/**
 * Streams that clicks are spread over, so that they find room on a Redis Cluster. Never lower it: what lies in the last would
 * stay.
 */
export const PARTITIONS = 4
export const GROUP = 'terse'
/** Fields of an entry: the batch's id, its clicks. */
export const ENTRY_FIELDS = ['i', 'c'] as const

/** Tries of an entry that MySQL refuses, before it is put aside. */
export const TRIES = 3
/** How the reason begins for which such an entry was put aside. Of any other there was one try: it cannot be read. */
export const REFUSED = 'refused: '

/** A field of an entry, whose names and values come in turn. */
export function fieldOf(fields: readonly string[] | null, name: string): string | undefined {
  const at = fields?.findIndex((text, i) => i % 2 === 0 && text === name) ?? -1
  return at === -1 ? undefined : fields?.[at + 1]
}

const KEYS = Array.from({ length: PARTITIONS }, (_, partition) => ({
  stream: `{clicks:${partition}}:stream`,
  dead: `{clicks:${partition}}:dead`,
}))

export function partitionKeys(partition: number) {
  const keys = KEYS[partition]
  if (!keys) throw new RangeError(`no partition ${partition}`)
  return keys
}

export const ALL_PARTITIONS = KEYS.map((_, partition) => partition)

/** Clicks that travel together: all of one turn of the event loop. */
export interface Batch {
  /** A timed one. Applied once at most. */
  id: string
  clicks: CapturedClick[]
}

/**
 * A click as it travels: the fields of CapturedClick in their order, without the empty ones at the end. A destination is put
 * before the query, where the previous release skips it (docs/decisions/0042-routing.md): a tenth field it refuses.
 */
export type Wire = (string | number)[]
/** Its fields, and so the most that one may have. */
const FIELDS = 9

/** Spelled out: this is done for every redirect. */
export function toWire(click: CapturedClick): Wire {
  const { linkId, at, visitor, network, country, referrer, userAgent, language, query, destination } = click
  const last = destination === '' ? query : withDestination(query, destination)
  const wire: Wire = [linkId, at, visitor, network, country, referrer, userAgent, language, last]
  while (wire[wire.length - 1] === '') wire.pop()
  return wire
}

/** As a parameter without a name before the others. What a visitor sends begins with a question mark, and so never like it. */
const withDestination = (query: string, destination: string) =>
  `=${destination.replace(/[%&]/g, encodeURIComponent)}${query && `&${query.slice(1)}`}`

function splitLast(text: string): Pick<CapturedClick, 'query' | 'destination'> {
  const end = text.indexOf('&')
  const destination = end === -1 ? text.slice(1) : text.slice(1, end)
  return { query: end === -1 ? '' : `?${text.slice(end + 1)}`, destination: destination.replace(/%2[56]/g, decodeURIComponent) }
}

export const encodeClicks = (clicks: Wire[]) => JSON.stringify(clicks)

/** @throws Error saying what is wrong with a batch that cannot be read */
export function decodeBatch(id: string | undefined, clicks: string | undefined): Batch {
  if (id === undefined || !/^[0-9a-f]{32}$/.test(id)) throw new Error('no batch id')
  const parsed: unknown = JSON.parse(clicks ?? '')
  if (!Array.isArray(parsed) || parsed.length === 0) throw new Error('no clicks')
  return { id, clicks: parsed.map(fromWire) }
}

const MAX_ID = 2n ** 63n
const MAX_TIME = Date.UTC(9999, 0, 1)

function fromWire(wire: unknown): CapturedClick {
  if (!Array.isArray(wire) || wire.length > FIELDS) throw new Error('not a click')
  const [linkId, at, visitor, ...texts] = wire as unknown[]
  if (typeof linkId !== 'string' || !/^\d{1,19}$/.test(linkId) || BigInt(linkId) >= MAX_ID) throw new Error('no link id')
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || at >= MAX_TIME) throw new Error('no time')
  if (typeof visitor !== 'string' || !/^[0-9a-f]{16}$/.test(visitor)) throw new Error('no visitor')
  if (!texts.every((text) => typeof text === 'string')) throw new Error('not text')
  const [network = '', country = '', referrer = '', userAgent = '', language = '', last = ''] = texts as string[]
  const { query, destination } = last.startsWith('=') ? splitLast(last) : { query: last, destination: '' }
  return { linkId, at, visitor, network, country, referrer, userAgent, language, query, destination }
}
