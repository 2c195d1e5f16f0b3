import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Registry as MetricsRegistry } from 'prom-client'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RedisGateway } from '@/lib/redis/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { capturedClick } from '@/lib/testing/counting'
import { eventually } from '@/lib/testing/eventually'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { controlOf, replicate } from '@/lib/testing/sentinel'
import { Backlog } from './backlog'
import { Capture } from './capture'
import { Forward } from './forward'
import { createClickMetrics } from './metrics'
import { Replay } from './replay'
import { Spool } from './spool'
import { ALL_PARTITIONS, decodeBatch, partitionKeys } from './stream'

const [master, replica] = [await testRedis(), await testRedis()]
const [toMaster, toReplica] = [controlOf(master.url), controlOf(replica.url)]

beforeAll(() => replicate(master.url, toReplica))
beforeEach(async () => {
  await toMaster.flushall()
  // It says what it has once a second until it is in step.
  await eventually(async () => expect(await toMaster.wait(1, 50)).toBe(1))
})

/** A process that has a click kept by so many replicas. */
async function capturing(replicas: number) {
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-replicas-'))
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  const redis = new RedisGateway(master.url)
  expect(await redis.connected(10_000)).toBe(true)
  const spool = new Spool(dir)
  const metrics = createClickMetrics(new MetricsRegistry())
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) })
  const shared = { redis, spool, replicas, metrics, log }
  const capture = new Capture({ ...shared, isFull: () => false, fast: false, felt: () => {} })
  const replay = new Replay({ ...shared, dir, backlog: new Backlog(redis, 1e9, log) })
  atEnd(async () => {
    replay.close()
    await capture.close()
    redis.close()
  })
  const kept = async () =>
    Object.fromEntries(
      (await metrics.captured.get()).values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.to, value]),
    )
  const files = () => readdirSync(dir).length
  return { capture, replay, kept, files, logged }
}

const marksOf = async (of: typeof toMaster) => {
  const all = await Promise.all(ALL_PARTITIONS.map((partition) => of.xrange(partitionKeys(partition).stream, '-', '+')))
  return new Set(all.flat().flatMap(([, [, id, , clicks]]) => decodeBatch(id, clicks).clicks.map(({ userAgent }) => userAgent)))
}

let count = 0
/** Takes a click. @returns its mark, once it was answered */
const take = (capture: Capture) =>
  new Promise<string>((resolve) => {
    const mark = `mark ${count++}`
    capture.enqueue(capturedClick({ userAgent: mark }), () => resolve(mark))
  })

/** Entries in all streams of the master. */
async function entries(): Promise<number> {
  const lengths = await Promise.all(ALL_PARTITIONS.map((partition) => toMaster.xlen(partitionKeys(partition).stream)))
  return lengths.reduce((sum, length) => sum + length)
}

describe('with CLICK_REPLICAS', () => {
  it('a click that was answered is on the replica, however many come at once', async () => {
    const { capture, kept } = await capturing(1)
    let answered = 0
    const takeTen = async () => {
      for (let i = 0; i < 10; i++) {
        const mark = await take(capture)
        answered += 1
        expect(await marksOf(toReplica)).toContain(mark)
      }
    }
    await Promise.all(Array.from({ length: 30 }, takeTen))
    expect(await kept()).toEqual({ redis: answered })
    expect(answered).toBe(300)
  })

  it('clicks of later turns gather while the replica is waited for', async () => {
    const { capture, kept } = await capturing(1)
    const marks: Promise<string>[] = []
    // Less than a click waits for a replica, and longer than a turn takes.
    const asleep = toReplica.call('DEBUG', 'SLEEP', '0.02')
    for (let turn = 0; turn < 200; turn++) {
      for (let i = 0; i < 10; i++) marks.push(take(capture))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all([asleep, ...marks])
    expect(await entries()).toBeLessThan(200)
    // On a busy machine the replica may be waited for too long: those clicks are in the spool, too.
    const { redis = 0, spool = 0 } = await kept()
    expect(redis + spool).toBe(2_000)
    expect((await marksOf(toReplica)).size).toBeGreaterThanOrEqual(redis)
  })

  it('a replica that stands still sends clicks to the spool, which keeps them until it goes on', async () => {
    const { capture, replay, kept, files, logged } = await capturing(1)
    await replica.kill('SIGSTOP')
    const marks: string[] = []
    try {
      for (let i = 0; i < 50; i++) marks.push(await take(capture))
      expect(await kept()).toEqual({ spool: 50 })
      expect(logged).toHaveLength(1)
      expect(logged[0]).toContain('CLICK_REPLICAS')
      // Old enough to be brought back: the master takes it, and that is not enough.
      await eventually(() => expect(replay.once()).rejects.toThrow('0 of 1 replicas'))
      expect(files()).toBeGreaterThan(0)
      // It is asked with one batch from now on, whose line stays in the spool.
      const before = await entries()
      await expect(replay.once()).rejects.toThrow('0 of 1 replicas')
      expect(await entries()).toBe(before + 1)
    } finally {
      await replica.kill('SIGCONT')
    }
    await eventually(async () => {
      await replay.once()
      expect(files()).toBe(0)
    })
    const onReplica = await marksOf(toReplica)
    for (const mark of marks) expect(onReplica).toContain(mark)
    await eventually(async () => {
      await take(capture)
      expect((await kept()).redis).toBeGreaterThan(0)
    })
  })

  it('more replicas than there are send all clicks to the spool', async () => {
    const { capture, kept } = await capturing(2)
    await Promise.all(Array.from({ length: 20 }, () => take(capture)))
    expect(await kept()).toEqual({ spool: 20 })
  })

  it('closing keeps what gathered', async () => {
    const { capture, kept } = await capturing(1)
    const marks = Array.from({ length: 5_000 }, () => take(capture))
    await capture.close()
    expect(await kept()).toEqual({ redis: 5_000 })
    await Promise.all(marks)
    expect((await marksOf(toReplica)).size).toBe(5_000)
  })

  it('a Redis near an edge process keeps clicks until a replica of the center has them', async () => {
    const nearby = await openRedis((await testRedis()).url)
    const { stream } = partitionKeys(0)
    await nearby.client.xadd(stream, '*', 'i', '0'.repeat(32), 'c', '[]')
    const to = await openRedis(master.url)
    const failures: unknown[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => failures.push(line) })
    const forward = new Forward({ from: nearby, to, replicas: 1, backlog: { isRoomy: true }, log })
    await replica.kill('SIGSTOP')
    try {
      await forward.start()
      await eventually(() => expect(failures.join()).toContain('0 of 1 replicas'))
      expect(await nearby.client.xlen(stream)).toBe(1)
    } finally {
      await replica.kill('SIGCONT')
    }
    await eventually(async () => expect(await nearby.client.xlen(stream)).toBe(0))
    forward.close()
    expect(await toReplica.xlen(stream)).toBeGreaterThan(0)
  })
})
