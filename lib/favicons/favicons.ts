import type { Logger } from 'pino'
import type { Account } from '@/lib/actor'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { keyedHash } from '@/lib/tools/hash'
import { DAY, HOUR, MINUTE } from '@/lib/tools/time'
import { Turns } from '@/lib/tools/turns'
import { parseUrl } from '@/lib/tools/url'
import { fetchIcon, type Icon } from './fetch-icon'

/**
 * Sites that are asked at the same time, one for each account, so that slow ones hold up nobody else; and how many wait. More
 * are looked for when they are shown again.
 */
const TURNS = { atOnce: 4, atOnceEach: 1, mayWait: 5_000, mayWaitEach: 100 }
/** Icons that are kept: at most 64 KB each. */
const MOST_KEPT = 10_000
/** How long an icon is shown before it is fetched again, and how long a site that has none is left alone. */
const FRESH = { some: 30 * DAY, none: 3 * DAY }
/** How long a process remembers that it has seen to a host. */
const REMEMBERED = 10 * MINUTE

/** Who is shown links, as far as this depends on it. */
type Viewer = Pick<Account, 'id'>

/**
 * Icons of the sites that links lead to, fetched behind what is shown: a list that shows a link says so, a process writes down
 * that it goes for the icon, as one can for each host, and the next time the icon is there. Each account has its own, fetched for
 * it: one that others share would tell an account what they link to. With FAVICONS=off nothing is asked for, and nothing shown.
 */
export class Favicons {
  /** When all that was asked for so far is done. */
  settled: Promise<void> = Promise.resolve()
  private readonly turns = new Turns(TURNS)
  /** Ids of icons, with the time when this process began to see to them. */
  private readonly seen = new Map<string, number>()
  private sweptAt = 0
  private isClosed = false

  constructor(
    private readonly config: Pick<Config, 'APP_SECRET' | 'FAVICONS'>,
    private readonly db: DatabaseGateway,
    private readonly log: Logger,
    private readonly fetch: (host: string) => Promise<Icon | null> = fetchIcon,
    private readonly clock = Date.now,
  ) {}

  /** What waits is left. */
  close(): void {
    this.isClosed = true
  }

  /**
   * Where the icon of a destination is on this site, for an account that is shown that destination. The address is made of both:
   * nobody can make up one, and see by it whether a link leads to a host. It will be fetched unless it was.
   * @returns a path; null where icons are off or the site cannot have one
   */
  pathFor(url: string, viewer: Viewer): string | null {
    const host = this.config.FAVICONS ? hostOf(url) : null
    if (host === null) return null
    const id = keyedHash(this.config.APP_SECRET, `favicon of ${host} for ${viewer.id}`).subarray(0, 16)
    this.want(id, host, viewer)
    return `/assets/favicon/${id.toString('hex')}`
  }

  /** A link as it is shown, with its icon; without one for those who have no account. */
  withIcon<V extends { url: string }>(view: V, viewer: Viewer | null): V & { icon?: string } {
    const icon = viewer && this.pathFor(view.url, viewer)
    return icon === null ? view : { ...view, icon }
  }

  /** The icon at the end of such a path; null: none is known. @throws TerseError 'unavailable' */
  async read(id: string): Promise<Icon | null> {
    if (!this.config.FAVICONS || !/^[0-9a-f]{32}$/.test(id)) return null
    const row = await this.db.read((client) => client.favicon.findUnique({ where: { id: Buffer.from(id, 'hex') } }))
    return row && row.type !== '' ? { type: row.type, content: Buffer.from(row.content) } : null
  }

  /** Looks for an icon when it is the account's turn, unless that was done lately. */
  private want(id: Buffer<ArrayBuffer>, host: string, viewer: Viewer): void {
    const key = id.toString('hex')
    const now = this.clock()
    if ((this.seen.get(key) ?? 0) > now - REMEMBERED) return
    if (this.seen.size >= MOST_KEPT) this.seen.clear()
    this.seen.set(key, now)
    const visit = this.turns
      .run(viewer.id, () => this.seeTo(id, host))
      .catch((err: unknown) => {
        this.seen.delete(key)
        this.log.debug({ err }, 'favicons: too many wait, or MySQL is away')
      })
    this.settled = Promise.all([this.settled, visit]).then(() => {})
  }

  private async seeTo(id: Buffer<ArrayBuffer>, host: string): Promise<void> {
    const now = this.clock()
    if (this.isClosed || !(await this.claim(id, now))) return
    const icon = await this.fetch(host)
    // A site that has none any more, or does not answer today, keeps the one it had.
    if (icon !== null) {
      const { type } = icon
      const content = Buffer.from(icon.content)
      await this.db.write((client) => client.favicon.updateMany({ where: { id }, data: { type, content } }))
    }
    if (now - this.sweptAt > HOUR) await this.sweep(now)
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
}

interface Lists {
  top: { link: { url: string } }[]
  newest: { url: string }[]
}

/** An overview whose lists of links have icons. */
export function withIcons<O extends Lists>({ favicons }: { favicons: Favicons }, overview: O, viewer: Viewer): O {
  const top = overview.top.map((row) => ({ ...row, link: favicons.withIcon(row.link, viewer) }))
  return { ...overview, top, newest: overview.newest.map((link) => favicons.withIcon(link, viewer)) }
}

/** The host of a destination that can have an icon: a name of the internet, at its usual port. */
function hostOf(url: string): string | null {
  const parsed = parseUrl(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.port !== '') return null
  return /\.[a-z][a-z0-9-]*$/.test(parsed.hostname) ? parsed.hostname : null
}
