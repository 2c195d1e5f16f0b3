import type { RedisGateway } from '@/lib/redis/gateway'
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
      for (const [id, fields] of entries) yield toLetter(partition, id, fields)
      const last = entries.at(-1)
      if (!last || entries.length < READ) break
      from = `(${last[0]}`
    }
  }
}

/** One dead letter, or null when there is none of that id. @throws what Redis throws */
export async function findDeadLetter({ client }: RedisGateway, partition: number, id: string): Promise<DeadLetter | null> {
  const [entry] = await client.xrange(partitionKeys(partition).dead, id, id)
  return entry ? toLetter(partition, entry[0], entry[1]) : null
}

function toLetter(partition: number, id: string, fields: string[]): DeadLetter {
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
