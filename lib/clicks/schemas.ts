import { z } from 'zod'
import { isoTime } from '@/lib/tools/schema'

export const DeadLetterView = z.object({
  id: z.string().meta({ description: 'The partition, and the ID in its stream.' }),
  partition: z.int(),
  at: isoTime(),
  clicks: z.int().nonnegative(),
  error: z.string(),
  tries: z.int(),
})

export const DeadLetterAction = z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(1000).optional() })

export const DeadLetterPage = z.object({ letters: z.array(DeadLetterView), total: z.int().nonnegative() })

export const DeadLettersHandled = z.object({ letters: z.int().nonnegative() })

export type DeadLetterView = z.infer<typeof DeadLetterView>
