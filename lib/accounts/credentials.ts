import { LRUCache } from 'lru-cache'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { sqlTime } from '@/lib/db/time'
import { sha256 } from '@/lib/tools/hash'
import { SingleFlight } from '@/lib/tools/single-flight'
import type { Auth } from './auth'
import { readCookies, writeCookies } from './cookies'
import { throughAuth } from './outage'

/**
 * How long it counts that a key or session was found good, in ms. To ask again is to note the use of the key, or to prolong the
 * session: statements that contend for one row where a script sends many requests at once.
 */
const KEPT = 30_000
const KEPT_CREDENTIALS = 20_000

/** A key or session that was found good. */
interface Good {
  id: string
  /** Those that prolong the session, to be sent once. */
  cookies: string[]
}

/**
 * API keys and sessions by what was shown, as they were judged a moment ago. The caller looks up each time that they still exist,
 * are in force, and whose they are: what was revoked must count at once.
 */
export class Credentials {
  private readonly known = new LRUCache<string, Good>({ max: KEPT_CREDENTIALS, ttl: KEPT })
  private readonly asking = new SingleFlight<Good | null>()

  /** @param cookieName what the session's cookie is called */
  constructor(
    private readonly auth: () => Promise<Auth>,
    private readonly db: DatabaseGateway,
    readonly cookieName: string,
  ) {}

  /**
   * @returns id of this API key; null when it is not good
   * @throws TerseError 'unavailable'
   */
  async key(key: string): Promise<string | null> {
    const good = await this.once(`key ${key}`, async () => {
      const now = sqlTime(Date.now())
      const [row] = await this.db.rows<{ id: string }>(
        'SELECT id FROM ApiKey WHERE `key` = ? AND enabled AND (expiresAt IS NULL OR expiresAt > ?)',
        hashOfKey(key),
        now,
      )
      if (!row) return null
      await this.db.change('UPDATE ApiKey SET lastRequest = ?, requestCount = requestCount + 1 WHERE id = ?', now, row.id)
      return { id: row.id, cookies: [] }
    })
    return good?.id ?? null
  }

  /**
   * @param cookie the session cookie's value
   * @param prolong whether the caller can send cookies back; else the session stays as long as it was
   * @returns id of the session, and the cookies that prolong it; null when it is not good
   * @throws TerseError 'unavailable'
   */
  session(headers: Headers, cookie: string, prolong: boolean): Promise<Good | null> {
    return this.once(`${prolong ? 'prolong' : 'look'} ${cookie}`, async () => {
      const query = prolong ? {} : { disableRefresh: true }
      // So that the session that better-auth reads is the one that is remembered by this cookie.
      const asked = new Headers(headers)
      asked.set('cookie', writeCookies(readCookies(headers.get('cookie')).set(this.cookieName, cookie)))
      const auth = await this.auth()
      const { response, headers: answer } = await auth.api.getSession({ headers: asked, query, returnHeaders: true })
      return response && { id: response.session.id, cookies: answer.getSetCookie() }
    })
  }

  /** What was shown is no longer good. */
  forget(shown: string): void {
    for (const way of ['key', 'look', 'prolong']) this.known.delete(keyOf(`${way} ${shown}`))
  }

  private async once(shown: string, ask: () => Promise<Good | null>): Promise<Good | null> {
    const key = keyOf(shown)
    const known = this.known.get(key)
    if (known) return known
    return this.asking.run(key, async () => {
      let good: Good | null = null
      try {
        good = await throughAuth(ask)
      } finally {
        // better-auth takes an outage for a credential that is not good; the database itself tells.
        if (good === null) await this.db.rows('SELECT 1')
      }
      if (good !== null) this.known.set(key, { ...good, cookies: [] })
      return good
    })
  }
}

/** What is kept of an API key. */
export const hashOfKey = (key: string) => sha256(key).toString('base64url')

/** Nothing that opens an account is kept in memory as it is. */
const keyOf = (shown: string) => sha256(shown).toString('base64')
