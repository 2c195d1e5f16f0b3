import type { RedisGateway } from '@/lib/redis/gateway'
import { DAY } from '@/lib/tools/time'
import { madeAt } from '@/lib/tools/timed-id'
import { withTimeout } from '@/lib/tools/timeout'
import type { Entry } from './entry'
import { ALL_PARTITIONS, decodeBatch, ENTRY_FIELDS, fieldOf, GROUP, partitionKeys } from './stream'

/**
 * One name for all, since nothing hangs on it: an entry goes to the process that asks first, and to the next who asks once it
 * lay unsettled for long. Names of their own would be left behind by every process there ever was.
 */
export const CONSUMER = 'terse'
/** Entries read from one partition at a time. */
const READ = 64
const PATIENCE = 10_000
/** Ids of batches are remembered for longer (lib/clicks/sweep.ts): an older one could have been counted before. */
export const BATCH_LIFETIME = 30 * DAY

type RawEntry = [id: string, fields: string[] | null]

/** Reads entries from the streams of all partitions. */
export class EntryReader {
  /**
   * @param takeoverAfter how long an entry is left to a process that read it and went silent, in ms
   * @param onUnreadable hears of entries that can never be counted
   */
  constructor(
    private readonly redis: RedisGateway,
    private readonly takeoverAfter: number,
    private readonly onUnreadable: (entry: Pick<Entry, 'partition' | 'id'>, reason: string) => Promise<void>,
  ) {}

  /** Some entries that nobody has read, and those of silent processes where `takeOver` says so. @throws what Redis throws */
  async read(takeOver: boolean): Promise<Entry[]> {
    const ofAll = await Promise.all(
      ALL_PARTITIONS.map(async (partition) => [
        ...(takeOver ? await this.takeOver(partition) : []),
        ...(await this.readNew(partition)),
      ]),
    )
    return ofAll.flat()
  }

  private async readNew(partition: number): Promise<Entry[]> {
    const { stream } = partitionKeys(partition)
    const { client } = this.redis
    try {
      const reply = (await withTimeout(
        client.xreadgroup('GROUP', GROUP, CONSUMER, 'COUNT', READ, 'STREAMS', stream, '>'),
        PATIENCE,
        'Redis',
      )) as [stream: string, entries: RawEntry[]][] | null
      return await this.decode(partition, reply?.[0]?.[1] ?? [])
    } catch (error) {
      if (!isNoGroup(error)) throw error
      // From the start, to count the clicks that came before the group was created.
      await client.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM').catch((refusal: Error) => {
        if (!refusal.message.startsWith('BUSYGROUP')) throw refusal
      })
      return []
    }
  }

  /** Entries of a process that read them and was not heard of since. */
  private async takeOver(partition: number): Promise<Entry[]> {
    const { stream } = partitionKeys(partition)
    try {
      const [, entries] = (await withTimeout(
        this.redis.client.xautoclaim(stream, GROUP, CONSUMER, this.takeoverAfter, '0-0', 'COUNT', READ),
        PATIENCE,
        'Redis',
      )) as [next: string, entries: (RawEntry | null)[]]
      return await this.decode(
        partition,
        entries.filter((entry) => entry !== null),
      )
    } catch (error) {
      if (isNoGroup(error)) return []
      throw error
    }
  }

  private async decode(partition: number, raw: RawEntry[]): Promise<Entry[]> {
    const entries: Entry[] = []
    for (const [id, fields] of raw) {
      try {
        const clicks = fieldOf(fields, ENTRY_FIELDS[1])
        const batch = decodeBatch(fieldOf(fields, ENTRY_FIELDS[0]), clicks)
        if (Date.now() - madeAt(batch.id) > BATCH_LIFETIME) throw new Error('too old to know whether it was counted')
        entries.push({ partition, id, batch, length: clicks?.length ?? 0 })
      } catch (error) {
        await this.onUnreadable({ partition, id }, (error as Error).message)
      }
    }
    return entries
  }
}

const isNoGroup = (error: unknown) => error instanceof Error && error.message.startsWith('NOGROUP')
