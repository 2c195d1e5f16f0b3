import { randomBytes } from 'node:crypto'
import type { Connection } from 'mariadb'
import type { StoredBatch } from '@/lib/clicks/apply'
import type { CapturedClick, ClickFacts } from '@/lib/clicks/click'
import { encodeClicks, toWire } from '@/lib/clicks/stream'
import type { StoredClick } from '@/lib/clicks/tally'
import { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import { insertLinks } from '@/lib/links/insert'
import { timedId } from '@/lib/tools/timed-id'
import { atEnd } from './cleanup'
import { linkRow } from './links'

const newVisitor = () => randomBytes(8).toString('hex')

/** A click of a new visitor, with what is given instead. */
export function capturedClick(given: Partial<CapturedClick> = {}): CapturedClick {
  return {
    linkId: '1',
    at: Date.now(),
    visitor: newVisitor(),
    network: '203.0.113.0',
    country: '',
    referrer: '',
    userAgent: 'test',
    language: '',
    query: '',
    destination: '',
    ...given,
  }
}

/** What is known of a click of which nothing is. */
export const NO_FACTS: ClickFacts = {
  kind: 'person',
  country: '',
  city: '',
  browser: '',
  os: '',
  device: '',
  language: '',
  referrer: '',
  referrerUrl: '',
  userAgent: '',
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  utmTerm: '',
  utmContent: '',
  destination: '',
}

/** A click as it is stored, of a new visitor, with what is given instead. */
export function storedClick(
  linkId: bigint,
  { at = Date.now(), visitor = newVisitor(), ...facts }: Partial<Omit<StoredClick, 'facts'> & ClickFacts> = {},
): StoredClick {
  return { linkId, at, visitor, facts: { ...NO_FACTS, ...facts } }
}

export const storedBatch = (clicks: StoredClick[], id = timedId(Date.now())): StoredBatch => ({ id, clicks })

/** The values of an entry's two fields. */
export const entryOf = (clicks: CapturedClick[], id = timedId(Date.now())): [id: string, clicks: string] => [
  id,
  encodeClicks(clicks.map(toWire)),
]

/** A gateway that is closed at the end of the file, or of the test under way. */
export function openGateway(url: string, poolSize = 4): DatabaseGateway {
  const db = new DatabaseGateway(url, poolSize)
  atEnd(() => db.close())
  return db
}

/** Links in the database. */
export async function makeLinks(db: DatabaseGateway, count: number, given: Partial<Link> = {}): Promise<Link[]> {
  const links = Array.from({ length: count }, () => linkRow(given))
  await insertLinks(db.client, links)
  return links
}

export async function makeLink(db: DatabaseGateway, given: Partial<Link> = {}): Promise<Link> {
  const link = linkRow(given)
  await insertLinks(db.client, [link])
  return link
}

/** How often a link was clicked, by each of the places that know, and by how many people. */
export interface ClickCounts {
  raw: number
  hours: number
  /** As `hours`, of the rows by day. */
  totals: number
  days: number
  /** null where there is no such link. */
  link: number | null
  visitors: number
}

/** @param linkId of one link, or null for all together */
export async function clickCounts(connection: Connection, linkId: bigint | null): Promise<ClickCounts> {
  const one = async (sql: string) => {
    const [row] = await connection.query<{ n: bigint | string | null }[]>(sql, [linkId, linkId])
    return row?.n === null || row === undefined ? null : Number(row.n)
  }
  const where = 'WHERE (? IS NULL OR linkId = ?)'
  return {
    raw: (await one(`SELECT COUNT(*) AS n FROM SingleClick ${where}`)) ?? 0,
    hours: (await one(`SELECT SUM(clicks) AS n FROM ClickRollup ${where} AND dimension = 0 AND span = 1`)) ?? 0,
    totals: (await one(`SELECT SUM(clicks) AS n FROM ClickRollup ${where} AND linkId <> 0 AND dimension = 0 AND span = 24`)) ?? 0,
    // Any dimension that every click of a person has: of these tests' clicks most are people's.
    days: (await one(`SELECT SUM(clicks) AS n FROM ClickRollup ${where} AND dimension = 4 AND span = 24`)) ?? 0,
    link: await one('SELECT SUM(clicks) AS n FROM Link WHERE (? IS NULL OR id = ?)'),
    visitors: (await one(`SELECT SUM(visitors) AS n FROM ClickRollup ${where} AND dimension = 0 AND span = 1`)) ?? 0,
  }
}

/** What `clickCounts` says where all places agree on `clicks`. */
export const alike = (clicks: number, visitors = clicks): ClickCounts => ({
  raw: clicks,
  hours: clicks,
  totals: clicks,
  days: clicks,
  link: clicks,
  visitors,
})
