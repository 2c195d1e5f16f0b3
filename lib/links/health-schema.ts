import { z } from 'zod'
import { isoTime } from '@/lib/tools/schema'
import { HEALTH_REASONS, HEALTH_STATES } from './health'

/** What is wrong with a destination of a link. */
export const HealthView = z
  .object({
    state: z.enum(HEALTH_STATES).meta({
      description:
        '`dead`: three checks over two days failed. `parked`: it looks like a page of a name that is for sale. `threat`: it’s on this site’s list of threats.',
    }),
    reason: z.enum(HEALTH_REASONS).meta({
      description: '`maybe`: a short hash prefix of the list matches, which can be by chance.',
    }),
    status: z.int().nullable().meta({ description: 'The HTTP status that it answered with.' }),
    destination: z
      .string()
      .meta({ description: 'Which destination it is: the link’s own, or one of its rules, its split or its end.' }),
    since: isoTime('When this was first found, in UTC.'),
    checkedAt: isoTime('When it was last checked, in UTC.'),
  })
  .meta({ id: 'LinkHealth' })
export type HealthView = z.output<typeof HealthView>
