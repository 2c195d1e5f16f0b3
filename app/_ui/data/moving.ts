import type { JobView } from '@/lib/jobs/schemas'
import type { MovedFrom } from '@/lib/movers/sources'
import { type Result, send } from './http'

/** A column of a file, and what it is taken for; null: nothing. */
export interface FileColumn {
  name: string
  property: string | null
  examples: readonly string[]
}

/** Where links are put that come from elsewhere. '': as it is by itself. */
interface Where {
  from: MovedFrom
  domain: string
}

/** A large file takes minutes on a slow line. */
const UPLOAD_TIME = 600_000
/** What the server takes for a look at the columns. */
const BEGINNING = 200_000

const given = (fields: Readonly<Record<string, string>>) =>
  new URLSearchParams(Object.entries(fields).filter(([, text]) => text !== ''))

const sent = (list: string | File) => ({ content: new Blob([list]), type: 'text/plain' as const })

/** Begins a dry run of the import of a file. @param columns what its columns are, by their names; null: as they are called */
export function checkFile(
  list: string | File,
  { from, domain, site, columns }: Where & { site: string; columns: Readonly<Record<string, string>> | null },
): Promise<Result<JobView>> {
  const query = given({ dryRun: 'true', from, domain, site, columns: columns ? JSON.stringify(columns) : '' })
  return send('POST', `/api/v1/links/import?${query}`, { text: sent(list), timeout: UPLOAD_TIME })
}

/** The columns of a file, of which the beginning is sent. */
export async function columnsOf(list: string | File, from: MovedFrom): Promise<Result<{ columns: FileColumn[] }>> {
  const beginning = new Blob([list]).slice(0, BEGINNING)
  return send('POST', `/api/v1/links/import/columns?from=${from}`, { text: { content: beginning, type: 'text/plain' } })
}

/** Begins a dry run of the import of what a service lists by its API. */
export const checkLive = ({
  address,
  domain,
  key,
  ...body
}: Where & { address: string; key: string }): Promise<Result<JobView>> =>
  send('POST', '/api/v1/links/move', {
    body: {
      ...body,
      dryRun: true,
      ...(key !== '' && { key }),
      ...(address !== '' && { address }),
      ...(domain !== '' && { domain }),
    },
  })

/** Begins to compare the links of an import with the old ones. */
export const startVerify = (number: string, address: string): Promise<Result<JobView>> =>
  send('POST', `/api/v1/jobs/${number}/verify`, { body: { address } })
