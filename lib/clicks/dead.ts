import type { RedisGateway } from '@/lib/redis/gateway'
import { ALL_PARTITIONS, ENTRY_FIELDS, fieldOf, partitionKeys } from './stream'

/** An entry that could not be counted and was put aside. */
export interface DeadLetter {
  partition: number
  /** Its id among the dead letters, which begins with when it was put there, in ms since 1970. */
  id: string
  reason: string
  /** The batch's id and its clicks, as they came. */
  fields: [batch: string, clicks: string]
}

const READ = 100

/** All dead letters, oldest first in each partition. @throws what Redis throws */
export async function* deadLetters({ client }: RedisGateway): AsyncGenerator<DeadLetter> {
  for (const partition of ALL_PARTITIONS) {
    const { dead } = partitionKeys(partition)
    for (let from = '-'; ; ) {
      const entries = await client.xrange(dead, from, '+', 'COUNT', READ)
      for (const [id, fields] of entries) {
        const [batch, clicks] = ENTRY_FIELDS.map((name) => fieldOf(fields, name) ?? '')
        yield { partition, id, reason: fieldOf(fields, 'reason') ?? '', fields: [batch ?? '', clicks ?? ''] }
      }
      const last = entries.at(-1)
      if (!last || entries.length < READ) break
      from = `(${last[0]}`
    }
  }
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
