import type { ClicksRequest, StatsRequest } from '@/app/_ui/data/stats-query'
import { readersTimeZone } from './times'
import { type Clock, selectionOf, type View } from './view'

/** As many as there are countries, so that the map misses none. */
export const BREAKDOWN_LIMIT = 250
const CLICKS_PAGE = 20

/** What is asked of the server for a view: made again each time, since most ranges end now. */
export const requestOf = (view: View, timezone = readersTimeZone(), clock?: Clock): StatsRequest => ({
  ...selectionOf(view, clock),
  interval: view.interval,
  compare: view.compare,
  timezone,
  limit: BREAKDOWN_LIMIT,
})

export const clicksRequestOf = (view: View, cursor: string | null, clock?: Clock): ClicksRequest => ({
  ...selectionOf(view, clock),
  cursor,
  limit: CLICKS_PAGE,
})
