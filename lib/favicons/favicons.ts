import type { Logger } from 'pino'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { keyedHash } from '@/lib/tools/hash'
import { Loop } from '@/lib/tools/loop'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { parseUrl } from '@/lib/tools/url'
import { fetchIcon, type Icon } from './fetch-icon'

const INTERVAL = 2_000
/** Sites that are asked at the same time. */
const SIDE_BY_SIDE = 4
/** Hosts that wait to be looked for; more are looked for when they are shown again. */
const MOST_WAITING = 1_000
/** Icons that are kept: at most 64 KB each. */
const MOST_KEPT = 10_000
/** How long an icon is shown before it is fetched again, and how long a site that has none is left alone. */
const FRESH = { some: 30 * DAY, none: 3 * DAY }
/** How long a process remembers that it has seen to a host. */
const REMEMBERED = 10 * MINUTE

/**
 * Icons of the sites that links lead to, fetched behind what is shown: a list that shows a link says so, a process writes down
 * that it goes for the icon, as one can for each host, and the next time the icon is there. With FAVICONS=off nothing is asked
 * for, and nothing shown.
 */
export class Favicons {
  private readonly waiting = new Map<string, string>()
  /** Ids of hosts, with the time when this process saw to them. */
  private readonly seen = new Map<string, number>()
  private sweptAt = 0
  private readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.2,
    run: () => this.work(),
    onFailure: (err) => this.log.debug({ err }, 'favicons: MySQL away'),
  })

  constructor(
    private readonly config: Pick<Config, 'APP_SECRET' | 'FAVICONS'>,
    private readonly db: DatabaseGateway,
    private readonly log: Logger,
    private readonly fetch: (host: string) => Promise<Icon | null> = fetchIcon,
  ) {}

  async start(): Promise<void> {
    if (this.config.FAVICONS) this.loop.startLater()
  }

  close(): void {
    void this.loop.stop()
  }

  /**
   * Where the icon of a destination is on this site, for someone who is shown that destination: nobody can make up the address
   * for another host, and see by it whether a link leads there. It will be fetched unless it was.
   * @returns a path; null where icons are off or the site cannot have one
   */
  pathFor(url: string): string | null {
    const host = this.config.FAVICONS ? hostOf(url) : null
    if (host === null) return null
    const id = this.idOf(host).toString('hex')
    if (!this.hasSeen(id) && this.waiting.size < MOST_WAITING) this.waiting.set(id, host)
    return `/assets/favicon/${id}`
  }

  /** A link as it is shown, with its icon. */
  withIcon<V extends { url: string }>(view: V): V & { icon?: string } {
    const icon = this.pathFor(view.url)
    return icon === null ? view : { ...view, icon }
  }

  /** The icon at the end of such a path; null: none is known. @throws TerseError 'unavailable' */
  async read(id: string): Promise<Icon | null> {
    if (!this.config.FAVICONS || !/^[0-9a-f]{32}$/.test(id)) return null
    const row = await this.db.read((client) => client.favicon.findUnique({ where: { id: Buffer.from(id, 'hex') } }))
    return row && row.type !== '' ? { type: row.type, content: Buffer.from(row.content) } : null
  }

  /** Sees to all hosts that wait. @throws when MySQL is away: the rest waits */
  async work(now = Date.now()): Promise<void> {
    const next = async () => {
      for (;;) {
        const [id, host] = this.waiting.entries().next().value ?? []
        if (id === undefined || host === undefined || this.loop.isStopped) return
        this.waiting.delete(id)
        await this.seeTo(Buffer.from(id, 'hex'), host, now)
        this.remember(id, now)
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next))
    if (now - this.sweptAt > HOUR) await this.sweep(now)
  }

  private async seeTo(id: Buffer<ArrayBuffer>, host: string, now: number): Promise<void> {
    if (!(await this.claim(id, now))) return
    const icon = await this.fetch(host)
    // A site that has none any more, or does not answer today, keeps the one it had.
    if (icon === null) return
    const { type } = icon
    const content = Buffer.from(icon.content)
    await this.db.write((client) => client.favicon.updateMany({ where: { id }, data: { type, content } }))
  }

  /** Of all processes one goes for an icon, and comes again when it has had its time: the row is written before. */
  private async claim(id: Buffer<ArrayBuffer>, now: number): Promise<boolean> {
    const fetchedAt = new Date(now)
    const none = { id, type: '', content: Buffer.alloc(0), fetchedAt }
    const made = await this.db.write((client) => client.favicon.createMany({ data: [none], skipDuplicates: true }))
    if (made.count > 0) return true
    const stale = [
      { type: '', fetchedAt: { lt: new Date(now - FRESH.none) } },
      { type: { not: '' }, fetchedAt: { lt: new Date(now - FRESH.some) } },
    ]
    const again = await this.db.write((client) => client.favicon.updateMany({ where: { id, OR: stale }, data: { fetchedAt } }))
    return again.count > 0
  }

  /** Deletes the oldest of too many. */
  private async sweep(now: number): Promise<void> {
    this.sweptAt = now
    const [{ count } = { count: 0n }] = await this.db.rows<{ count: bigint }>('SELECT COUNT(*) AS count FROM Favicon')
    if (count > MOST_KEPT) await this.db.change('DELETE FROM Favicon ORDER BY fetchedAt LIMIT ?', Number(count) - MOST_KEPT)
  }

  private hasSeen(id: string): boolean {
    return (this.seen.get(id) ?? 0) > Date.now() - REMEMBERED
  }

  private remember(id: string, now: number): void {
    if (this.seen.size >= MOST_KEPT) this.seen.clear()
    this.seen.set(id, now)
  }

  private idOf(host: string): Buffer<ArrayBuffer> {
    return keyedHash(this.config.APP_SECRET, `favicon of ${host}`).subarray(0, 16)
  }
}

interface Lists {
  top: { link: { url: string } }[]
  newest: { url: string }[]
}

/** An overview whose lists of links have icons. */
export function withIcons<O extends Lists>({ favicons }: { favicons: Favicons }, overview: O): O {
  const top = overview.top.map((row) => ({ ...row, link: favicons.withIcon(row.link) }))
  return { ...overview, top, newest: overview.newest.map((link) => favicons.withIcon(link)) }
}

/** The host of a destination that can have an icon: a name of the internet, at its usual port. */
function hostOf(url: string): string | null {
  const parsed = parseUrl(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.port !== '') return null
  return /\.[a-z][a-z0-9-]*$/.test(parsed.hostname) ? parsed.hostname : null
}
