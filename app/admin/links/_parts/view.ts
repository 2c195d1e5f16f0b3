import type { ListControl } from '@/app/_ui/data/list-view'
import { type LinksView, linksQuery, listQuery, EMPTY_VIEW as NO_FILTERS, parseLinksView } from '@/app/_ui/links/links-view'

/** What the list of everyone's links shows, as its address says it. */
export interface AllLinksView extends LinksView {
  /** Id of an account; `none`: links without one; null: anyone's. */
  owner: string | null
  /** A host; null: any. */
  domain: string | null
}

export const EMPTY_VIEW: AllLinksView = { ...NO_FILTERS, owner: null, domain: null }

export type AllLinksControl = ListControl<AllLinksView>

export function parseView(query: URLSearchParams): AllLinksView {
  return {
    ...parseLinksView(query),
    // Of these each account has its own.
    ...{ tag: null, folder: null, archived: null, favorite: null },
    owner: query.get('owner')?.slice(0, 36) || null,
    domain: query.get('domain')?.slice(0, 253) || null,
  }
}

export const viewQuery = (view: AllLinksView) =>
  new URLSearchParams([...new URLSearchParams(linksQuery(view)), ...more(view)]).toString()

/** The same for the API. */
export const apiQuery = ({ owner, domain, ...view }: AllLinksView): Record<string, string> => ({
  ...listQuery(view),
  ...Object.fromEntries(more({ owner, domain })),
})

/** Whether anything narrows the list. */
export const isNarrowed = (view: AllLinksView) => viewQuery({ ...view, sort: 'newest', cursor: null }) !== ''

const more = ({ owner, domain }: Pick<AllLinksView, 'owner' | 'domain'>): [string, string][] => [
  ...(owner === null ? [] : [['owner', owner] satisfies [string, string]]),
  ...(domain === null ? [] : [['domain', domain] satisfies [string, string]]),
]
