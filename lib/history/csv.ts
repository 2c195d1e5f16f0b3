import { csvLines } from '@/lib/tools/csv-writer'
import type { HistoryEntry } from './schemas'

/** A link's history as CSV: a line for each field that changed. */
export async function* historyCsv(batches: AsyncIterable<readonly HistoryEntry[]>): AsyncGenerator<string, void> {
  yield csvLines([['id', 'at', 'by', 'handle', 'job', 'field', 'from', 'to']])
  for await (const entries of batches) {
    yield csvLines(
      entries.flatMap(({ id, at, by, changes }) =>
        changes.map(({ field, from, to }) => [id, at, by.kind, by.handle ?? '', String(by.job), field, cell(from), cell(to)]),
      ),
    )
  }
}

/** Texts as they are, nothing for null, and everything else as JSON. */
const cell = (value: unknown): string => (typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value))
