import { z } from 'zod'
import { line } from './line'

/** An id as text, up to 9e18: what a signed 64-bit column takes, and more than an id gets this century. */
export const ID = /^(\d{1,18}|[1-8]\d{18})$/

/** A time in answers. */
export const isoTime = (description = 'A time in UTC.') => z.iso.datetime().meta({ description })

/** A time in requests. */
export const givenTime = () => z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** What every list is asked with. */
export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(100).default(50).meta({ type: 'integer' }),
  cursor: z.string().max(200).optional(),
}

/** One page of a list. */
export const paged = <K extends string, T extends z.ZodType>(key: K, item: T) =>
  z.object({ ...({ [key]: z.array(item) } as Record<K, z.ZodArray<T>>), nextCursor: z.string().nullable() })

/** Why an admin does something. */
export const reason = line(255).default('')
