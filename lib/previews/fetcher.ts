import type { Logger } from 'pino'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { timeOf } from '@/lib/db/id'
import { NOW } from '@/lib/db/time'
import type { Outbound } from '@/lib/net/outbound'
import { Background, Loop } from '@/lib/tools/loop'
import { HOUR, MINUTE } from '@/lib/tools/time'
import { withTimeout } from '@/lib/tools/timeout'
import { parseUrl } from '@/lib/tools/url'
import { type Fetched, fetchCard, REFUSED } from './fetch-card'
import { APART, type DueLink, FetchSlots, type Later, MOST_DUE } from './fetch-slots'
import { type Card, previewIn } from './values'

export interface FetcherContext {
  db: DatabaseGateway
  outbound: Outbound
  log: Logger
  /** How we introduce ourselves. */
  agent: string
  /** Whether a link may lead there, and so a picture come from there. */
  allows: (url: string) => boolean
  /** Whether a card may say so. */
  allowsWords: (card: Pick<Card, 'title' | 'description'>) => boolean
}

/** How often a process looks for what is due, in ms. */
const INTERVAL = 1_000
/** Longer than any page takes (./fetch-card.ts): one that does not end gives its place back. In ms. */
const LONGEST = 10_000
/** After each attempt that came to nothing, in ms; then the destination has no card. */
const PAUSES = [MINUTE, 10 * MINUTE, 2 * HOUR]
/** A link is written soon after it was noted, if it is written at all. */
const CREATION = HOUR

const AGAIN = `dueAt = ${NOW} + INTERVAL ? MICROSECOND`

interface Due extends DueLink {
  urlHash: Uint8Array
  attempts: number
}

interface LinkRow {
  url: string
  urlHash: Uint8Array
  preview: string | null
}

/**
 * Fetches what destinations say of themselves. A process takes a link by writing down that it tries; what it did not finish is
 * due again a while later, so that nothing is lost with a process, and nobody is asked twice at once. Accounts take turns.
 */
export class PreviewFetcher extends Background {
  private readonly slots = new FetchSlots<Due>()
  private failure: { error: unknown } | null = null
  protected readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.2,
    run: () => this.fetchDue(),
    onFailure: (err) => this.ctx.log.debug({ err }, 'previews wait'),
  })

  constructor(private readonly ctx: FetcherContext) {
    super()
  }

  override async start(): Promise<void> {
    this.loop.startLater()
  }

  /**
   * Fetches what is due, and what comes to be due meanwhile, until nothing is.
   * @throws TerseError 'unavailable': the rest is for the next time
   */
  async fetchDue(): Promise<void> {
    for (;;) {
      const begun = await this.look()
      if (this.loop.isStopped || (begun === 0 && this.slots.size === 0)) return
      await this.slots.ended(INTERVAL)
      const { failure } = this
      this.failure = null
      if (failure) throw failure.error
    }
  }

  /** Begins what there is room for. @returns how many that are */
  private async look(): Promise<number> {
    for (let begun = 0; ; ) {
      const due = await this.ctx.db.rows<Due>(
        `SELECT waiting.linkId, waiting.urlHash, waiting.attempts, Link.ownerId, Link.url FROM LinkPreview AS waiting
           LEFT JOIN Link ON Link.id = waiting.linkId WHERE waiting.dueAt <= ${NOW} ORDER BY waiting.dueAt LIMIT ${MOST_DUE}`,
      )
      const { next, later } = this.slots.choose(due)
      for (const link of next) this.slots.hold(link, () => this.fetchOne(link).catch((error) => this.fail(error)))
      begun += next.length
      for (const some of later) await this.postpone(some)
      if (later.length === 0 || due.length < MOST_DUE) return begun
    }
  }

  private async postpone({ linkIds, wait }: Later): Promise<void> {
    await this.ctx.db.change(
      `UPDATE LinkPreview SET dueAt = ${NOW} + INTERVAL (? + FIELD(linkId, ?) * ${APART * 1_000}) MICROSECOND
        WHERE linkId IN (?) AND dueAt <= ${NOW}`,
      ...[(wait - APART) * 1_000, linkIds, linkIds],
    )
  }

  /** Ends the run under way: what cannot be written now would be tried again at once. */
  private fail(error: unknown): void {
    this.failure = { error }
  }

  private async fetchOne(due: Due): Promise<void> {
    if (!(await this.take(due))) return
    const [link] = await this.ctx.db.rows<LinkRow>('SELECT url, urlHash, preview FROM Link WHERE id = ?', due.linkId)
    if (!link) return this.forget(due)
    const isWanted = previewIn(link.preview)?.source === 'destination' && Buffer.compare(link.urlHash, due.urlHash) === 0
    const url = parseUrl(link.url)
    if (!isWanted || !url) return this.settle(due)
    const fetching = fetchCard(this.ctx.outbound, url, this.ctx.agent, this.ctx.allows)
    await this.write(due, await withTimeout(fetching, LONGEST, 'a page').catch(() => TOO_LONG))
  }

  /** @returns false when another process was faster, or it was tried often enough */
  private async take(due: Due): Promise<boolean> {
    const pause = PAUSES[due.attempts]
    if (pause === undefined) {
      await this.settle(due)
      return false
    }
    const taken = await this.ctx.db.change(
      `UPDATE LinkPreview SET attempts = attempts + 1, ${AGAIN} WHERE linkId = ? AND urlHash = ? AND attempts = ? AND dueAt <= ${NOW}`,
      ...[pause * 1_000, due.linkId, Buffer.from(due.urlHash), due.attempts],
    )
    return taken === 1
  }

  private async write(due: Due, fetched: Fetched): Promise<void> {
    const { card, ...how } = fetched.card && !this.ctx.allowsWords(fetched.card) ? REFUSED : fetched
    const isLast = card !== null || ('isFinal' in how && how.isFinal) || PAUSES[due.attempts + 1] === undefined
    const image = card?.image && this.ctx.allows(card.image) ? card.image : null
    await this.ctx.db.change(
      `UPDATE LinkPreview SET title = ?, description = ?, image = ?, failure = ?, fetchedAt = ${NOW}${isLast ? ', dueAt = NULL' : ''}
        WHERE linkId = ? AND urlHash = ?`,
      ...[card?.title ?? '', card?.description ?? '', image, how.failure ?? ''],
      ...[due.linkId, Buffer.from(due.urlHash)],
    )
  }

  /** It may be about to be written, or deleted: what is restored is noted again. */
  private async forget({ linkId }: Due): Promise<void> {
    if (Date.now() - timeOf(linkId) > CREATION) await this.ctx.db.change('DELETE FROM LinkPreview WHERE linkId = ?', linkId)
    else await this.ctx.db.change('UPDATE LinkPreview SET attempts = 0 WHERE linkId = ?', linkId)
  }

  private async settle({ linkId, urlHash }: Due): Promise<void> {
    await this.ctx.db.change('UPDATE LinkPreview SET dueAt = NULL WHERE linkId = ? AND urlHash = ?', linkId, Buffer.from(urlHash))
  }
}

const TOO_LONG: Fetched = { card: null, failure: 'timeout', isFinal: false }
