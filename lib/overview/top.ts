import { TOTAL } from '@/lib/clicks/dimensions'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import { DAY_HOURS } from '@/lib/tools/time'
import { PEOPLE } from './days'

/** Entries of each list. */
const SHOWN = 10
/** Links that are looked at, from the most clicked down, before the search is given up. */
const CANDIDATES = 10_000
/** Links that are looked at where they lie far apart. */
const FAR_APART = 1_000
/** Links whose clicks are added up at a time. */
const WINDOW = 500

/**
 * The links with the most clicks of people since an hour. None has more clicks in a part of the time than in all of it: so links
 * are looked at from the most clicked of all time down, until the next one has fewer than those already found. This is
 * exact unless there are 10,000 links that were clicked more once than the list's last is now.
 * @param firstHour the first of a UTC day, in hours since 1970
 * @param of whose links; without it: of all
 * @returns at most `shown`, the most clicked first, none without clicks
 * @throws TerseError 'unavailable'
 */
export async function topLinks(
  db: DatabaseGateway,
  firstHour: number,
  { ownerId = null, shown = SHOWN }: { ownerId?: string | null; shown?: number } = {},
): Promise<{ link: Link; clicks: number }[]> {
  const candidates = await db.scan<{ id: bigint; clicks: bigint }>(
    `id, clicks FROM Link WHERE ${ownerId === null ? '' : 'ownerId = ? AND '}clicks > 0 ORDER BY clicks DESC, id DESC LIMIT ${CANDIDATES}`,
    ...(ownerId === null ? [] : [ownerId]),
  )
  let top: { id: bigint; clicks: number }[] = []
  for (let at = 0; at < candidates.length; at += WINDOW) {
    const least = top.at(shown - 1)?.clicks ?? 0
    const some = candidates.slice(at, at + WINDOW)
    if (top.length === shown && Number(some[0]?.clicks) <= least) break
    const found = await clicksSince(
      db,
      some.map(({ id }) => id),
      firstHour,
    )
    top = [...top, ...found].sort((a, b) => b.clicks - a.clicks || (a.id < b.id ? 1 : -1)).slice(0, shown)
  }
  const rows = await db.read((client) => client.link.findMany({ where: { id: { in: top.map(({ id }) => id) } } }))
  const links = new Map(rows.map((link) => [link.id, link]))
  // One may have been deleted in between.
  return top.flatMap(({ id, clicks }) => {
    const link = links.get(id)
    return link ? [{ link, clicks }] : []
  })
}

async function clicksSince(db: DatabaseGateway, ids: bigint[], firstHour: number): Promise<{ id: bigint; clicks: number }[]> {
  const rows = await db.scan<{ id: bigint; clicks: number }>(
    `linkId AS id, ${PEOPLE} AS clicks FROM ClickRollup AS r
     WHERE linkId IN (?) AND dimension = ${TOTAL} AND span = ${DAY_HOURS} AND hour >= ? GROUP BY linkId HAVING clicks > 0`,
    ids,
    firstHour,
  )
  return rows.map(({ id, clicks }) => ({ id, clicks: Number(clicks) }))
}

/**
 * The hosts that links lead to, those with the most clicks of all time first. There is no index by host, so what is
 * counted are the 1,000 most clicked links and the 10,000 newest. The newest lie side by side; each of the others is a page of
 * the disk of its own: 10,000 of ten million links took ten seconds on a busy machine.
 * @throws TerseError 'unavailable'
 */
export async function topHosts(db: DatabaseGateway): Promise<{ host: string; links: number; clicks: number }[]> {
  // Destinations are kept as WHATWG URLs without a user name: what stands between the second and the third slash is
  // the host, in lower case, and perhaps a port.
  const rows = await db.scan<{ host: string; links: bigint; clicks: number }>(
    `REGEXP_REPLACE(SUBSTRING_INDEX(SUBSTRING_INDEX(Link.url, '/', 3), '/', -1), ':[0-9]+$', '') AS host,
       COUNT(*) AS links, SUM(Link.clicks + 0e0) AS clicks
     FROM ((SELECT id FROM Link ORDER BY clicks DESC, id DESC LIMIT ${FAR_APART})
           UNION (SELECT id FROM Link ORDER BY id DESC LIMIT ${CANDIDATES})) AS counted
     JOIN Link ON Link.id = counted.id
     GROUP BY host ORDER BY clicks DESC, links DESC, host LIMIT ${SHOWN}`,
  )
  return rows.map(({ host, links, clicks }) => ({ host, links: Number(links), clicks: Number(clicks) }))
}
