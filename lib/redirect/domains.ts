import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'

const INTERVAL = 5_000

export interface DomainRow {
  id: number
  host: string
}

/** A Host header or a typed domain as domains are kept: lower case, without port or final dot. */
export function normaliseHost(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}

/** The domains of this deployment. Requests for any other host are answered for the default domain. */
export class Domains {
  readonly defaultHost: string
  private byHost = new Map<string, DomainRow>()
  /** Host headers as they come, so that the hot path normalises each only once. Bounded. */
  private resolved = new Map<string, string>()
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly db: DatabaseGateway,
    private readonly baseUrl: string,
  ) {
    this.defaultHost = normaliseHost(new URL(baseUrl).host)
  }

  /** Makes sure that the default domain exists, and keeps the list current from then on. */
  async start(): Promise<void> {
    try {
      await this.refresh()
      if (!this.byHost.has(this.defaultHost)) await this.add(this.defaultHost)
    } catch {
      // MySQL is away: the default host is known without it, and the next round asks again.
    }
    this.timer = setTimeout(() => void this.start(), INTERVAL)
    this.timer.unref()
  }

  /** The domain that links without a named domain belong to. @throws TerseError 'unavailable' */
  async default(): Promise<DomainRow> {
    return this.byHost.get(this.defaultHost) ?? this.add(this.defaultHost)
  }

  find(host: string): DomainRow | undefined {
    return this.byHost.get(normaliseHost(host))
  }

  /** The domain for which a request with this Host header is answered. */
  resolve(hostHeader: string | undefined): string {
    if (hostHeader === undefined) return this.defaultHost
    const known = this.resolved.get(hostHeader)
    if (known !== undefined) return known
    const host = normaliseHost(hostHeader)
    const domain = this.byHost.has(host) ? host : this.defaultHost
    if (this.resolved.size >= 1_000) this.resolved.clear()
    this.resolved.set(hostHeader, domain)
    return domain
  }

  /** True for a destination that would lead back to us. `host` with its port, `hostname` without. */
  isOwn(destination: { host: string; hostname: string }): boolean {
    const base = new URL(this.baseUrl)
    if (destination.host === base.host) return true
    // On a public host every port is ours; `localhost` has other people's servers on other ports.
    return this.byHost.has(destination.hostname) && destination.hostname !== 'localhost' && destination.hostname !== '127.0.0.1'
  }

  /** The absolute short URL of a code. */
  shortUrl(host: string, code: string): string {
    const base = new URL(this.baseUrl)
    const origin = host === this.defaultHost ? base.origin : `${base.protocol}//${host}`
    return new URL(`/${code}`, origin).href
  }

  private async add(host: string): Promise<DomainRow> {
    try {
      await this.db.change('INSERT INTO Domain (host, createdAt) VALUES (?, UTC_TIMESTAMP(3))', host)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error // another process was first
    }
    await this.refresh()
    const row = this.byHost.get(host)
    if (!row) throw new Error(`domain ${host} is gone again`)
    return row
  }

  private async refresh(): Promise<void> {
    const rows = await this.db.rows<DomainRow>('SELECT id, host FROM Domain')
    this.byHost = new Map(rows.map((row) => [row.host, row]))
    this.resolved.clear()
  }

  close(): void {
    clearTimeout(this.timer)
  }
}
