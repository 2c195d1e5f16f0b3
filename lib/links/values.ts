import type { AnyRedirect } from '@/lib/tools/redirects'

/** What fields of a link can be, apart from their schemas: the browser needs these, and no zod with them. */

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]
/** The status of another server as a link has it: 303 differs from 302 for forms alone, which no link takes. */
export const linkStatusOf = (status: AnyRedirect): RedirectStatus => (status === 303 ? 302 : status)

export const LINK_STATES = ['active', 'scheduled', 'expired', 'disabled', 'paused', 'banned', 'deleted'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** What a code is: letters and digits that stay, or a number to be said aloud, which goes to another link later. */
export const LINK_KINDS = ['short', 'spoken'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

export const LINK_SORTS = ['newest', 'oldest', 'clicks'] as const

/** What changes how links are filed, and nothing that they do. */
export const FILING_ACTIONS = ['archive', 'unarchive', 'favorite', 'unfavorite', 'tag', 'untag', 'move'] as const
export type FilingAction = (typeof FILING_ACTIONS)[number]

export const BULK_ACTIONS = ['enable', 'disable', 'delete', 'restore'] as const
