import type { z } from 'zod'
import { TerseError } from '@/lib/errors'

/** Errors that are told: more than anybody reads, and less than a long body could make. */
const MOST = 100

/** What `schema` makes of a value. @throws TerseError 'validation_failed' naming each wrong path */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues
    .slice(0, MOST)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, MOST).map((key) => ({ path: [...issue.path, key].join('.'), message: 'There is no such field.' }))
        : [{ path: issue.path.join('.'), message: issue.message }],
    )
  const [first] = errors
  throw new TerseError('validation_failed', first ? `${first.path ? `${first.path}: ` : ''}${first.message}` : 'Invalid.', {
    errors,
  })
}
