import type { SqlGateway } from '@/lib/db/sql-gateway'
import { DAY } from '@/lib/tools/time'
import type { UpstreamEvent } from './counts'
import type { UpstreamView } from './schemas'
import { ASKERS, type UpstreamFailure } from './upstream'

/** After so long without a new link, an old shortener seems to have no more of them. In ms. */
const QUIET = 7 * DAY

interface CountRow {
  domainId: number
  event: UpstreamEvent
  count: bigint | number
  lastAt: Date
}

/** What is kept of a domain's old shortener. */
interface Kept {
  id: number
  upstreamUrl: string | null
  upstreamHost: string | null
  upstreamSince: Date | null
}

/** What was counted of all domains: a few rows for each that has, or had, an old shortener. @throws TerseError 'unavailable' */
export async function readUpstreamCounts(db: SqlGateway): Promise<Map<number, CountRow[]>> {
  const byDomain = new Map<number, CountRow[]>()
  for (const row of await db.rows<CountRow>('SELECT domainId, event, count, lastAt FROM UpstreamCount')) {
    byDomain.set(row.domainId, [...(byDomain.get(row.domainId) ?? []), row])
  }
  return byDomain
}

/** The old shortener of a domain, and what came of it; null where it has none. @param now ms since 1970 */
export function viewUpstream(domain: Kept, rows: readonly CountRow[] = [], now = Date.now()): UpstreamView | null {
  const { upstreamUrl, upstreamHost, upstreamSince } = domain
  if (upstreamUrl === null || upstreamSince === null) return null
  const beginning = (kind: string) => rows.filter(({ event }) => event === kind || event.startsWith(`${kind}.`))
  const sum = (kind: string) => beginning(kind).reduce((all, { count }) => all + Number(count), 0)
  const latest = (kind: string) => beginning(kind).sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime())[0]
  const [came, failed] = [latest('came'), latest('failed')]
  const by = Object.fromEntries(ASKERS.map((asker) => [asker, sum(`came.${asker}`)])) as UpstreamView['importedBy']
  return {
    url: upstreamUrl,
    host: upstreamHost,
    since: upstreamSince.toISOString(),
    imported: sum('came'),
    importedBy: by,
    lastImportedAt: came?.lastAt.toISOString() ?? null,
    redirectedOnly: sum('kept'),
    unknown: sum('unknown'),
    refused: sum('refused'),
    busy: sum('busy'),
    failed: sum('failed'),
    lastFailure: failed
      ? { why: failed.event.slice('failed.'.length) as UpstreamFailure, at: failed.lastAt.toISOString() }
      : null,
    isQuiet: now - (came?.lastAt ?? upstreamSince).getTime() > QUIET,
  }
}
