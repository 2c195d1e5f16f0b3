import { memo, memory } from '@/lib/tools/memo'
import type { CapturedClick, ClickFacts } from '../click'
import { type Agent, agentOf } from './agent'
import type { Warn } from './database'
import { Geo, type Place } from './geo'
import { preferredLanguage } from './language'
import { type Referrer, referrerOf } from './referrer'
import { cut, tidy, WIDTH } from './text'
import { type Utm, utmOf } from './utm'

export interface EnricherOptions {
  /** GEO_DATABASE: a file in MaxMind's format, for both address families; undefined or empty: DB-IP's. */
  geoDatabase?: string | undefined
  /** Hears once of each database that cannot be read. */
  warn: Warn
}

export interface Enricher {
  /** Reads from disk what these clicks need. To be awaited before `enrich`, or they get no place. Never rejects. */
  ready(clicks: readonly CapturedClick[]): Promise<void>
  /** Whether that is done. */
  isReady(click: CapturedClick): boolean
  /**
   * What is stored of a click: every text well-formed, without control characters, and as short as its column. The same object
   * again for clicks that are alike, as far as these are remembered. Never throws.
   */
  enrich(click: CapturedClick): ClickFacts
}

type Language = Pick<ClickFacts, 'language'>

/**
 * Makes facts of what the lane captured. A busy link is clicked with few user agents from few pages, so each distinct
 * one is understood once and remembered.
 */
export function createEnricher({ geoDatabase, warn }: EnricherOptions): Enricher {
  const geo = new Geo(geoDatabase, warn)
  const agent = memo(agentOf, { entries: 10_000, characters: 2_000_000 })
  const referrer = memo(referrerOf, { entries: 10_000, characters: 2_000_000 })
  const language = memo((header) => ({ language: preferredLanguage(header) }), { entries: 5_000, characters: 500_000 })

  const known = memory<ClickFacts>({ entries: 10_000, characters: 4_000_000 })

  return {
    ready: (clicks) => geo.ready(new Set(clicks.map(({ network }) => network))),
    isReady: ({ network }) => geo.isReady(network),
    enrich(click) {
      const place = placeFor(click.country, geo.find(click.network))
      const { userAgent, destination } = click
      const key = [userAgent, click.language, click.referrer, click.query, place.country, place.city, destination].join('\n')
      const found = known.get(key)
      if (found) return found
      const led = destination && cut(tidy(destination), WIDTH.destination)
      const said = [agent(userAgent), language(click.language), referrer(click.referrer), utmOf(click.query)] as const
      const facts = factsOf(...said, place, led)
      known.set(key, facts)
      return facts
    },
  }
}

/** Field by field: spreading the five objects into one takes 8 µs a click, this well under one. */
function factsOf(agent: Agent, language: Language, from: Referrer, utm: Utm, place: Place, destination: string): ClickFacts {
  return {
    kind: agent.kind,
    country: place.country,
    city: place.city,
    browser: agent.browser,
    os: agent.os,
    device: agent.device,
    language: language.language,
    referrer: from.referrer,
    referrerUrl: from.referrerUrl,
    userAgent: agent.userAgent,
    utmSource: utm.utmSource,
    utmMedium: utm.utmMedium,
    utmCampaign: utm.utmCampaign,
    utmTerm: utm.utmTerm,
    utmContent: utm.utmContent,
    destination,
  }
}

/** A proxy that names the country knows better. It then has no city of another one. */
function placeFor(country: string, place: Place): Place {
  if (!/^[A-Z]{2}$/.test(country) || country === place.country) return place
  return { country, city: '' }
}
