import type { LinkContext } from '@/lib/links/context'
import type { Engines } from './engines'

/** What every use case on series stands on. */
export interface SeriesContext extends LinkContext {
  /** Where their numbers come from. */
  series: Engines
}
