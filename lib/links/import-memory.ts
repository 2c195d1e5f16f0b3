import type { DatabaseGateway } from '@/lib/db/gateway'
import type { RunningJob } from '@/lib/jobs/running-job'
import { Rehearsed } from './rehearsal'
import { SeenCodes } from './seen-codes'

/** What an import remembers of its rows from one turn to the next. */
export interface Memory {
  /** The short links of rows that were, or would be, created. */
  codes: SeenCodes
  labels: Rehearsed
}

/** Imports that are remembered at once: of more, the memory is read again from what was written of their rows. */
const MOST = 4

/** Items that one statement reads. */
const PAGE = 5_000

/** The memory of the imports that this process has turns of. */
export class ImportMemories {
  private readonly memories = new Map<string, Memory>()

  /** That of a job, brought up to where it goes on. @throws TerseError 'unavailable' */
  async of(db: Pick<DatabaseGateway, 'rows'>, { row, done }: RunningJob<unknown>): Promise<Memory> {
    const key = `${row.id} ${row.mode}`
    const memory = this.memories.get(key) ?? { codes: new SeenCodes(), labels: new Rehearsed() }
    this.memories.delete(key)
    this.memories.set(key, memory)
    for (const old of [...this.memories.keys()].slice(0, -MOST)) this.memories.delete(old)
    const { codes } = memory
    while (codes.upTo < done) {
      const items = await db.rows<{ position: number; target: string; line: number | null; outcome: string }>(
        'SELECT position, target, line, outcome FROM JobItem WHERE jobId = ? AND position >= ? AND position < ? ORDER BY position',
        row.id,
        codes.upTo,
        Math.min(codes.upTo + PAGE, done),
      )
      for (const { position, target, line, outcome } of items) if (outcome === 'done') codes.add(target, line ?? position + 2)
      codes.upTo = Math.min(codes.upTo + PAGE, done)
    }
    return memory
  }

  /** The job is over. */
  forget({ row }: RunningJob<unknown>): void {
    this.memories.delete(`${row.id} ${row.mode}`)
  }
}
