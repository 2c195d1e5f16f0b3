import { invalidField, TerseError } from '@/lib/errors'
import type { RedisGateway } from '@/lib/redis/gateway'
import { withTimeout } from '@/lib/tools/timeout'
import { type DeadLetter, deadLetters, drop, findDeadLetter, revive } from './dead'
import type { DeadLetterView } from './schemas'
import { ALL_PARTITIONS, partitionKeys } from './stream'

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
  if (handled === 0) throw new TerseError('not_found', 'There are no such dead letters, or not any more.')
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
  if (id === undefined || !ALL_PARTITIONS.includes(Number(partition))) throw invalidField('ids', `“${text}” is no dead letter.`)
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
    throw new TerseError('unavailable', 'Redis does not answer right now. Try again shortly.', { retryAfter: 2, cause })
  }
}
