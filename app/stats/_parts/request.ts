import type { StatsRequest } from '@/app/_ui/data/stats'
import { readersTimeZone } from './times'
import { selectionOf, type View } from './view'

/** As many as there are countries, so that the map misses none. */
export const BREAKDOWN_LIMIT = 250

/** What is asked of the server for a view: made again each time, since most ranges end now. */
export const requestOf = (view: View): StatsRequest => ({
  ...selectionOf(view),
  interval: view.interval,
  compare: view.compare,
  timezone: readersTimeZone(),
  limit: BREAKDOWN_LIMIT,
})
