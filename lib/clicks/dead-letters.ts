import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { RedisGateway } from '@/lib/redis/gateway'
import { withTimeout } from '@/lib/tools/timeout'
import type { DeadLetterView } from './schemas'
import { ALL_PARTITIONS, ENTRY_FIELDS, fieldOf, partitionKeys, REFUSED, TRIES } from './stream'

/** An entry that could not be counted and was put aside. */
export interface DeadLetter {
  partition: number
  /** Its id among the dead letters, which begins with when it was put there, in ms since 1970. */
  id: string
  reason: string
  /** How often it was tried. */
  tries: number
  /** The batch's id and its clicks, as they came. */
  fields: [batch: string, clicks: string]
}

/** Letters that are read at a time. */
const READ = 100

/**
 * All dead letters there are, oldest first in each partition. What is put aside meanwhile is left out: one that is sent on
 * its way again may be back at once.
 * @throws what Redis throws
 */
export async function* deadLetters({ client }: RedisGateway): AsyncGenerator<DeadLetter> {
  for (const partition of ALL_PARTITIONS) {
    const { dead } = partitionKeys(partition)
    const [end] = await client.xrevrange(dead, '+', '-', 'COUNT', 1)
    for (let from = '-'; end; ) {
      const entries = await client.xrange(dead, from, end[0], 'COUNT', READ)
      for (const [id, fields] of entries) yield letterOf(partition, id, fields)
      const last = entries.at(-1)
      if (!last || entries.length < READ) break
      from = `(${last[0]}`
    }
  }
}

/** One dead letter, or null when there is none of that id. @throws what Redis throws */
export async function findDeadLetter({ client }: RedisGateway, partition: number, id: string): Promise<DeadLetter | null> {
  const [entry] = await client.xrange(partitionKeys(partition).dead, id, id)
  return entry ? letterOf(partition, entry[0], entry[1]) : null
}

function letterOf(partition: number, id: string, fields: string[]): DeadLetter {
  const [batch, clicks] = ENTRY_FIELDS.map((name) => fieldOf(fields, name) ?? '')
  const reason = fieldOf(fields, 'reason') ?? ''
  return { partition, id, reason, tries: reason.startsWith(REFUSED) ? TRIES : 1, fields: [batch ?? '', clicks ?? ''] }
}

/** Gives up a dead letter: its clicks are never counted. @throws what Redis throws */
export async function drop({ client }: RedisGateway, { partition, id }: DeadLetter): Promise<void> {
  await client.xdel(partitionKeys(partition).dead, id)
}

/** Sends a dead letter on its way again, in one step. It counts once even if it was counted before. @throws what Redis throws */
export async function revive({ client }: RedisGateway, { partition, id, fields }: DeadLetter): Promise<void> {
  const { stream, dead } = partitionKeys(partition)
  const entry = ENTRY_FIELDS.flatMap((name, i) => [name, fields[i] ?? ''])
  await client
    .multi()
    .xadd(stream, '*', ...entry)
    .xdel(dead, id)
    .exec()
}

/** Letters in one answer. */
const SHOWN = 200
/** Letters dealt with at a time. */
const BATCH = 100
/** How long Redis may take for so many, in ms. */
const PATIENCE = 5_000

type Context = { redis: RedisGateway }

/** Clicks that could not be counted, the oldest of each partition first. @throws TerseError 'unavailable' */
export async function listDeadLetters({ redis }: Context): Promise<{ letters: DeadLetterView[]; total: number }> {
  const counts = await patiently(() => Promise.all(ALL_PARTITIONS.map((at) => redis.client.xlen(partitionKeys(at).dead))))
  const letters: DeadLetterView[] = []
  for await (const letter of all(redis)) {
    if (letters.length === SHOWN) break
    letters.push(toView(letter))
  }
  return { letters, total: counts.reduce((sum, count) => sum + count, 0) }
}

const ACTIONS = { retry: revive, drop } as const

/**
 * Sends dead letters on their way again, or gives them up for good.
 * @param ids of those, as `listDeadLetters` has them; undefined: all there are
 * @returns how many of them there were
 * @throws TerseError 'not_found' when there is none, 'validation_failed', 'unavailable'
 */
export async function handleDeadLetters(
  { redis }: Context,
  action: keyof typeof ACTIONS,
  ids: readonly string[] | undefined,
): Promise<number> {
  let handled = 0
  let batch: DeadLetter[] = []
  const handle = async () => {
    await patiently(() => Promise.all(batch.map((letter) => ACTIONS[action](redis, letter))))
    handled += batch.length
    batch = []
  }
  for await (const letter of ids ? named(redis, ids) : all(redis)) {
    batch.push(letter)
    if (batch.length === BATCH) await handle()
  }
  await handle()
  if (handled === 0) throw new TerseError('not_found', say('api.system.noLetters'))
  return handled
}

async function* all(redis: RedisGateway): AsyncGenerator<DeadLetter> {
  const letters = deadLetters(redis)
  for (;;) {
    const next = await patiently(() => letters.next())
    if (next.done) return
    yield next.value
  }
}

async function* named(redis: RedisGateway, ids: readonly string[]): AsyncGenerator<DeadLetter> {
  for (const { partition, id } of [...new Set(ids)].map(parseId)) {
    const letter = await patiently(() => findDeadLetter(redis, partition, id))
    if (letter) yield letter
  }
}

/** @throws TerseError 'validation_failed' */
function parseId(text: string): { partition: number; id: string } {
  const [, partition, id] = /^(\d)-(\d{1,15}-\d{1,15})$/.exec(text) ?? []
  if (id === undefined || !ALL_PARTITIONS.includes(Number(partition)))
    throw invalidField('ids', say('api.system.noLetter', { id: text }))
  return { partition: Number(partition), id }
}

function toView({ partition, id, reason, tries, fields: [, clicks] }: DeadLetter): DeadLetterView {
  const at = new Date(Number.parseInt(id, 10)).toISOString()
  return { id: `${partition}-${id}`, partition, at, clicks: countClicks(clicks), error: reason, tries }
}

/** 0 for what cannot be read, which is why it lies here. */
function countClicks(text: string): number {
  try {
    const clicks: unknown = JSON.parse(text)
    return Array.isArray(clicks) ? clicks.length : 0
  } catch {
    return 0
  }
}

/** @throws TerseError 'unavailable' for whatever Redis throws, and when it says nothing */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(work(), PATIENCE, 'Redis')
  } catch (cause) {
    throw new TerseError('unavailable', say('api.system.redis'), { retryAfter: 2, cause })
  }
}
