/**
 * What clicks are broken down by, besides time, and the column of Click that holds it. ClickRollup has their places in this list,
 * and rows outlive releases: add to its end, and never change their order.
 */
export const CLICK_COLUMN = {
  referrer: 'referrer',
  country: 'country',
  city: 'city',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
  destination: 'destination',
} as const
export type Dimension = keyof typeof CLICK_COLUMN
export const DIMENSIONS = Object.keys(CLICK_COLUMN) as readonly Dimension[]

/** The dimension of the rollup rows that count all clicks. */
export const TOTAL = 0

/** That of the rows, by day, that say how many of a link's clicks are in those of its account. No other number comes near. */
export const ACCOUNTED = 127

/** The link of the rows that count the clicks of all links by day. No link has this id. */
export const ALL_LINKS = 0n

/** A dimension as ClickRollup has it. */
export const dimensionNumber = (dimension: Dimension) => DIMENSIONS.indexOf(dimension) + 1

/** A dimension that has rows in ClickRollup only where a value was given: no empty ones. */
export const isGivenOnly = (dimension: Dimension) => dimension === 'destination' || dimension.startsWith('utm_')

/**
 * Distinct values of a dimension that get rows of their own in each hour of a link; the clicks of all others are counted
 * together, so that nobody can fill the disk by following a link (docs/decisions/0017-values.md). Of what a client
 * chooses freely there are fewer than of places, which only its network decides, and of destinations, which only the owner does.
 */
export const mostValues = (dimension: Dimension) =>
  dimension === 'country' || dimension === 'city' || dimension === 'destination' ? 250 : 50

/** No hour with fewer clicks of people has more values than it may in any dimension. */
export const FEWEST_VALUES = 50

/** The value of the row that counts all others. None that a client sends has a control character (./enrich/text.ts). */
export const OTHER = '\u0001other'

/** SingleClick has their places in this list: add to its end. */
export const CLICK_KINDS = ['person', 'bot', 'preview'] as const
export type ClickKind = (typeof CLICK_KINDS)[number]

/** A kind as SingleClick has it. */
export const kindNumber = (kind: ClickKind) => CLICK_KINDS.indexOf(kind)
