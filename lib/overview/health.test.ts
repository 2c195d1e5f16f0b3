import { describe, expect, it } from 'vitest'
import { FIGURES, type Figure, healthOf } from './health'
import type { SystemView } from './schemas'

const WELL: SystemView = {
  at: '2026-11-22T12:00:00.000Z',
  process: { pid: 1, uptime: 1, memory: 1, node: 'v24', version: '1.0.0' },
  mysql: { up: true, version: '11', breaker: 'closed', latency: 1, inUse: 2, poolSize: 15 },
  redis: { up: true, version: '8', breaker: 'closed', latency: 1, memory: 80, memoryLimit: 100, unheardChanges: 0 },
  clicks: { waitingBatches: 3, waitingBytes: 10, limitBytes: 100, full: false, lag: 2, deadLetters: 0 },
  cache: { entries: 1, bytes: 200, limitBytes: 64_000_000, hits: { memory: 900, redis: 50, filter: 20, mysql: 30, stale: 0 } },
  bloom: {
    ...{ implementation: 'bitmap', trusted: true, shards: 16, trustedShards: 16, codes: 90, capacity: 100, maxCapacity: 1000 },
    ...{ fill: 0.4, estimatedError: 0.001, errorRate: 0.001 },
  },
  freed: { codes: 0, limit: 100, quarantine: '90d' },
  copies: {
    ...{ to: '/srv/copies', finishedAt: '2026-11-22T03:00:09.000Z', bytes: 1_000, nextAt: '2026-11-23T03:00:00.000Z' },
    ...{ failedAt: null, failure: '' },
  },
  ids: [
    { name: 'handle', up: true, parts: [{ part: '0', used: 99, capacity: 100, last: null }] },
    { name: 'spoken', up: true, parts: [{ part: '4', used: 10, capacity: 100, last: '0001' }] },
    { name: 'reference', up: true, parts: [{ part: '2026-11-22', used: 10, capacity: 100, last: null }] },
    { name: 'job', up: true, parts: [{ part: '2026-11-22', used: 10, capacity: null, last: null }] },
  ],
}

/** What is found, of each figure that is not as it should be: `state advice`. */
function findingsOf(change: (system: SystemView) => void): Partial<Record<Figure, string>> {
  const system = structuredClone(WELL)
  change(system)
  const health = healthOf(system)
  return Object.fromEntries(
    FIGURES.flatMap((figure) => {
      const finding = health[figure]
      return finding ? [[figure, `${finding.state} ${finding.advice}`]] : []
    }),
  )
}

describe('the health of the system', () => {
  it('has nothing to say while all is well, with a segment of handles full that another follows', () => {
    expect(findingsOf(() => {})).toEqual({})
  })

  it.each<[string, (system: SystemView) => void, Partial<Record<Figure, string>>]>([
    [
      'MySQL down',
      ({ mysql }) => Object.assign(mysql, { up: false, latency: null, breaker: 'open' }),
      { mysqlConnection: 'problem mysqlDown' },
    ],
    ['MySQL back', ({ mysql }) => Object.assign(mysql, { breaker: 'half-open' }), { mysqlConnection: 'warning mysqlRecovering' }],
    ['MySQL slow', ({ mysql }) => Object.assign(mysql, { latency: 100 }), { mysqlLatency: 'warning mysqlSlow' }],
    ['MySQL very slow', ({ mysql }) => Object.assign(mysql, { latency: 500 }), { mysqlLatency: 'problem mysqlSlow' }],
    ['no connection free', ({ mysql }) => Object.assign(mysql, { inUse: 15 }), { mysqlPool: 'warning poolUsedUp' }],
    ['no nightly copies', (system) => Object.assign(system, { copies: null }), {}],
    ['a copy that runs', (system) => Object.assign(system.copies ?? {}, { nextAt: '2026-11-22T11:30:00.000Z' }), {}],
    [
      'a copy that is late',
      (system) => Object.assign(system.copies ?? {}, { nextAt: '2026-11-22T10:30:00.000Z' }),
      { copy: 'warning copyLate' },
    ],
    [
      'a copy that fails',
      (system) => Object.assign(system.copies ?? {}, { failedAt: '2026-11-22T11:59:00.000Z', failure: 'no space left' }),
      { copy: 'problem copyFails' },
    ],
    ['Redis nearly full', ({ redis }) => Object.assign(redis, { memory: 90 }), { redisMemory: 'warning redisNearlyFull' }],
    ['Redis without a limit', ({ redis }) => Object.assign(redis, { memory: 90, memoryLimit: 0 }), {}],
    ['changes that wait', ({ redis }) => Object.assign(redis, { unheardChanges: 1 }), { replication: 'warning changesWaiting' }],
    ['a queue half full', ({ clicks }) => Object.assign(clicks, { waitingBytes: 50 }), { queueDepth: 'warning queueFilling' }],
    [
      'a full queue, behind',
      ({ clicks }) => Object.assign(clicks, { full: true, waitingBytes: 100, lag: 301 }),
      { queueDepth: 'problem queueFull', countingDelay: 'problem countingLate' },
    ],
    ['clicks behind', ({ clicks }) => Object.assign(clicks, { lag: 31 }), { countingDelay: 'warning countingLate' }],
    ['failed batches', ({ clicks }) => Object.assign(clicks, { deadLetters: 1 }), { failedBatches: 'problem batchesFailed' }],
    ['few hits', ({ cache }) => Object.assign(cache, { hits: { memory: 400, mysql: 600 } }), { hitRate: 'warning fewHits' }],
    ['few requests', ({ cache }) => Object.assign(cache, { hits: { mysql: 600 } }), {}],
    ['a filter in repair', ({ bloom }) => Object.assign(bloom, { trusted: false }), { filterState: 'warning filterUnverified' }],
    ['a filter that grows', ({ bloom }) => Object.assign(bloom, { codes: 101 }), { filterFill: 'warning filterGrows' }],
    [
      'a filter that cannot grow',
      ({ bloom }) => Object.assign(bloom, { codes: 101, maxCapacity: 100 }),
      { filterFill: 'problem filterFull' },
    ],
    [
      'a filter that errs',
      ({ bloom }) => Object.assign(bloom, { estimatedError: 0.004 }),
      { falsePositives: 'warning filterImprecise' },
    ],
    [
      'the last segment of handles nearly full',
      ({ ids }) => ids[0]?.parts.push({ part: '8', used: 90, capacity: 100, last: null }),
      { handles: 'warning handlesShort' },
    ],
    [
      'numbers nearly used up',
      ({ ids }) => ids[1]?.parts.push({ part: '5', used: 90, capacity: 100, last: null }),
      { spoken: 'warning spokenShort' },
    ],
    [
      'numbers that cannot be issued',
      ({ ids }) => Object.assign(ids[2] ?? {}, { up: false, parts: [] }),
      { references: 'problem numbersUnavailable' },
    ],
  ])('of %s', (_, change, found) => expect(findingsOf(change)).toEqual(found))

  it('of Redis down, and of all that comes back with it', () => {
    const down = findingsOf(({ redis, bloom, ids }) => {
      Object.assign(redis, { up: false, latency: null, breaker: 'open' })
      Object.assign(bloom, { trusted: false, trustedShards: 0 })
      for (const system of ids) Object.assign(system, { up: false, parts: [] })
    })
    const waits = 'warning waitsForRedis'
    expect(down).toEqual({
      redisConnection: 'problem redisDown',
      ...{ filterState: waits, handles: waits, spoken: waits, references: waits, jobs: waits },
    })
  })
})
