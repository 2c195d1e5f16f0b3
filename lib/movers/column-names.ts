import { z } from 'zod'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { Columns } from './mover'
import { TARGETS } from './targets'

const ColumnNames = z.record(z.string().max(200), z.enum(['', ...TARGETS]))

/** What columns are, by their names, as JSON. @throws TerseError 'validation_failed' */
export function columnsOf(text: string): Columns {
  try {
    return ColumnNames.parse(JSON.parse(text))
  } catch {
    throw new TerseError('validation_failed', say('api.import.columns'))
  }
}
