import { isUniqueViolation } from '@/lib/db/errors'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { normaliseHost, withoutRoot } from '@/lib/net/host'
import { Background, Loop } from '@/lib/tools/loop'

const INTERVAL = 5_000

export interface DomainRow {
  id: number
  host: string
  /** New links go there when no domain is named. */
  isDefault: boolean
  /** Where its front page leads; null: to ours. */
  rootUrl: string | null
  /** Where its unknown codes lead; null: to the page that says so. */
  notFoundUrl: string | null
}

/** 0 and 1 stand for booleans in plain SQL. */
type Row = Omit<DomainRow, 'isDefault'> & { isDefault: number | boolean }

/**
 * The domains of this deployment: those that were proved to be ours. Requests for any other host are answered as for the
 * host of BASE_URL.
 */
export class Domains extends Background {
  /** The host of BASE_URL, under which the pages are. */
  readonly baseHost: string
  private byHost = new Map<string, DomainRow>()
  private chosen: DomainRow | undefined
  /** Host headers as they come, so that the hot path normalises each only once. Bounded. */
  private resolved = new Map<string, string>()
  protected readonly loop = new Loop({ every: INTERVAL, run: () => this.keepCurrent() })

  constructor(
    private readonly db: SqlGateway,
    private readonly baseUrl: string,
  ) {
    super()
    this.baseHost = normaliseHost(new URL(baseUrl).host)
  }

  /** While MySQL is away the host of BASE_URL is known without it. */
  private async keepCurrent(): Promise<void> {
    await this.refresh()
    if (!this.byHost.has(this.baseHost)) await this.addBase()
  }

  /** The domain that links without a named domain belong to. @throws TerseError 'unavailable' */
  async default(): Promise<DomainRow> {
    return this.chosen ?? this.byHost.get(this.baseHost) ?? this.addBase()
  }

  /** Its host. */
  get defaultHost(): string {
    return this.chosen?.host ?? this.baseHost
  }

  /** The hosts of all domains, the default one first. */
  get hosts(): string[] {
    return [...new Set([this.defaultHost, this.baseHost, ...[...this.byHost.keys()].sort()])]
  }

  find(host: string): DomainRow | undefined {
    return this.byHost.get(normaliseHost(host))
  }

  /** Where unknown codes of a domain lead, by the host that `resolve` gave; null: to the page that says so. */
  notFoundUrl(host: string): string | null {
    return this.byHost.get(host)?.notFoundUrl ?? null
  }

  /** The domain for which a request with this Host header is answered. */
  resolve(hostHeader: string | undefined): string {
    if (hostHeader === undefined) return this.baseHost
    const known = this.resolved.get(hostHeader)
    if (known !== undefined) return known
    const host = normaliseHost(hostHeader)
    const domain = this.byHost.has(host) ? host : this.baseHost
    if (this.resolved.size >= 1_000) this.resolved.clear()
    this.resolved.set(hostHeader, domain)
    return domain
  }

  /** True for a destination that would lead back to us. */
  isOwn(href: string): boolean {
    const url = new URL(href)
    const hostname = withoutRoot(url.hostname)
    if (hostname + (url.port && `:${url.port}`) === new URL(this.baseUrl).host) return true
    // On a public host every port is ours; `localhost` has other people's servers on other ports.
    return this.byHost.has(hostname) && hostname !== 'localhost' && hostname !== '127.0.0.1'
  }

  /** The absolute short URL of a code. */
  shortUrl(host: string, code: string): string {
    const base = new URL(this.baseUrl)
    const origin = host === this.baseHost ? base.origin : `${base.protocol}//${host}`
    return new URL(`/${code}`, origin).href
  }

  /**
   * Where a request for a page leads that came to a domain other than BASE_URL's, for the pages are there alone; null for
   * requests that came to the right place.
   * @param url path and query
   */
  elsewhere(hostHeader: string | undefined, url: string): string | null {
    const host = this.resolve(hostHeader)
    if (host === this.baseHost) return null
    const isRoot = url === '/' || url.startsWith('/?')
    return (isRoot && this.byHost.get(host)?.rootUrl) || this.baseUrl + url
  }

  /** Reads the list again: for a caller that has just changed it. @throws TerseError 'unavailable' */
  async refresh(): Promise<void> {
    const rows = await this.db.rows<Row>(
      'SELECT id, host, isDefault, rootUrl, notFoundUrl FROM Domain WHERE verifiedAt IS NOT NULL',
    )
    const domains = rows.map((row) => ({ ...row, isDefault: Boolean(row.isDefault) }))
    this.byHost = new Map(domains.map((row) => [row.host, row]))
    this.chosen = domains.find((row) => row.isDefault)
    this.resolved.clear()
  }

  private async addBase(): Promise<DomainRow> {
    try {
      await this.db.change(
        'INSERT INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))',
        this.baseHost,
      )
    } catch (error) {
      if (!isUniqueViolation(error)) throw error // another process was first, or it was added and never verified
      await this.db.change('UPDATE Domain SET verifiedAt = UTC_TIMESTAMP(3) WHERE host = ? AND verifiedAt IS NULL', this.baseHost)
    }
    await this.refresh()
    const row = this.byHost.get(this.baseHost)
    if (!row) throw new Error(`domain ${this.baseHost} is gone again`)
    return row
  }
}
