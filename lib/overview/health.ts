import type { Messages } from '@/lib/i18n/catalogue'
import type { SystemView } from './schemas'

/** What to do about a figure: the key of its message. */
type Advice = keyof Messages['system']['advice']

/** A figure that is not as it should be: *warning* will be a problem if nothing is done, *problem* is one now. */
export interface Finding {
  state: 'warning' | 'problem'
  advice: Advice
}

type Rule = (system: SystemView) => Finding | null

/** From where on an answer over a local network is slow, in ms. */
const SLOW = 100
const VERY_SLOW = 500
/** Clicks are counted within a second or two: what waits longer than this is held up, in s. */
const LATE = 30
const VERY_LATE = 300
/** A share from which on something is nearly full. */
const NEARLY_FULL = 0.9
/** Beyond a multiple of the error rate that was asked for, unknown links cost noticeably more. */
const IMPRECISE = 3
/** Below this share of answers without MySQL, and with at least so many requests, something is wrong with the caches. */
const GOOD_HIT_RATE = 0.5
const ENOUGH_REQUESTS = 1_000
/** A copy begins within a minute, and takes a few, in ms. */
const COPY_LATE = 3_600_000
/** After it there is none (lib/ids/handles.ts). */
const LAST_SEGMENT = '8'
/** References of a day that have six digits; those of five go over into them (lib/ids/references.ts). */
const SIX_DIGITS = 900_000

const problem = (advice: Advice): Finding => ({ state: 'problem', advice })
const warning = (advice: Advice): Finding => ({ state: 'warning', advice })

/** How each figure of the system is judged. */
const RULES = {
  mysqlConnection: ({ mysql: { up, breaker } }) => connection(up, breaker, 'mysqlDown', 'mysqlRecovering'),
  mysqlLatency: ({ mysql: { latency } }) => latencyOf(latency, 'mysqlSlow'),
  mysqlPool: ({ mysql: { inUse, poolSize } }) => (inUse >= poolSize ? warning('poolUsedUp') : null),
  redisConnection: ({ redis: { up, breaker } }) => connection(up, breaker, 'redisDown', 'redisRecovering'),
  redisLatency: ({ redis: { latency } }) => latencyOf(latency, 'redisSlow'),
  redisMemory: ({ redis: { memory, memoryLimit } }) =>
    memoryLimit > 0 && memory >= NEARLY_FULL * memoryLimit ? warning('redisNearlyFull') : null,
  replication: ({ redis: { unheardChanges } }) => (unheardChanges > 0 ? warning('changesWaiting') : null),
  queueDepth: ({ clicks: { full, waitingBytes, limitBytes } }) =>
    full ? problem('queueFull') : waitingBytes >= limitBytes / 2 ? warning('queueFilling') : null,
  countingDelay: ({ clicks: { lag } }) =>
    (lag ?? 0) > VERY_LATE ? problem('countingLate') : (lag ?? 0) > LATE ? warning('countingLate') : null,
  failedBatches: ({ clicks: { deadLetters } }) => (deadLetters > 0 ? problem('batchesFailed') : null),
  hitRate: ({ cache }) => {
    const { cached, total } = hitsOf(cache)
    return total >= ENOUGH_REQUESTS && cached < GOOD_HIT_RATE * total ? warning('fewHits') : null
  },
  filterState: ({ bloom, redis }) => {
    if (bloom.trusted) return null
    return redis.up ? warning('filterUnverified') : warning('waitsForRedis')
  },
  filterFill: ({ bloom: { codes, capacity, maxCapacity } }) => {
    if (codes <= capacity) return null
    return capacity < maxCapacity ? warning('filterGrows') : problem('filterFull')
  },
  falsePositives: ({ bloom: { codes, capacity, estimatedError, errorRate } }) =>
    codes <= capacity && estimatedError > IMPRECISE * errorRate ? warning('filterImprecise') : null,
  copy: ({ at, copies }) => {
    if (copies === null) return null
    if (copies.failedAt !== null) return problem('copyFails')
    return Date.parse(at) - Date.parse(copies.nextAt) > COPY_LATE ? warning('copyLate') : null
  },
  handles: (system) => numbers(system, 'handle', 'handlesShort', ({ part }) => part === LAST_SEGMENT),
  spoken: (system) => numbers(system, 'spoken', 'spokenShort'),
  references: (system) => numbers(system, 'reference', 'referencesShort', ({ capacity }) => capacity === SIX_DIGITS),
  jobs: (system) => numbers(system, 'job', 'numbersUnavailable'),
} satisfies Record<string, Rule>

export type Figure = keyof typeof RULES

export const FIGURES = Object.keys(RULES) as Figure[]

/** Of each figure what is wrong with it, and what to do; null for one that is as it should be. */
export type Health = Record<Figure, Finding | null>

export const healthOf = (system: SystemView): Health =>
  Object.fromEntries(FIGURES.map((figure) => [figure, RULES[figure](system)])) as Health

/** Requests in all, and those that were answered without MySQL. */
export function hitsOf({ hits }: SystemView['cache']): { cached: number; total: number } {
  const total = Object.values(hits).reduce((sum, count) => sum + count, 0)
  return { cached: total - (hits.mysql ?? 0), total }
}

function connection(up: boolean, breaker: SystemView['mysql']['breaker'], down: Advice, recovering: Advice): Finding | null {
  if (!up) return problem(down)
  return breaker === 'closed' ? null : warning(recovering)
}

function latencyOf(latency: number | null, advice: Advice): Finding | null {
  if (latency === null || latency < SLOW) return null
  return latency < VERY_SLOW ? warning(advice) : problem(advice)
}

type Part = SystemView['ids'][number]['parts'][number]

/** @param counts whether no other part takes over when this one is full */
function numbers(
  { ids, redis }: SystemView,
  kind: SystemView['ids'][number]['name'],
  short: Advice,
  counts: (part: Part) => boolean = () => true,
): Finding | null {
  const system = ids.find(({ name }) => name === kind)
  if (!system?.up) return redis.up ? problem('numbersUnavailable') : warning('waitsForRedis')
  const isShort = system.parts.some((part) => counts(part) && part.capacity !== null && part.used >= NEARLY_FULL * part.capacity)
  return isShort ? warning(short) : null
}
