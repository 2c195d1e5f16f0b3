import type { Logger } from 'pino'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { hasCome, NOW, sqlTime } from '@/lib/db/time'
import type { Listeners } from '@/lib/events/listeners'
import { Background, Loop } from '@/lib/tools/loop'
import { MINUTE } from '@/lib/tools/time'
import { TimeoutError, withDeadline } from '@/lib/tools/timeout'
import { Turns } from '@/lib/tools/turns'
import { parseUrl } from '@/lib/tools/url'
import { type CheckContext, check } from './check'
import type { Finding } from './judge'
import { knownHealth, noteHealth, wrongBefore } from './note'
import { type CheckedLink, type Found, pagesToAsk, ROUND, threatOf, worstOf } from './targets'

export interface CheckerContext extends CheckContext {
  db: DatabaseGateway
  listeners: Listeners
  log: Logger
  /** Tells an account what was found since it was last told. */
  tell: (ownerId: string) => Promise<void>
}

/** Links of a turn, and how far turns are apart over all processes, in ms: 2 links a second. */
const MOST = 20
const PACE = 10_000
/** Destinations that a turn asks, unless its first link alone has more. */
const MOST_PAGES = 40
/** How often a process asks whether a turn may begin, in ms. */
const INTERVAL = 2_000
/** Destinations that are asked at once, of each host one; and what lies between two at the same host, in ms. */
const TURNS = { atOnce: 5, atOnceEach: 1 }
const HOST_PAUSE = 1_000
/** Pages that keep us waiting for so long, in ms, and how many of them end a turn: the next account does not wait for more. */
const SLOW = 5_000
const MOST_SLOW = 3
/** A turn that takes longer is over: what was not checked is checked next. In ms, less than a lease. */
const TURN = 90_000
const LEASE = 3 * MINUTE
/** Longer than any check takes (./check.ts): one that does not end gives its place back. In ms. */
const CHECK = 15_000

interface AccountRow {
  ownerId: string
  checkedTo: bigint
  roundAt: Date
}

/** A link of a turn. */
interface Check {
  link: CheckedLink
  /** The destination with which something was wrong. */
  before: string | undefined
  /** What the list of threats says: nothing is asked then. */
  threat: Found | null
  pages: readonly string[]
}

/**
 * Checks destinations of the accounts that want it, a few at a time. A turn is taken by moving the time of the next one ahead,
 * and an account by a lease, so processes share the work without doubling any; how far an account is stands in its row, so one
 * that dies costs one turn. Accounts take turns in a circle. What is found is written down, and changes nothing of a link.
 */
export class HealthChecker extends Background {
  private readonly turns = new Turns(TURNS)
  private readonly stopping = new AbortController()
  protected readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.2,
    run: () => this.takeTurn(),
    onFailure: (err) => this.ctx.log.debug({ err }, 'checks of destinations wait'),
  })

  /** @param hostPause between two requests to one host, in ms */
  constructor(
    private readonly ctx: CheckerContext,
    private readonly hostPause = HOST_PAUSE,
  ) {
    super()
  }

  override async start(): Promise<void> {
    this.loop.startLater()
  }

  override close(): void {
    this.stopping.abort()
    super.close()
  }

  /** @returns whether it was this process's turn, and there was something to do */
  async takeTurn(): Promise<boolean> {
    const { db } = this.ctx
    const [next] = await db.rows<{ ownerId: string }>(
      `SELECT ownerId FROM HealthAccount WHERE dueAt <= ${NOW} ORDER BY dueAt LIMIT 1`,
    )
    if (!next || !(await this.takePace())) return false
    // Not due for as long: it stands in nobody's way.
    const taken = await db.change(
      `UPDATE HealthAccount SET leaseUntil = ${NOW} + INTERVAL ${LEASE * 1_000} MICROSECOND,
          dueAt = ${NOW} + INTERVAL ${LEASE * 1_000} MICROSECOND
        WHERE ownerId = ? AND dueAt <= ${NOW} AND ${hasCome('leaseUntil', LEASE / 1_000)}`,
      next.ownerId,
    )
    if (taken === 0) return false
    const [account] = await db.rows<AccountRow>(
      'SELECT ownerId, checkedTo, roundAt FROM HealthAccount WHERE ownerId = ?',
      next.ownerId,
    )
    if (account) await this.turn(account)
    return true
  }

  private async takePace(): Promise<boolean> {
    const sql = `UPDATE HealthPace SET nextAt = ${NOW} + INTERVAL ${PACE * 1_000} MICROSECOND WHERE id = 1 AND ${hasCome('nextAt', PACE / 1_000)}`
    return (await this.ctx.db.change(sql)) === 1
  }

  /** Checks links that are due again first, then the next ones of the round. */
  private async turn({ ownerId, checkedTo, roundAt }: AccountRow): Promise<void> {
    const { db } = this.ctx
    const again = await db.rows<{ linkId: bigint }>(
      `SELECT linkId FROM LinkHealth
        WHERE ownerId = ? AND dueAt <= ${NOW} ORDER BY dueAt LIMIT ${MOST}`,
      ownerId,
    )
    // Between two rounds only what was wrong is looked at.
    const isWaiting = checkedTo === -1n && roundAt.getTime() > Date.now()
    const wanted = isWaiting ? 0 : MOST - again.length
    const next = wanted === 0 ? [] : await this.links('ownerId = ? AND id > ? ORDER BY id LIMIT ?', ownerId, checkedTo, wanted)
    const known =
      again.length === 0
        ? []
        : await this.links(
            'id IN (?)',
            again.map(({ linkId }) => linkId),
          )
    const here = new Set(known.map(({ id }) => id))
    const gone = again.filter(({ linkId }) => !here.has(linkId)).map(({ linkId }) => linkId)
    if (gone.length > 0) await db.change('DELETE FROM LinkHealth WHERE linkId IN (?)', gone)
    const links = [...known, ...next.filter(({ id }) => !here.has(id))]
    const { checks, left } = await this.fitting(links)
    const unasked = new Set<bigint>()
    await this.checkAll(ownerId, checks, unasked)
    if (this.stopping.signal.aborted) return
    const upTo = next.findIndex(({ id }) => left.has(id) || unasked.has(id))
    const done = upTo === -1 ? next : next.slice(0, upTo)
    const isOver = wanted > 0 && next.length < wanted && upTo === -1
    await this.end(ownerId, { isOver, isWaiting, checkedTo: done.at(-1)?.id ?? checkedTo })
    if (isOver || again.length > 0) await this.ctx.tell(ownerId)
  }

  /** The first of some links whose destinations one turn can ask, and those that are left. */
  private async fitting(links: readonly CheckedLink[]): Promise<{ checks: Check[]; left: ReadonlySet<bigint> }> {
    const rows = await knownHealth(
      this.ctx.db,
      links.map(({ id }) => id),
    )
    const checks: Check[] = []
    let room = MOST_PAGES
    for (const link of links) {
      const before = wrongBefore(link, rows.get(link.id))
      const threat = threatOf(this.ctx, link)
      const pages = threat ? [] : pagesToAsk(link, before, Date.now())
      if (checks.length > 0 && pages.length > room) break
      room -= pages.length
      checks.push({ link, before, threat, pages })
    }
    return { checks, left: new Set(links.slice(checks.length).map(({ id }) => id)) }
  }

  private links(where: string, ...values: unknown[]): Promise<CheckedLink[]> {
    return this.ctx.db.rows<CheckedLink>(
      `SELECT id, url, routing, expiredUrl, state, expiresAt FROM Link WHERE ${where}`,
      ...values,
    )
  }

  /** @param unasked gets those of which no page was asked: they are for the next turn */
  private async checkAll(ownerId: string, checks: readonly Check[], unasked: Set<bigint>): Promise<void> {
    const work = (signal: AbortSignal) => this.checkUntil(signal, ownerId, checks, unasked)
    try {
      await withDeadline(work, TURN, 'a turn', this.stopping.signal)
    } catch (error) {
      if (!(error instanceof TimeoutError) && !this.stopping.signal.aborted) throw error
    }
  }

  private async checkUntil(signal: AbortSignal, ownerId: string, checks: readonly Check[], unasked: Set<bigint>): Promise<void> {
    const ctx: CheckContext = this.ctx
    // A host that does not answer is asked once a turn, and what it is asked twice is asked once.
    const found = new Map<string, Promise<Finding | null>>()
    let slow = 0
    const dead = new Map<string, Finding>()
    const ask = (href: string, host: string) =>
      this.turns.run(host, async () => {
        const known = dead.get(host)
        if (known) return known
        if (slow >= MOST_SLOW) return null
        const timer = setTimeout(() => {
          slow += 1
        }, SLOW)
        const finding = await withDeadline((until) => check(ctx, href, until), CHECK, 'a check', signal).catch(
          (): Finding => ({ is: 'unknown' }),
        )
        clearTimeout(timer)
        if (finding.is === 'wrong' && finding.status === null && finding.reason !== 'threat' && finding.reason !== 'maybe') {
          if (finding.reason !== 'redirects') dead.set(host, finding)
        }
        await pause(this.hostPause, signal)
        return finding
      })
    const once = (href: string) => {
      const asked = found.get(href) ?? ask(href, parseUrl(href)?.host ?? '')
      found.set(href, asked)
      return asked
    }
    await Promise.all(
      checks.map(async ({ link, before, threat, pages }) => {
        const asked = await Promise.all(pages.map(async (destination) => ({ destination, finding: await once(destination) })))
        if (pages.length > 0 && asked.every(({ finding }) => finding === null)) return void unasked.add(link.id)
        const known = asked.map(({ destination, finding }): Found => ({ destination, finding: finding ?? { is: 'unknown' } }))
        await noteHealth(this.ctx, ownerId, link, threat ?? worstOf(link, known, before))
      }),
    )
  }

  /** Gives the account back, behind all others that wait. */
  private async end(
    ownerId: string,
    { isOver, isWaiting, checkedTo }: { isOver: boolean; isWaiting: boolean; checkedTo: bigint },
  ): Promise<void> {
    const [first] = await this.ctx.db.rows<{ dueAt: Date }>(
      'SELECT dueAt FROM LinkHealth WHERE ownerId = ? ORDER BY dueAt LIMIT 1',
      ownerId,
    )
    const round = isOver
      ? `checkedTo = -1, roundAt = GREATEST(roundAt + INTERVAL ${ROUND / 1_000} SECOND, ${NOW} + INTERVAL 1 DAY)`
      : 'checkedTo = ?, roundAt = roundAt'
    const dueAt = isOver || isWaiting ? `LEAST(roundAt, COALESCE(?, roundAt))` : `${NOW}`
    await this.ctx.db.change(
      `UPDATE HealthAccount SET ${round}, dueAt = ${dueAt}, leaseUntil = NULL WHERE ownerId = ?`,
      ...(isOver ? [] : [checkedTo]),
      ...(isOver || isWaiting ? [first ? sqlTime(first.dueAt.getTime()) : null] : []),
      ownerId,
    )
  }
}

/** Ends early when it is time to stop. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms === 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
  })
}
