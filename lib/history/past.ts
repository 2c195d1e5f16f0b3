import { LRUCache } from 'lru-cache'
import { CLOCKS_APART, timeOf } from '@/lib/db/id'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { RoutingFields } from '@/lib/routing/routing'
import { otherUrls } from '@/lib/routing/urls'
import { SingleFlight } from '@/lib/tools/single-flight'
import type { FieldChange } from './changes'

/** Former destinations that visitors see at once; the others, up to `MOST_SHOWN`, unfold. */
export const SHOWN = 5
const MOST_SHOWN = 25
/** Links whose past is remembered, so that repeated requests for a preview cost no query. */
const REMEMBERED = 500
/** Characters of all their addresses: with the longest rules one past has 1,500,000, and each edit makes another. */
const MOST_REMEMBERED = 4_000_000

/** Where a link led before, for anyone who can see where it leads now. Times are in ms since 1970. */
export interface Past {
  /** Since when it has led to its current destination; since then at least, if earlier changes are no longer kept. */
  since: number
  /** Since when its owner has hidden where it led before; null if visitors can see that. */
  hiddenSince: number | null
  /** The latest first. */
  before: readonly Former[]
  /** How many more there were before these. */
  more: number
}

export interface Former {
  /** null if visitors could not see it when it was replaced. */
  to: Destination | null
  until: number
  /** It is where the link led once it had ended. */
  ended?: true
}

interface Destination {
  /** '': nowhere, of a link that had ended. */
  url: string
  /** Where its rules or its split led some visitors. */
  others: readonly string[]
}

/** The current link, from the record that the page shows. */
export interface CurrentLink {
  id: string
  version: string
  url: string
  routing: RoutingFields | null
}

interface LinkRow {
  createdAt: Date
  historyHiddenAt: Date | null
}

interface ChangeRow {
  at: Date
  wasOpen: boolean | number
  changes: string
}

/** Reads where links led before, when someone opens the preview page of one. */
export class Pasts {
  private readonly known = new LRUCache<string, Past>({
    max: REMEMBERED,
    maxSize: MOST_REMEMBERED,
    sizeCalculation: sizeOf,
  })
  private readonly flights = new SingleFlight<Past | null>()

  constructor(private readonly db: Pick<SqlGateway, 'rows'>) {}

  /** @returns null if it cannot be read now, or the link is gone. Never throws. */
  find(link: CurrentLink): Promise<Past | null> {
    // Each change gives the link a new version.
    const key = `${link.id} ${link.version}`
    const known = this.known.get(key)
    return known ? Promise.resolve(known) : this.flights.run(key, () => this.read(key, link))
  }

  private async read(key: string, link: CurrentLink): Promise<Past | null> {
    const { id, version } = link
    try {
      const [row] = await this.db.rows<LinkRow>('SELECT createdAt, historyHiddenAt FROM Link WHERE id = ?', BigInt(id))
      if (!row) return null
      // The record that the page shows may be older than the newest change.
      const where = 'LinkChange WHERE linkId = ? AND version <= ? AND leads = TRUE'
      const changes = await this.db.rows<ChangeRow>(
        `SELECT at, wasOpen, changes FROM ${where} ORDER BY version DESC LIMIT ${MOST_SHOWN}`,
        ...[BigInt(id), BigInt(version)],
      )
      const [total] = await this.db.rows<{ count: bigint | number }>(
        `SELECT COUNT(*) + COALESCE(SUM(dropped), 0) AS count FROM ${where}`,
        ...[BigInt(id), BigInt(version)],
      )
      // What an imported link was before it came here is not known.
      const here = timeOf(BigInt(id))
      const createdAt = here - row.createdAt.getTime() > CLOCKS_APART ? new Date(here) : row.createdAt
      const past = pastOf(link, { ...row, createdAt }, changes, Number(total?.count ?? 0) - changes.length)
      this.known.set(key, past)
      return past
    } catch {
      // The page says so, and still shows where the link leads.
      return null
    }
  }
}

/** What one takes besides its addresses. */
const BARE = 500
const sizeOf = ({ before }: Past): number =>
  before.reduce((sum, { to }) => sum + (to ? [to.url, ...to.others].reduce((all, url) => all + url.length, 0) : 0), BARE)

/**
 * Goes back from the current destination, change by change.
 * @param changes the latest first
 * @param more how many came before these
 */
export function pastOf(
  { url, routing }: Pick<CurrentLink, 'url' | 'routing'>,
  { createdAt, historyHiddenAt }: LinkRow,
  changes: readonly ChangeRow[],
  more: number,
): Past {
  const hiddenSince = historyHiddenAt?.getTime() ?? null
  let [now, rules] = [url, routing]
  let since: number | null = null
  const before: Former[] = []
  for (const { at, wasOpen, changes: text } of changes) {
    const later = destinationOf(now, rules)
    const until = at.getTime()
    const ends: Former[] = []
    for (const { field, from } of JSON.parse(text) as FieldChange[]) {
      if (field === 'url') now = from as string
      if (field === 'routing') rules = from as RoutingFields | null
      if (field === 'expiredUrl') {
        ends.push({ to: wasOpen ? { url: (from as string | null) ?? '', others: [] } : null, until, ended: true })
      }
    }
    const to = destinationOf(now, rules)
    // The same destinations: only the rules that choose between them changed.
    if (JSON.stringify(to) !== JSON.stringify(later)) {
      since ??= until
      before.push({ to: wasOpen ? to : null, until })
    }
    before.push(...ends)
  }
  const oldest = more > 0 ? changes.at(-1)?.at : undefined
  since ??= (oldest ?? createdAt).getTime()
  return hiddenSince === null ? { since, hiddenSince, before, more } : { since, hiddenSince, before: [], more: 0 }
}

const destinationOf = (url: string, routing: RoutingFields | null): Destination => ({ url, others: otherUrls(url, routing) })
