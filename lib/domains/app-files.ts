import { LRUCache } from 'lru-cache'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { SingleFlight } from '@/lib/tools/single-flight'
import { MINUTE } from '@/lib/tools/time'
import type { Domains } from './domains'

/**
 * The files by which a domain names the apps that open its links: Apple's and Google's. Each has the path at which it is asked
 * for, and a number in `DomainFile.kind`.
 */
export const APP_FILES = {
  appleAppSiteAssociation: { path: '/.well-known/apple-app-site-association', kind: 1 },
  assetLinks: { path: '/.well-known/assetlinks.json', kind: 2 },
} as const
export type AppFileName = keyof typeof APP_FILES

/** How long a process answers with what it read last, in ms. */
export const FRESH = 10_000
const KEPT = 500

export interface FileAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

interface Held {
  /** null: the domain has no such file. */
  content: string | null
  readAt: number
}

/** Answers requests for these files: Apple and Google ask for them, and follow no redirect. */
export class AppFiles {
  private readonly held = new LRUCache<string, Held>({ max: KEPT })
  private readonly flights = new SingleFlight<Held>()

  constructor(
    private readonly db: SqlGateway,
    private readonly domains: Domains,
  ) {}

  /** The file that a path stands for, or null. @param url path and query */
  static named(url: string): AppFileName | null {
    const [path] = url.split('?', 1)
    const names = Object.keys(APP_FILES) as AppFileName[]
    return names.find((name) => APP_FILES[name].path === path) ?? null
  }

  /** @param hostHeader as it came; a host that is not ours is answered as that of BASE_URL is. Never throws */
  async answer(method: string, hostHeader: string | undefined, name: AppFileName): Promise<FileAnswer> {
    if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Use GET, HEAD.', { Allow: 'GET, HEAD' })
    try {
      const content = await this.find(this.domains.resolve(hostHeader), name)
      if (content === null) return plain(404, 'This domain has no such file.')
      return { status: 200, headers: { ...JSON_HEADERS, 'Content-Length': String(Buffer.byteLength(content)) }, body: content }
    } catch {
      return plain(503, 'The database does not answer. Try again.', { 'Retry-After': '5' })
    }
  }

  /** What is held is forgotten: it was just changed here. Other processes read it again within ten seconds. */
  forget(host: string): void {
    for (const name of Object.keys(APP_FILES)) this.held.delete(`${host}/${name}`)
  }

  /** @throws TerseError 'unavailable' where it was never read and cannot be */
  private async find(host: string, name: AppFileName): Promise<string | null> {
    const key = `${host}/${name}`
    const held = this.held.get(key)
    if (held && performance.now() - held.readAt < FRESH) return held.content
    try {
      return (await this.flights.run(key, () => this.read(key, host, name))).content
    } catch (error) {
      if (held && performance.now() - held.readAt < STALE) return held.content
      throw error
    }
  }

  private async read(key: string, host: string, name: AppFileName): Promise<Held> {
    const [row] = await this.db.rows<{ content: string }>(
      'SELECT f.content FROM Domain AS d JOIN DomainFile AS f ON f.domainId = d.id WHERE d.host = ? AND f.kind = ?',
      host,
      APP_FILES[name].kind,
    )
    const held = { content: row?.content ?? null, readAt: performance.now() }
    this.held.set(key, held)
    return held
  }
}

/** With MySQL down, for how long a file is given out after it was read. */
const STALE = 60 * MINUTE

const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
}

function plain(status: number, text: string, more: Record<string, string> = {}): FileAnswer {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...more }
  return { status, headers, body: `${text}\n` }
}
