import type { ClickKind } from './dimensions'

/** One click as the lane saw it. Texts as the client sent them, cut to size; empty where it sent none. */
export interface CapturedClick {
  linkId: string
  /** ms since 1970, UTC. */
  at: number
  /** Hash of address and user agent, keyed with the day's salt: 16 hex digits. */
  visitor: string
  /** The client's network and never its address: the first three bytes of IPv4, the first six of IPv6, the rest zero. */
  network: string
  /** ISO 3166-1 alpha-2 from a trusted proxy. */
  country: string
  referrer: string
  userAgent: string
  /** Accept-Language. */
  language: string
  /** The query of the request, where it has UTM parameters, with its question mark. */
  query: string
  /** Where it led, of a link with several destinations (lib/routing/destination-name.ts); else ''. */
  destination: string
}

/** What is stored of a click besides link, time and visitor; the columns of Click. */
export interface ClickFacts {
  kind: ClickKind
  country: string
  city: string
  browser: string
  os: string
  device: string
  language: string
  referrer: string
  referrerUrl: string
  userAgent: string
  utmSource: string
  utmMedium: string
  utmCampaign: string
  utmTerm: string
  utmContent: string
  destination: string
}
