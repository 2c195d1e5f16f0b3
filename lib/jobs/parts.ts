import type { DatabaseGateway } from '@/lib/db/gateway'
import { Breath } from '@/lib/tools/breath'

/** Rows in one part of a job's list: a turn reads no more than it needs. */
const ROWS_PER_PART = 1_000
/**
 * Bytes of a part: what is made of one stays a short stretch of work, and far below the packet that a server takes, even where
 * each character is escaped. A single row may be longer.
 */
const PART_BYTES = 200_000

/**
 * Writes the rows of a job as they come, before the job is there: its account, and the statement, are not to wait for them. Those
 * of a job that never comes go with a sweep (./sweep.ts), or by `dropParts`.
 */
export class PartWriter {
  rows = 0
  /** Bytes of what was written and of what is gathered, as JSON. */
  bytes = 0
  private first = 0
  private some: string[] = []
  private size = 0
  private readonly breath = new Breath()

  constructor(
    private readonly db: Pick<DatabaseGateway, 'change'>,
    private readonly jobId: bigint,
  ) {}

  /** @throws TerseError 'unavailable' */
  async add(row: unknown): Promise<void> {
    const text = JSON.stringify(row)
    // With the comma behind it; and the array has two brackets.
    const size = Buffer.byteLength(text) + 1
    if (this.some.length === ROWS_PER_PART || (this.some.length > 0 && this.size + size >= PART_BYTES)) await this.flush()
    this.some.push(text)
    this.size += size
    this.bytes += size
    this.rows += 1
    if (this.breath.isDue) await this.breath.pause()
  }

  /** Writes the last of them. @throws TerseError 'unavailable' */
  async end(): Promise<void> {
    if (this.some.length > 0) await this.flush()
  }

  private async flush(): Promise<void> {
    const values = [this.jobId, this.first, `[${this.some.join()}]`]
    await this.db.change('INSERT INTO JobPart (jobId, part, content) VALUES (?, ?, ?)', ...values)
    this.bytes += 1
    this.first = this.rows
    this.some = []
    this.size = 0
  }
}

/** All rows of a job, which are few enough to be at hand. @throws TerseError 'unavailable' */
export async function writeAll(
  db: Pick<DatabaseGateway, 'change'>,
  jobId: bigint,
  rows: readonly unknown[],
): Promise<PartWriter> {
  const writer = new PartWriter(db, jobId)
  for (const row of rows) await writer.add(row)
  await writer.end()
  return writer
}
