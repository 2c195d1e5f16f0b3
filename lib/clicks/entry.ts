import { ALL_PARTITIONS, type Batch } from './stream'

/** Entries of one transaction at most, and characters in these: it is all in memory, some of it twice. */
const MOST_ENTRIES = 8_000
const MOST_TEXT = 12_000_000

/** A batch as it lies in a stream. */
export interface Entry {
  partition: number
  /** Its id in the stream. */
  id: string
  batch: Batch
  /** Characters that its clicks took. */
  length: number
}

/** Ids of entries by the partition in which they lie. */
export function byPartition(entries: readonly Entry[]): [partition: number, ids: string[]][] {
  return ALL_PARTITIONS.map((partition): [number, string[]] => [
    partition,
    entries.filter((entry) => entry.partition === partition).map(({ id }) => id),
  ]).filter(([, ids]) => ids.length > 0)
}

/** The room of one transaction: entries are added until there is none left. */
export class Room {
  private clicks: number
  private entries = MOST_ENTRIES
  private length = MOST_TEXT

  /** @param clicks how many it has room for */
  constructor(clicks: number) {
    this.clicks = clicks
  }

  take({ batch, length }: Entry): void {
    this.clicks -= batch.clicks.length
    this.entries -= 1
    this.length -= length
  }

  get isFull(): boolean {
    return this.clicks <= 0 || this.entries <= 0 || this.length <= 0
  }
}
