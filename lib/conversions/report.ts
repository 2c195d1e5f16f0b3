import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from '@/lib/actor'
import { ownersOf } from '@/lib/clicks/owners'
import { isRetryable, isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import type { FieldError } from '@/lib/errors'
import type { Listeners } from '@/lib/events/listeners'
import { noteEventsIn } from '@/lib/events/outbox'
import { type Message, say } from '@/lib/i18n/message'
import { type ClickIds, type NamedClick, WINDOW_DAYS } from '@/lib/routing/click-ids'
import { foundBy, SHOWN } from '@/lib/tools/issues'
import { fromMinor, toMinor } from '@/lib/tools/money'
import { DAY_HOURS, HOUR, MINUTE } from '@/lib/tools/time'
import { type Kept, withinBounds } from './bounds'
import { ConversionInput } from './schemas'
import { MOST_EVENTS } from './values'

export interface ConversionContext {
  db: DatabaseGateway
  clickIds: ClickIds
  listeners: Listeners
}

/** What became of one that was reported: what is wrong with it, where it was refused. */
export type Result = { outcome: 'counted'; id: bigint } | { outcome: 'repeated' } | { outcome: 'refused'; errors: FieldError[] }

/** One that can be counted. */
interface Found {
  place: number
  click: NamedClick
  /** Which event it is, of which account. */
  event: Buffer<ArrayBuffer>
  at: number
  name: string
  currency: string
  value: bigint
  /** Null: it came without. */
  eventId: string | null
}

/** How far ahead of ours the clock of who reports may be, and behind it. */
const CLOCKS = 5 * MINUTE
/** Two reports of one event, or of one click, may come at once: then the other is seen the next time. */
const ATTEMPTS = 10
const PAUSE = 10

/**
 * Counts what an account reports of clicks on its links. Each event is counted once, by the unique index on it, however often and
 * to whichever process it is reported. Whether a click is counted yet does not matter: its ID says all that is needed of it.
 * A click has MOST_EVENTS at most: more are refused.
 * @param inputs each is checked for itself
 * @param also done in the transaction that counts, with what came of each
 * @returns what came of each, in their order
 * @throws TerseError 'unavailable': nothing was counted, or all; reporting the same again is safe with an event ID
 */
export async function reportConversions(
  ctx: ConversionContext,
  account: Pick<Account, 'id'>,
  inputs: readonly unknown[],
  also: (tx: SqlTransaction, results: readonly Result[]) => Promise<void> = async () => {},
  now = Date.now(),
): Promise<Result[]> {
  const results: Result[] = inputs.map(() => ({ outcome: 'repeated' }))
  const found = inputs.flatMap((input, place): Found[] => {
    const read = readInput(ctx, account, input, place, now)
    if (!Array.isArray(read)) return [read]
    results[place] = { outcome: 'refused', errors: read }
    return []
  })
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.db.transaction(async (tx) => {
        const told = results.slice()
        const counted = await countIn(tx, ctx, account, found, told, now)
        for (const [place, id] of counted) told[place] = { outcome: 'counted', id }
        await also(tx, told)
        return told
      })
    } catch (error) {
      if (attempt >= ATTEMPTS || !(isRetryable(error) || isUniqueViolation(error, 'Conversion'))) throw error
      await delay(Math.random() * attempt * PAUSE)
    }
  }
}

/** @returns what is wrong with it, where it cannot be counted */
function readInput(
  { clickIds }: ConversionContext,
  { id: owner }: Pick<Account, 'id'>,
  input: unknown,
  place: number,
  now: number,
): Found | FieldError[] {
  const parsed = ConversionInput.safeParse(input, SHOWN)
  if (!parsed.success) return foundBy(parsed.error, 10)
  const { clickId, eventId = null, name, value, currency = '', at } = parsed.data
  const click = clickIds.read(clickId, now)
  if (click === 'forged') return wrong('clickId', say('api.conversion.forged'))
  if (click === 'expired') return wrong('clickId', say('api.conversion.expired', { days: WINDOW_DAYS }))
  const time = at?.getTime() ?? now
  if (time > now + CLOCKS) return wrong('at', say('api.conversion.future'))
  if (time < click.at - CLOCKS) return wrong('at', say('api.conversion.early'))
  const event = eventId === null ? randomBytes(16) : hashOf(`${owner}\n${eventId}`)
  const minor = value === undefined ? 0n : (toMinor(String(value), currency) ?? 0n)
  return { place, click, event, at: time, name, currency, value: minor, eventId }
}

const wrong = (path: string, message: Message): FieldError[] => [{ path, message }]

const hashOf = (text: string) => Buffer.from(createHash('sha256').update(text).digest().subarray(0, 16))

/**
 * Writes down those that are new, and adds them up.
 * @param results gets those that are refused
 * @returns ids of those that were counted, by their places
 */
async function countIn(
  tx: SqlTransaction,
  { listeners }: ConversionContext,
  { id: owner }: Pick<Account, 'id'>,
  found: readonly Found[],
  results: Result[],
  now: number,
): Promise<Map<number, bigint>> {
  const counted = new Map<number, bigint>()
  const read = <Row>(sql: string, values: unknown[]) => tx.rows<Row>(sql, values)
  const owners = await ownersOf(
    read,
    found.map(({ click }) => click.linkId),
  )
  const ours = found.filter(({ place, click }) => {
    if (owners.get(click.linkId) === owner) return true
    // What another account has is as unknown as what nobody has.
    results[place] = { outcome: 'refused', errors: wrong('clickId', say('api.conversion.notYours')) }
    return false
  })
  if (ours.length === 0) return counted
  const seen = await knownOf(
    tx,
    'event',
    ours.map(({ event }) => event),
  )
  const fresh = ours.filter(({ event }) => isNew(seen, event))
  const { kept, refused } = await withinBounds(tx, fresh)
  for (const { place } of refused) {
    results[place] = { outcome: 'refused', errors: wrong('clickId', say('api.conversion.many', { most: MOST_EVENTS })) }
  }
  const converted = await knownOf(
    tx,
    'firstOf',
    kept.map(({ click }) => click.key),
  )
  const rows = kept.map((one) => ({ ...one, id: nextId(), isFirst: one.value >= 0n && isNew(converted, one.click.key) }))
  await tx.insert('Conversion', COLUMNS, rows.map(rowOf))
  await addRollups(tx, rows)
  for (const { place, id } of rows) counted.set(place, id)
  if (rows.length > 0 && (await listeners.hears('conversion.created', owner, read))) {
    await noteEventsIn(
      tx,
      rows.map((row) => ({ kind: 'conversion.created', ownerId: owner, linkId: row.click.linkId, data: toldOf(row) })),
      now,
    )
  }
  return counted
}

/** Remembers it, if it was not known. */
function isNew(known: Set<string>, key: Buffer): boolean {
  const name = key.toString('hex')
  if (known.has(name)) return false
  known.add(name)
  return true
}

/** Which of some are in a column that has each once, as hex digits. */
async function knownOf(tx: SqlTransaction, column: 'event' | 'firstOf', keys: readonly Buffer[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const list = keys.map((key) => `x'${key.toString('hex')}'`).join()
  const rows = await tx.rows<{ name: string }>(
    `SELECT LOWER(HEX(${column})) AS name FROM Conversion WHERE ${column} IN (${list})`,
    [],
  )
  return new Set(rows.map(({ name }) => name))
}

const COLUMNS = ['linkId', 'clickedAt', 'id', 'event', 'firstOf', 'destination', 'at', 'name', 'currency', 'value'] as const

interface Counted extends Kept<Found> {
  id: bigint
  isFirst: boolean
}

const rowOf = ({ id, click, event, at, name, currency, value, isFirst }: Counted) => ({
  linkId: click.linkId,
  clickedAt: sqlTime(click.at),
  ...{ id, event, firstOf: isFirst ? click.key : null, destination: click.destination, at: sqlTime(at), name, currency, value },
})

const ROLLUP_KEY = ['linkId', 'span', 'hour', 'destination', 'name', 'currency'] as const
const ROLLUP_COUNTS = ['conversions', 'converted', 'value'] as const
const ADDING = ROLLUP_COUNTS.map((name) => `${name} = ${name} + VALUES(${name})`).join(', ')

/** Each by the hour and the day of its click, in the order of the key: so two reports do not wait for each other crosswise. */
async function addRollups(tx: SqlTransaction, counted: readonly Counted[]): Promise<void> {
  const rows = counted
    .flatMap(({ click, countedAs: name, currency, value, isFirst }) =>
      [1, DAY_HOURS].map((span) => ({
        linkId: click.linkId,
        span,
        hour: Math.floor(click.at / (span * HOUR)) * span,
        ...{ destination: click.destination, name, currency, value },
        conversions: value < 0n ? 0 : 1,
        converted: isFirst ? 1 : 0,
      })),
    )
    .sort((a, b) => Number(a.linkId - b.linkId) || a.span - b.span || a.hour - b.hour || a.destination.compare(b.destination))
  await tx.insert('ConversionRollup', [...ROLLUP_KEY, ...ROLLUP_COUNTS], rows, `ON DUPLICATE KEY UPDATE ${ADDING}`)
}

/** As webhooks are told; the link is added when that is done (lib/webhooks/dispatch.ts). */
const toldOf = ({ id, click, at, name, currency, value, eventId }: Counted) => ({
  conversion: {
    id: id.toString(),
    eventId,
    name,
    value: currency === '' ? null : fromMinor(value, currency),
    currency: currency || null,
    at: new Date(at).toISOString(),
    clickedAt: new Date(click.at).toISOString(),
  },
})
