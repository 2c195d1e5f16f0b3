import { Cluster } from 'ioredis'
import type { RedisClient } from '@/lib/redis/gateway'
import { partitionKeys } from './stream'

/** Redis did not say in time that so many replicas have what was written. The master, and some of them, may have it. */
export class TooFewReplicas extends Error {
  override readonly name = 'TooFewReplicas'
}

/** What it takes for entries to count as kept. */
export interface Replication {
  /** How many replicas must have them, besides the master (CLICK_REPLICAS). */
  replicas: number
  /** How long these may take, in ms. Redis answers nothing else on this connection meanwhile. */
  patience: number
}

/**
 * Adds entries to the stream of a partition, and waits for the replicas. By WAIT, which speaks of what its own connection wrote:
 * a script cannot wait, and on a Redis Cluster both commands must go to the same node.
 * @param entries names and values of fields, in turn
 * @throws TooFewReplicas; what Redis throws. Some or all of them may be in the stream then.
 */
export async function addEntries(
  client: RedisClient,
  partition: number,
  entries: readonly (readonly string[])[],
  { replicas, patience }: Replication,
): Promise<void> {
  const { stream } = partitionKeys(partition)
  if (replicas === 0) {
    await Promise.all(entries.map((fields) => client.xadd(stream, '*', ...fields)))
    return
  }
  const pipeline = client.pipeline()
  for (const fields of entries) pipeline.xadd(stream, '*', ...fields)
  const answers = (await pipeline.wait(replicas, patience).exec()) ?? []
  for (const [error] of answers) if (error) throw moved(client, error)
  const reached = Number(answers.at(-1)?.[1] ?? 0)
  if (reached < replicas) throw new TooFewReplicas(`${reached} of ${replicas} replicas have the clicks`)
}

/**
 * How many entries are sent at once. One alone as long as replicas are missing: the master takes what is sent each time, and what
 * is not known to be on its replicas is sent once more.
 */
export class SendSize {
  private isProbing = false

  constructor(private readonly most: number) {}

  get entries(): number {
    return this.isProbing ? 1 : this.most
  }

  /** Learns from an attempt to send some. @throws what that throws */
  async learnFrom(attempt: Promise<unknown>): Promise<void> {
    try {
      await attempt
      this.isProbing = false
    } catch (error) {
      this.isProbing ||= error instanceof TooFewReplicas
      throw error
    }
  }
}

/** A pipeline is not sent on to where its keys are now, as a command is. */
function moved(client: RedisClient, error: Error): Error {
  if (client instanceof Cluster && error.message.startsWith('MOVED')) client.refreshSlotsCache()
  return error
}
