import type { z } from 'zod'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { foundBy, SHOWN } from './issues'

/** Errors that are told: more than anybody reads, and less than a long body could make. */
const MOST = 100

/** What `schema` makes of a value. @throws TerseError 'validation_failed' naming each wrong path */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, SHOWN)
  if (parsed.success) return parsed.data
  const errors = foundBy(parsed.error, MOST)
  const { path, message } = errors[0] ?? { path: '', message: say('forms.field.wrong') }
  throw new TerseError('validation_failed', path === '' ? message : say('api.field', { path, problem: message }), { errors })
}
