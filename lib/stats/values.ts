import { DIMENSIONS } from '@/lib/clicks/dimensions'

/** What parts of a question for statistics can be, apart from their schemas: the browser needs these, and no zod with them. */

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** What a range is compared with by itself. */
export const COMPARISONS = ['previous', 'year', 'none'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** What clicks are broken down and filtered by: what is stored of each, and the source that its referrer belongs to. */
export const FACETS = ['source', ...DIMENSIONS] as const
export type Facet = (typeof FACETS)[number]
export type Filters = Partial<Record<Facet, string>>
