import type { LinkView } from '@/lib/links/schemas'
import type { ScopeStats } from '@/lib/scopes/schemas'
import type { ClickPage, Note, Stats } from '@/lib/stats/schemas'

/** What a link's statistics come with when the server can tell that they are open to this browser. */
export interface FirstStats {
  /** The view that they are of, as its query says it. */
  view: string
  link: LinkView
  stats: Stats
  notes: Note[]
  clicks: ClickPage
}

/** The same of several links. */
export interface FirstScopeStats {
  view: string
  stats: ScopeStats
}
