import { COLUMN_NAMES } from '@/lib/links/properties'
import type { Target } from './mover'

/** What a column of a file can be. */
export const TARGETS = [...COLUMN_NAMES, 'shortUrl'] as const satisfies readonly Target[]
