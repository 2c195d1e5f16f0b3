import type { Condition } from './rules'

/** What conditions can be about, in the order of the form. */
export const CONDITIONS = [
  'device',
  'os',
  'browser',
  'language',
  'country',
  'city',
  'referrer',
  'query',
  'address',
  'date',
  'time',
] as const satisfies readonly Condition['of'][]

export const DEVICES = ['desktop', 'mobile', 'tablet', 'tv', 'other'] as const

/** Characters of a whole routing as JSON. */
export const MOST_ROUTING_TEXT = 60_000
export const FEWEST_VARIANTS = 2
export const MOST_VARIANTS = 8

/** The parameter that carries the ID of a click, unless the link names another. */
export const CLICK_ID_PARAMETER = 'click_id'
