import { csvLine } from '@/lib/tools/csv-writer'
import { inPieces } from '@/lib/tools/in-pieces'
import type { HistoryEntry } from './schemas'

/** A link's history as CSV: a line for each field that changed. */
export async function* historyCsv(batches: AsyncIterable<readonly HistoryEntry[]>): AsyncGenerator<string, void> {
  yield csvLine(['id', 'at', 'by', 'handle', 'job', 'field', 'from', 'to'])
  for await (const entries of batches) {
    const changed = entries.flatMap((entry) => entry.changes.map((change) => ({ ...entry, ...change })))
    yield* inPieces(changed, ({ id, at, by, field, from, to }) =>
      csvLine([id, at, by.kind, by.handle ?? '', String(by.job), field, cell(from), cell(to)]),
    )
  }
}

/** Texts as they are, nothing for null, and everything else as JSON. */
const cell = (value: unknown): string => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value))
