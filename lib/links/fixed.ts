import type { LinkView, UpdateLinkData } from './schemas'

/**
 * What the maker of a link may still change once others were given it (docs/decisions/0007-shared-links.md). Every other field,
 * and every other column, is fixed: what is added to links later is fixed too, until it is named here.
 */
export const FREE_WHEN_SHARED = ['title'] as const satisfies readonly (keyof UpdateLinkData)[]

/**
 * Whether this field of a link is fixed for its maker. The number of a spoken one goes to the next link at a time that is
 * promised.
 */
export const isFixed = ({ shared, kind }: Pick<LinkView, 'shared' | 'kind'>, field: keyof UpdateLinkData): boolean =>
  (kind === 'spoken' && field === 'expiresAt') || (shared && !(FREE_WHEN_SHARED as readonly string[]).includes(field))
