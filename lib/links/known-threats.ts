import { LRUCache } from 'lru-cache'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { SingleFlight } from '@/lib/tools/single-flight'
import { HEALTH_NUMBERS } from './health'
import { HEALTH_HASH } from './health-hash'

/** Links of which it is remembered what is known: who asks again and again costs no query. */
const REMEMBERED = 500
/** For how long, in ms. */
const LIFETIME = 10_000

/** What visitors are told who look at a link before they follow it: what its check surely found on the list of threats. */
export class KnownThreats {
  private readonly known = new LRUCache<string, { url: string | null }>({ max: REMEMBERED, ttl: LIFETIME })
  private readonly flights = new SingleFlight<string | null>()

  constructor(private readonly db: Pick<SqlGateway, 'rows'>) {}

  /**
   * @param version of the link: each change gives it a new one
   * @returns the destination; null where none is known, or that cannot be read now. Never throws
   */
  find({ id, version }: { id: string; version: string }): Promise<string | null> {
    const key = `${id} ${version}`
    const known = this.known.get(key)
    return known ? Promise.resolve(known.url) : this.flights.run(key, () => this.read(key, id))
  }

  private async read(key: string, id: string): Promise<string | null> {
    const sql = `SELECT COALESCE(destination, url) AS found FROM LinkHealth
      JOIN Link ON Link.id = linkId AND ${HEALTH_HASH} = LinkHealth.urlHash
      WHERE linkId = ? AND LinkHealth.state = ${HEALTH_NUMBERS.threat} AND reason = 'threat'`
    const rows = await this.db.rows<{ found: string }>(sql, BigInt(id)).catch(() => null)
    if (rows === null) return null
    const url = rows[0]?.found ?? null
    this.known.set(key, { url })
    return url
  }
}
