import { z } from 'zod'
import { LinkView } from '@/lib/links/schemas'
import { issue } from '@/lib/tools/issues'
import { isoTime } from '@/lib/tools/schema'
import { OVERVIEW_DAYS } from './values'

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
  count: z.int().nonnegative().meta({ description: 'Human clicks.' }),
  visitors: z.int().nonnegative().meta({ description: 'Visitors. Each person counts once per day and link.' }),
  bots: z.int().nonnegative().meta({ description: 'Clicks by bots and link previews.' }),
})

export const Overview = z
  .object({
    links: z.int().nonnegative(),
    clicks: z.int().nonnegative().meta({
      description:
        'All clicks on its links so far, including bots, previews, and clicks on links deleted since. A claimed link brings the clicks it already had.',
    }),
    clicksByDay: z.array(ClickDay).meta({ description: 'Clicks on each of the last `days` days, oldest first.' }),
    top: z
      .array(z.object({ link: LinkView, clicks: z.int().nonnegative() }))
      .meta({ description: 'The links with the most human clicks in that time.' }),
    newest: z.array(LinkView),
  })
  .meta({ id: 'Overview' })

/** What came of a mail that an admin has sent to their own address. */
export const TestEmail = z.object({
  to: z.email(),
  refusal: z
    .string()
    .nullable()
    .meta({ description: 'Why the mail server didn’t take it, in its own words. `null` if it took it.' }),
})

export const AdminOverview = Overview.extend({
  clicks: z
    .int()
    .nonnegative()
    .meta({ description: 'All clicks so far, including bots, previews, and clicks on deleted links.' }),
  accounts: z.int().nonnegative(),
  openReports: z.int().nonnegative(),
  linksByDay: z.array(DayCount).meta({ description: 'Links that still exist, by the day they were created.' }),
  accountsByDay: z.array(DayCount),
  reportsByDay: z.array(DayCount),
  topHosts: z.array(z.object({ host: z.string(), links: z.int().nonnegative(), clicks: z.int().nonnegative() })).meta({
    description: 'The hosts that links lead to, most clicked first. Based on the 1,000 most clicked and the 10,000 newest links.',
  }),
  /** When the numbers were counted: they are kept for a minute. */
  at: isoTime(),
})

const breaker = z.enum(['closed', 'open', 'half-open'])

const part = z.string().meta({
  description:
    'For handles, the segment, from 0. For spoken numbers, the number of digits. For references and jobs, the UTC day.',
})

export const SystemView = z.object({
  at: isoTime(),
  process: z.object({
    pid: z.int(),
    uptime: z.number().meta({ description: 'In seconds.' }),
    memory: z.int().meta({ description: 'In bytes.' }),
    node: z.string(),
    version: z.string(),
  }),
  mysql: z.object({
    up: z.boolean(),
    version: z.string(),
    breaker,
    latency: z.number().nullable().meta({ description: 'In milliseconds.' }),
    inUse: z.int().meta({ description: 'Queries running in this process.' }),
    poolSize: z.int().meta({ description: 'The maximum number of queries that can run at once.' }),
  }),
  redis: z.object({
    up: z.boolean(),
    version: z.string(),
    breaker,
    latency: z.number().nullable().meta({ description: 'In milliseconds.' }),
    memory: z.int().meta({ description: 'In bytes.' }),
    memoryLimit: z.int().meta({ description: 'The `maxmemory` setting in bytes. 0 if none is set.' }),
    unheardChanges: z.int().meta({ description: 'Changes in MySQL that haven’t reached Redis yet.' }),
  }),
  clicks: z.object({
    waitingBatches: z.int(),
    waitingBytes: z.int(),
    limitBytes: z.int().meta({ description: 'When `waitingBytes` reaches this limit, clicks go to the spool.' }),
    full: z.boolean(),
    lag: z.number().nullable().meta({ description: 'The age of the oldest waiting batch, in seconds.' }),
    deadLetters: z.int(),
  }),
  cache: z.object({
    entries: z.int().meta({ description: 'Links in memory.' }),
    bytes: z.int().meta({ description: 'Memory in which they are, or were.' }),
    limitBytes: z.int().meta({ description: 'The `CACHE_MB` setting in bytes. 0 if nothing is kept.' }),
    hits: z.record(z.string(), z.number()).meta({
      description:
        'Requests for a code in this process, by where the answer came from: `memory`, `redis`, `filter` (the code is known not to exist), `mysql`, or `stale` (MySQL was down).',
    }),
  }),
  bloom: z.object({
    implementation: z.string().meta({ description: '`native` (RedisBloom), `bitmap`, or `none`.' }),
    trusted: z.boolean().meta({ description: 'Whether every shard can be trusted.' }),
    shards: z.int(),
    trustedShards: z.int(),
    codes: z.int().meta({ description: 'The approximate number of codes ever added.' }),
    capacity: z.int().meta({
      description: 'The number of codes this filter is built for. It’s rebuilt at a larger size before it holds that many.',
    }),
    maxCapacity: z.int().meta({ description: 'The maximum number of codes it grows to automatically.' }),
    fill: z.number().meta({ description: 'The share of bits that are set, from 0 to 1.' }),
    estimatedError: z
      .number()
      .meta({ description: 'The share of unknown codes that it takes for known ones at its current fill, from 0 to 1.' }),
    errorRate: z.number().meta({ description: 'The same share that this filter is built for, at full capacity.' }),
  }),
  freed: z.object({
    codes: z.int().meta({ description: 'Deleted codes in quarantine that Redis knows.' }),
    limit: z.int().meta({ description: 'The number of codes Redis keeps. Older ones are looked up in MySQL.' }),
    quarantine: z.string(),
  }),
  copies: z
    .object({
      to: z.string().meta({ description: 'A folder, or the address of a bucket.' }),
      finishedAt: isoTime().nullable().meta({ description: 'When the last copy was finished. If null, there’s none yet.' }),
      bytes: z.int().meta({ description: 'The size of that copy.' }),
      nextAt: isoTime().meta({ description: 'When the next copy is due.' }),
      failedAt: isoTime()
        .nullable()
        .meta({ description: 'When a copy failed that hasn’t been made since. It’s tried again every five minutes.' }),
      failure: z.string().meta({ description: 'Why it failed.' }),
    })
    .nullable()
    .meta({ description: 'The nightly copy of all links. `null` where `COPY_TO` is not set.' }),
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
export type TestEmail = z.infer<typeof TestEmail>
