import type { CapturedClick } from '@/lib/clicks/click'
import type { Enricher, EnricherOptions } from '@/lib/clicks/enrich/enricher'
import type { ClickIds } from '@/lib/routing/click-ids'
import type { Routing, Visitor } from '@/lib/routing/routing'
import { once } from '@/lib/tools/once'

/** What was sent besides. */
interface Sent {
  /** The whole query, as it was sent. */
  query: string
  /** The client’s address. */
  address: string
  /** Whether the request is a click that counts, unless a bot sent it. */
  isClick: boolean
}

/**
 * What rules are told of visitors: the same as is counted of their clicks. What tells it is loaded with the first link that has
 * rules, and where networks are with the first that asks for a place.
 */
export class Visitors {
  private enricher: Enricher | undefined

  constructor(
    private readonly options: EnricherOptions,
    private readonly tokens: ClickIds,
  ) {}

  private readonly load = once(async () => {
    const { createEnricher } = await import('@/lib/clicks/enrich/enricher')
    this.enricher = createEnricher(this.options)
    return this.enricher
  })

  async find(seen: CapturedClick, sent: Sent, routing: Routing): Promise<Visitor> {
    const enricher = await this.load()
    if (routing.asksPlace) await enricher.ready([seen])
    return this.visitorOf(enricher, seen, sent, routing)
  }

  /** The same at once, where all that is needed is loaded. */
  peek(seen: CapturedClick, sent: Sent, routing: Routing): Visitor | undefined {
    const { enricher } = this
    if (enricher === undefined || (routing.asksPlace && !enricher.isReady(seen))) return undefined
    return this.visitorOf(enricher, seen, sent, routing)
  }

  private visitorOf(enricher: Enricher, seen: CapturedClick, { query, address, isClick }: Sent, routing: Routing): Visitor {
    const { kind, device, os, browser, language, country, city, referrer } = enricher.enrich(seen)
    // What is not counted as a person's click has no conversion either.
    const hasId = routing.asksClickId && isClick && kind === 'person'
    const clickIdOf = hasId ? (name: string) => this.tokens.make(seen.linkId, seen.at, name) : undefined
    return { device, os, browser, language, country, city, referrer, query, address, visitor: seen.visitor, clickIdOf }
  }
}
