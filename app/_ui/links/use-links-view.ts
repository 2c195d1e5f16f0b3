import { type ListControl, useListView } from '@/app/_ui/data/list-view'
import { type LinksView, linksQuery, parseLinksView } from './links-view'

export type LinksControl = ListControl<LinksView>

/** The view that the address names. */
export const useLinksView = (): LinksControl => useListView(parseLinksView, linksQuery)
