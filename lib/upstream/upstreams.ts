import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Outbound } from '@/lib/net/outbound'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Breaker, BreakerOpenError } from '@/lib/tools/breaker'
import { keyedHash, sha256 } from '@/lib/tools/hash'
import type { AnyRedirect } from '@/lib/tools/redirects'
import { SingleFlight } from '@/lib/tools/single-flight'
import { CatchAlls } from './catch-all'
import { askUpstream } from './client'
import type { UpstreamCounts, UpstreamEvent } from './counts'
import { Pace } from './pace'
import { lifetimeOf, SharedAnswers } from './shared-answers'
import type { Asker, Upstream, UpstreamAnswer, UpstreamFailure, UpstreamReply } from './upstream'

/** Answers of no use to a visitor that a process remembers: 400 bytes each at most. */
const REMEMBERED = 20_000
/** Answers that do not come: then the next visitors are not kept waiting for this long, in ms. */
const REST = { failures: 5, cooldown: 1_000 }

/** A code that the old shortener is asked for. */
export interface Question {
  domain: { id: number; host: string }
  upstream: Upstream
  /** The code as it was typed. */
  code: string
  /** The full short URL as it was typed. */
  full: string
  /** The short link, as the visitor has it. */
  shortUrl: URL
  asker: Asker
  /** By which a client's share is limited. */
  client: string
}

/** A link of the old shortener. */
export interface FoundLink {
  host: string
  code: string
  url: string
  status: AnyRedirect
  ownerId: string | null
}

/**
 * Creates the link, by way of the one place where it is decided what a link may be.
 * @returns `taken`: there is a link of ours now. `refused`: none may lead there. `redirectOnly`: it could not be created
 */
export type TakeOver = (found: FoundLink) => Promise<'taken' | 'refused' | 'redirectOnly'>

interface Parts {
  outbound: Outbound
  redis: RedisGateway
  counts: UpstreamCounts
  log: Logger
  /** For the header by which we know our own questions. */
  secret: string
  baseUrl: string
  perSecond: number
  limited: boolean
  isOwn: (href: string) => boolean
}

/** Asks old shorteners for codes that are not here, and has their links created here. */
export class Upstreams {
  /** By which this deployment knows its own questions. */
  readonly id: string
  readonly counts: UpstreamCounts
  private readonly flights = new SingleFlight<UpstreamAnswer>()
  private readonly remembered = new LRUCache<string, UpstreamAnswer>({ max: REMEMBERED })
  private readonly breakers = new LRUCache<string, Breaker>({ max: 1_000 })
  private readonly pace: Pace
  private readonly shared: SharedAnswers
  private readonly catchAlls: CatchAlls
  private takeOver: TakeOver

  /** @param takeOver loads what creates links; where a process has that already, `setTakeOver` says so */
  constructor(
    private readonly parts: Parts,
    takeOver: TakeOver,
  ) {
    const { secret, redis, perSecond, limited, counts } = parts
    this.takeOver = takeOver
    this.id = keyedHash(secret, 'upstream').toString('base64url').slice(0, 22)
    this.counts = counts
    this.pace = new Pace(redis, perSecond, limited)
    this.shared = new SharedAnswers(redis)
    this.catchAlls = new CatchAlls((upstream, shortUrl) => this.fetch(upstream, shortUrl))
  }

  setTakeOver(takeOver: TakeOver): void {
    this.takeOver = takeOver
  }

  /** What the old shortener says of a code; all who ask at once share one question. Never throws. */
  async find(question: Question): Promise<UpstreamAnswer> {
    const { domain } = question
    const key = keyOf(question)
    const known = this.remembered.get(key)
    if (known) return known
    const answer = await this.flights.run(key, () => this.ask(question, key))
    if (answer.kind === 'busy') this.counts.add(domain.id, 'busy')
    return answer
  }

  private async ask(question: Question, key: string): Promise<UpstreamAnswer> {
    const { domain, client, asker } = question
    // First, since it costs nothing once there were too many.
    const refused = await this.pace.waitForTurn(domain.id, client)
    if (refused) return { kind: 'busy', ...refused }
    const answer = await this.shared.of(key, async () => {
      const found = await this.askNow(question)
      this.counts.add(domain.id, eventOf(found, asker))
      return found
    })
    if (answer.kind === 'unknown' || answer.kind === 'refused') this.remembered.set(key, answer, { ttl: lifetimeOf(answer) })
    return answer
  }

  private async askNow(question: Question): Promise<UpstreamAnswer> {
    const { domain, upstream, code, shortUrl } = question
    const said = await this.unlessDown(upstream, () => this.fetch(upstream, shortUrl))
    if (said.kind !== 'redirect') return said
    const { status, location, isOwn } = said
    const redirectsAnyCode = await this.catchAlls.answersAnyCode(upstream, shortUrl, location)
    if (redirectsAnyCode) return { kind: 'unknown' }
    // To another short link of the same domain: that is asked for next.
    if (isOwn) return { kind: 'redirect', status, location, isTaken: false }
    try {
      // It may be what every code gets: then the rules hold for it all the same, and nobody gets a link.
      const ownerId = redirectsAnyCode === null ? null : upstream.ownerId
      const taken = await this.takeOver({ host: domain.host, code, url: location, status, ownerId })
      return taken === 'refused' ? { kind: 'refused' } : { kind: 'redirect', status, location, isTaken: taken === 'taken' }
    } catch (err) {
      // What would hold it against the rules could not be loaded, since MySQL is away.
      this.parts.log.warn({ err, host: domain.host }, 'links of the old shortener cannot be created')
      return { kind: 'busy', retryAfter: 2 }
    }
  }

  /** Asks for one short link, whether it is known or not. */
  fetch(upstream: Upstream, shortUrl: URL): Promise<UpstreamReply> {
    const { outbound, isOwn, baseUrl } = this.parts
    const agent = `Terse (+${baseUrl})`
    return askUpstream({ outbound, id: this.id, agent, isOwn }, upstream, shortUrl.pathname, shortUrl)
  }

  private async unlessDown(upstream: Upstream, work: () => Promise<UpstreamReply>): Promise<UpstreamReply> {
    const breaker = this.breakerOf(upstream)
    try {
      return await breaker.run(async () => {
        const said = await work()
        if (said.kind === 'failed' && isDown(said.why)) throw new DownError(said)
        return said
      })
    } catch (error) {
      if (error instanceof DownError) return error.said
      if (error instanceof BreakerOpenError) return { kind: 'failed', why: 'connection' }
      throw error
    }
  }

  private breakerOf({ url, host }: Upstream): Breaker {
    const key = `${url} ${host}`
    const breaker = this.breakers.get(key) ?? new Breaker(REST)
    this.breakers.set(key, breaker)
    return breaker
  }
}

/** What an old shortener said is of no account once another one is asked, or the same by another name. */
const keyOf = ({ full, upstream: { url, host } }: Question) =>
  `${full} ${sha256(`${url} ${host}`).toString('base64url').slice(0, 12)}`

class DownError extends Error {
  constructor(readonly said: UpstreamReply) {
    super('no answer')
  }
}

/** It answers nobody. */
const isDown = (why: UpstreamFailure) => why === 'timeout' || why === 'connection' || why === 'name'

function eventOf(answer: UpstreamAnswer, asker: Asker): UpstreamEvent {
  if (answer.kind === 'redirect') return answer.isTaken ? `came.${asker}` : `kept.${asker}`
  if (answer.kind === 'failed') return `failed.${answer.why}`
  return answer.kind === 'loop' ? 'failed.loop' : answer.kind
}
