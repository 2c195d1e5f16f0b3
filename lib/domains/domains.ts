import { setTimeout as delay } from 'node:timers/promises'
import type { CodeRules } from '@/lib/codes/custom'
import { foldCode } from '@/lib/codes/fold'
import { isSpokenCode } from '@/lib/codes/reserved'
import { isUniqueViolation } from '@/lib/db/errors'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { normaliseHost, withoutRoot } from '@/lib/net/host'
import { isThisMachine } from '@/lib/net/this-machine'
import { Background, Loop } from '@/lib/tools/loop'
import { isWeb } from '@/lib/tools/schemes'
import type { Upstream } from '@/lib/upstream/upstream'
import { type CodeCase, codeCaseOf } from './code-case'

/** How often each process reads the list, from beginning to beginning, in ms. Admins add domains: they are few. */
const INTERVAL = 400
/** A reading that began longer ago is not enough to say that a link is nowhere. In ms. */
const TRUSTED_FOR = 900
/** After this time every process goes by what was changed of a domain, in ms. */
const KNOWN_WITHIN = 1_000
/** The same where processes of former releases, which read every five seconds, work beside these. In ms. */
export const KNOWN_AFTER = 12_000

export interface DomainRow {
  id: number
  host: string
  /** New links go there when no domain is named. */
  isDefault: boolean
  /** Where its front page leads; null: to ours. */
  rootUrl: string | null
  /** Where its unknown codes lead; null: to the page that says so. */
  notFoundUrl: string | null
  /** Whether its links give out their QR codes. */
  qrCodes: boolean
  /** Whether its codes are the same in capitals. */
  codeCase: CodeCase
  /** The old shortener, which is asked for codes that are not here; null: nobody is asked. */
  upstream: Upstream | null
  /** Whether numbers of up to six digits are spoken codes there. */
  spokenCodes: boolean
}

/** 0 and 1 stand for booleans in plain SQL. */
type Row = Omit<DomainRow, 'isDefault' | 'qrCodes' | 'codeCase' | 'upstream' | 'spokenCodes'> & {
  isDefault: number | boolean
  qrCodes: number | boolean
  codeCase: number
  spokenCodes: number | boolean | null
  upstreamUrl: string | null
  upstreamHost: string | null
  upstreamOwnerId: string | null
}

/** Unless it was decided: on the host of BASE_URL alone. */
export const spokenCodesOf = (row: Pick<Row, 'host' | 'spokenCodes'>, baseHost: string): boolean =>
  row.spokenCodes === null ? row.host === baseHost : Boolean(row.spokenCodes)

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/**
 * The domains of this deployment: those that were proved to be ours. Requests for any other host are answered as for the
 * host of BASE_URL.
 */
export class Domains extends Background {
  /** The host of BASE_URL, under which the pages are. */
  readonly baseHost: string
  /** Of this machine. */
  private readonly ownPorts: ReadonlySet<number>
  private byHost = new Map<string, DomainRow>()
  private chosen: DomainRow | undefined
  /** Host headers as they come, so that the hot path normalises each only once. Bounded. */
  private resolved = new Map<string, string>()
  /** When the reading began that the list is of. Of performance.now(). */
  private readAt = Number.NEGATIVE_INFINITY
  protected readonly loop = new Loop({ every: INTERVAL, run: () => this.keepCurrent() })

  constructor(
    private readonly db: SqlGateway,
    private readonly baseUrl: string,
    /** That this server listens on. */
    port: number,
  ) {
    super()
    const { host, hostname } = new URL(baseUrl)
    this.baseHost = normaliseHost(host)
    this.ownPorts = new Set([port, ...(isThisMachine(hostname) ? [portOf(new URL(baseUrl))] : [])])
  }

  /** While MySQL is away the host of BASE_URL is known without it. */
  private async keepCurrent(): Promise<void> {
    await this.refresh()
    if (!this.byHost.has(this.baseHost)) await this.addBase()
  }

  /**
   * Resolves once the list is one of the last moment, so that a request after `known` is answered by it: for what is said of a
   * link that was not found. While MySQL is away, the list stays as it was.
   */
  async current(): Promise<void> {
    // The reading under way may have begun too early; the one after it did not.
    for (let look = 0; look < 2 && !this.isCurrent() && this.db.breakerState === 'closed'; look++) await this.loop.wake()
  }

  private isCurrent(): boolean {
    return performance.now() - this.readAt < TRUSTED_FOR
  }

  /** Resolves once every process goes by what was changed of a domain before this was called. */
  known(): Promise<void> {
    return delay(KNOWN_WITHIN)
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

  /** The host of a domain; '' for one that is not served. */
  hostOf(id: number): string {
    return [...this.byHost.values()].find((domain) => domain.id === id)?.host ?? ''
  }

  /** Where unknown codes of a domain lead, by the host that `resolve` gave; null: to the page that says so. */
  notFoundUrl(host: string): string | null {
    return this.byHost.get(host)?.notFoundUrl ?? null
  }

  /** Whether the links of a domain give out their QR codes, by the host that `resolve` gave. */
  hasQrCodes(host: string): boolean {
    return this.byHost.get(host)?.qrCodes ?? false
  }

  /** The domain and its old shortener, by the host that `resolve` gave; undefined where nobody is asked. */
  upstreamOf(host: string): { id: number; host: string; upstream: Upstream } | undefined {
    const domain = this.byHost.get(host)
    return domain?.upstream ? { id: domain.id, host, upstream: domain.upstream } : undefined
  }

  /** Whether a request with this Host header is answered as for the host of BASE_URL, where the pages are. */
  isBase(hostHeader: string | undefined): boolean {
    return this.resolve(hostHeader) === this.baseHost
  }

  /** What a domain keeps codes for besides links. */
  codeRules(host: string): Required<CodeRules> {
    return { isBase: host === this.baseHost, spoken: this.byHost.get(host)?.spokenCodes ?? host === this.baseHost }
  }

  /** Whether a code is a spoken one, by the host that `resolve` gave. */
  isSpoken(host: string, code: string): boolean {
    return isSpokenCode(code) && this.codeRules(host).spoken
  }

  /** The domains that have spoken codes, the default one first. */
  get spoken(): DomainRow[] {
    return this.hosts.flatMap((host) => this.byHost.get(host) ?? []).filter(({ spokenCodes }) => spokenCodes)
  }

  /** Whether new codes of a domain have the folded form. */
  isFolded(host: string): boolean {
    return (this.byHost.get(host)?.codeCase ?? 'sensitive') !== 'sensitive'
  }

  /**
   * A code as it is kept on a domain, whatever way it was typed: the one place where that is decided. Everything that takes a
   * code from outside calls this, or one of the two below; all storage holds what it gives.
   * @param code of `normalCode`
   */
  codeOn(host: string, code: string): string {
    return this.isFolded(host) ? foldCode(code) : code
  }

  /** The full short URL of a code, as it is kept. */
  fullOf(host: string, code: string): string {
    return `${host}/${this.codeOn(host, code)}`
  }

  /** The full short URLs that a code may be stored under, the one for new links last. There are two while codes change. */
  namesOf(host: string, code: string): [string, ...string[]] {
    const [typed, kept] = [`${host}/${code}`, this.fullOf(host, code)]
    return this.byHost.get(host)?.codeCase === 'changing' && typed !== kept ? [typed, kept] : [kept]
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
    // What an app opens is never asked of us.
    if (!isWeb(href)) return false
    const url = new URL(href)
    const hostname = withoutRoot(url.hostname)
    if (hostname + (url.port && `:${url.port}`) === new URL(this.baseUrl).host) return true
    // A host that nobody serves is answered as BASE_URL's is.
    if (this.ownPorts.has(portOf(url)) && isThisMachine(hostname)) return true
    // On a public host every port is ours; `localhost` has other people's servers on other ports.
    return this.byHost.has(hostname) && hostname !== 'localhost' && hostname !== '127.0.0.1'
  }

  /** The absolute short URL of a code. */
  shortUrl(host: string, code: string): string {
    const base = new URL(this.baseUrl)
    const origin = host === this.baseHost ? base.origin : `${base.protocol}//${host}`
    // At the end it would ask for the preview (lib/redirect/path.ts).
    return new URL(`/${code.endsWith('+') ? `${code.slice(0, -1)}%2B` : code}`, origin).href
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
    const begunAt = performance.now()
    const rows = await this.db.rows<Row>(
      `SELECT id, host, isDefault, rootUrl, notFoundUrl, qrCodes, codeCase, spokenCodes, upstreamUrl, upstreamHost, upstreamOwnerId
       FROM Domain WHERE verifiedAt IS NOT NULL`,
    )
    // A later reading was quicker.
    if (begunAt < this.readAt) return
    this.readAt = begunAt
    const domains = rows.map(({ upstreamUrl, upstreamHost, upstreamOwnerId, ...row }) => ({
      ...row,
      upstream: upstreamUrl === null ? null : { url: upstreamUrl, host: upstreamHost, ownerId: upstreamOwnerId },
      isDefault: Boolean(row.isDefault),
      qrCodes: Boolean(row.qrCodes),
      codeCase: codeCaseOf(row.codeCase),
      spokenCodes: spokenCodesOf(row, this.baseHost),
    }))
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
