import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { isoTime, paged, pageQuery } from '@/lib/tools/schema'
import { ROW_RESULTS } from './values'

export const JOB_KINDS = ['links', 'import', 'undo', 'verify', 'export', 'rebuild', 'blocklist', 'case'] as const
export const JOB_STATES = ['queued', 'running', 'paused', 'checked', 'done', 'failed', 'cancelled'] as const

export const JobNumber = z
  .string()
  .regex(/^\d{13,20}$/, issue('forms.jobNumber'))
  .meta({ example: '2026112100042' })

const NamedOwner = z.object({
  name: z.string(),
  links: z.int().nonnegative(),
  account: z.string().nullable().optional().meta({
    description: 'The account of this site with this email; null: none. Only for a dry run that an admin can start.',
  }),
})

export const JobView = z
  .object({
    number: JobNumber,
    kind: z.enum(JOB_KINDS),
    /** What it does, in words for a person: "Delete 12 links". */
    title: z.string(),
    state: z.enum(JOB_STATES),
    done: z.int().nonnegative().meta({ description: 'Rows processed so far, including failed ones.' }),
    failed: z.int().nonnegative(),
    total: z.int().nonnegative(),
    error: z.string().meta({ description: 'Why the whole job failed.' }),
    hasFile: z.boolean().meta({ description: 'Whether the job has a file to download.' }),
    dryRun: z.boolean().meta({
      description:
        'Whether this is an import that says what would come of each row, and creates nothing. Once its state is `checked`, it can be started.',
    }),
    counts: z.partialRecord(z.enum(ROW_RESULTS), z.int().nonnegative()).meta({
      description: 'How many rows had each result, for imports, undoing them, and comparing them.',
    }),
    owners: z.array(NamedOwner).optional().meta({
      description:
        'The names of owners that the rows of an import have, the first 200 of them, and how many links each has. Only for a single job.',
    }),
    undoneBy: z.string().nullable().meta({ description: 'The number of the job that undoes this import.' }),
    createdAt: isoTime(),
    startedAt: isoTime().nullable(),
    finishedAt: isoTime().nullable(),
    waitsUntil: isoTime(
      'When the job continues, in UTC. Set if it has created as many links as its account can in a minute.',
    ).nullable(),
  })
  .meta({ id: 'Job', description: 'A task that takes longer than a request.' })

export const JobItemView = z
  .object({
    position: z.int().nonnegative(),
    target: z.string().meta({ description: 'What the row is about, such as a short link or a host.' }),
    outcome: z.enum(['done', 'skipped', 'failed']),
    message: z.string(),
    line: z.int().nullable().meta({ description: 'The line of the file that the row began in, for imports.' }),
    result: z
      .enum([...ROW_RESULTS, ''])
      .meta({ description: 'What came of the row, for imports, undoing them, and comparing them.' }),
  })
  .meta({ id: 'JobItem' })

export const JobsQuery = z.strictObject(pageQuery)
/** Of the list of jobs, which admins see of everyone. */
export const OwnJobsQuery = JobsQuery.extend({
  own: z.enum(['true', 'false']).optional().meta({ description: 'For admins: only their own.' }),
})
export const JobItemsQuery = JobsQuery.extend({ outcome: JobItemView.shape.outcome.optional() })
export const JobPage = paged('jobs', JobView).meta({ id: 'JobPage' })
export const JobItemPage = paged('items', JobItemView).meta({ id: 'JobItemPage' })

export type JobKindName = (typeof JOB_KINDS)[number]
export type JobState = (typeof JOB_STATES)[number]
export type JobView = z.infer<typeof JobView>
export type NamedOwner = z.infer<typeof NamedOwner>
export type JobItemView = z.infer<typeof JobItemView>
