import { type CursorPage, useCursorPage } from '@/app/_ui/data/cursor-page'
import { listLinks } from '@/app/_ui/data/links'
import { type LinksView, listQuery } from '@/app/_ui/links/links-view'
import type { LinkView } from '@/lib/links/schemas'

export type LinkPageControl = CursorPage<LinkView>

/** A page of the account's links. */
export const useLinkPage = (view: LinksView): LinkPageControl => useCursorPage('own links', listQuery(view), listLinks)
