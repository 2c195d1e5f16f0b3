import type { Job, JobItem } from '@/lib/db/generated/client'
import type { Writer } from '@/lib/i18n/message'
import { written } from '@/lib/i18n/translate'
import type { JobContext } from '@/lib/jobs/store'
import { csvLine } from '@/lib/tools/csv-writer'
import { inPieces } from '@/lib/tools/in-pieces'
import type { LinkContext } from './context'
import { hostOf } from './view'

/** Rows of the file that are read and written at a time. */
const PAGE = 1_000

const COLUMNS = ['line', 'result', 'code', 'shortUrl', 'reason', 'row']

type Item = Pick<JobItem, 'position' | 'target' | 'outcome' | 'message' | 'line' | 'result'>

/**
 * What came of each row of a job, as CSV, page after page. Where there is no link, `row` says which one it was: by the code or
 * the destination that it has.
 */
export async function* resultsOf(
  { db, domains }: Pick<JobContext, 'db'> & Pick<LinkContext, 'domains'>,
  job: Job,
  write: Writer,
): AsyncGenerator<string, void> {
  yield csvLine(COLUMNS)
  for (let position = -1; ; ) {
    const items = await db.rows<Item>(
      `SELECT position, target, outcome, message, line, result FROM JobItem
        WHERE jobId = ? AND position > ? ORDER BY position LIMIT ${PAGE}`,
      job.id,
      position,
    )
    const last = items.at(-1)
    if (!last) return
    yield* inPieces(items, (item) => csvLine(recordOf(domains, item, write)))
    position = last.position
  }
}

function recordOf(domains: LinkContext['domains'], item: Item, write: Writer): (string | number)[] {
  const { target, outcome, message, line, result, position } = item
  const isLink = outcome !== 'failed' && target.includes('/')
  const host = isLink ? hostOf(target) : ''
  const code = isLink ? target.slice(host.length + 1) : ''
  const shortUrl = isLink ? domains.shortUrl(host, code) : ''
  return [line ?? position + 1, result || outcome, code, shortUrl, written(message, write), isLink ? '' : target]
}
