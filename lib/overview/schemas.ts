import { z } from 'zod'
import { LinkView } from '@/lib/links/schemas'
import { issue } from '@/lib/tools/issues'
import { isoTime } from '@/lib/tools/schema'

export const OVERVIEW_DAYS = [7, 30, 90] as const

export const OverviewQuery = z.strictObject({
  days: z.coerce
    .number()
    .refine((days) => OVERVIEW_DAYS.some((known) => known === days), issue('forms.days'))
    .default(30)
    .meta({ type: 'integer', enum: [...OVERVIEW_DAYS] }),
})

/** Numbers of one UTC day. */
const DayCount = z.object({ day: z.iso.date(), count: z.int().nonnegative() })

const ClickDay = DayCount.extend({
  count: z.int().nonnegative().meta({ description: 'Clicks of people.' }),
  visitors: z.int().nonnegative().meta({ description: 'People, each counted once a day and link.' }),
  bots: z.int().nonnegative().meta({ description: 'Clicks of bots and link previews.' }),
})

export const Overview = z
  .object({
    links: z.int().nonnegative(),
    clicks: z.int().nonnegative().meta({ description: 'All clicks so far, bots and previews included.' }),
    clicksByDay: z.array(ClickDay).meta({ description: 'Of each of the days asked for, the oldest first.' }),
    top: z
      .array(z.object({ link: LinkView, clicks: z.int().nonnegative() }))
      .meta({ description: 'Most clicked by people in that time.' }),
    newest: z.array(LinkView),
  })
  .meta({ id: 'Overview' })

export const AdminOverview = Overview.extend({
  clicks: z.int().nonnegative().meta({ description: 'All clicks so far, also on links that were deleted.' }),
  accounts: z.int().nonnegative(),
  openReports: z.int().nonnegative(),
  linksByDay: z.array(DayCount).meta({ description: 'Of links that still exist, by when they were made.' }),
  accountsByDay: z.array(DayCount),
  reportsByDay: z.array(DayCount),
  topHosts: z
    .array(z.object({ host: z.string(), links: z.int().nonnegative(), clicks: z.int().nonnegative() }))
    .meta({ description: 'Where links lead, most clicked first: of the 10,000 most clicked links and the 10,000 newest.' }),
  /** When the numbers were counted: they are kept for a minute. */
  at: isoTime(),
})

const breaker = z.enum(['closed', 'open', 'half-open'])

const part = z
  .string()
  .meta({ description: 'Of handles the segment, from 0; of spoken numbers how many digits; of references and jobs the UTC day.' })

export const SystemView = z.object({
  at: isoTime(),
  process: z.object({
    pid: z.int(),
    uptime: z.number().meta({ description: 's' }),
    memory: z.int().meta({ description: 'bytes' }),
    node: z.string(),
    version: z.string(),
  }),
  mysql: z.object({
    up: z.boolean(),
    version: z.string(),
    breaker,
    latency: z.number().nullable().meta({ description: 'ms' }),
    inUse: z.int().meta({ description: 'queries under way in this process' }),
    poolSize: z.int().meta({ description: 'queries that can be under way at a time' }),
  }),
  redis: z.object({
    up: z.boolean(),
    version: z.string(),
    breaker,
    latency: z.number().nullable(),
    memory: z.int().meta({ description: 'bytes' }),
    memoryLimit: z.int().meta({ description: 'maxmemory, in bytes; 0: none is set' }),
    unheardChanges: z.int().meta({ description: 'changes in MySQL that have not reached Redis' }),
  }),
  clicks: z.object({
    waitingBatches: z.int(),
    waitingBytes: z.int(),
    limitBytes: z.int().meta({ description: 'waitingBytes from which on clicks go to the spool' }),
    full: z.boolean(),
    lag: z.number().nullable().meta({ description: 'age of the oldest batch that waits, s' }),
    deadLetters: z.int(),
  }),
  cache: z.object({
    entries: z.int(),
    capacity: z.int(),
    hits: z.record(z.string(), z.number()).meta({
      description:
        'Requests for a code in this process, by where the answer was found: memory, redis, filter (which knew that there is none), mysql, or stale (MySQL was down).',
    }),
  }),
  bloom: z.object({
    implementation: z.string().meta({ description: 'native (RedisBloom), bitmap or none' }),
    trusted: z.boolean().meta({ description: 'Every shard is.' }),
    shards: z.int(),
    trustedShards: z.int(),
    codes: z.int().meta({ description: 'ever added, about' }),
    capacity: z
      .int()
      .meta({ description: 'codes that this filter was made for; it is made again, larger, before it holds so many' }),
    maxCapacity: z.int().meta({ description: 'codes that it grows to by itself, at most' }),
    fill: z.number().meta({ description: 'share of bits that are set, 0 to 1' }),
    estimatedError: z.number().meta({ description: 'share of unknown codes that it takes for known ones, as full as it is' }),
    errorRate: z.number().meta({ description: 'the same as this filter was made for, at full capacity' }),
  }),
  freed: z.object({
    codes: z.int().meta({ description: 'deleted codes in quarantine that Redis knows' }),
    limit: z.int().meta({ description: 'how many it keeps; of older ones MySQL is asked' }),
    quarantine: z.string(),
  }),
  ids: z.array(
    z.object({
      name: z.enum(['handle', 'spoken', 'reference', 'job']),
      up: z.boolean(),
      parts: z.array(z.object({ part, used: z.int(), capacity: z.int().nullable(), last: z.string().nullable() })),
    }),
  ),
})

export type Overview = z.infer<typeof Overview>
export type AdminOverview = z.infer<typeof AdminOverview>
export type SystemView = z.infer<typeof SystemView>
