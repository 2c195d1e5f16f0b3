import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Registry as MetricsRegistry } from 'prom-client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RedisGateway } from '@/lib/redis/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { capturedClick } from '@/lib/testing/counting'
import { eventually } from '@/lib/testing/eventually'
import { SILENT } from '@/lib/testing/links'
import { closedPort, proxyTo } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Capture } from './capture'
import type { CapturedClick } from './click'
import { createClickMetrics } from './metrics'
import { Spool } from './spool'
import { ALL_PARTITIONS, type Batch, decodeBatch, partitionKeys } from './stream'

const server = await testRedis()
const redis = await openRedis(server.url)

beforeEach(() => redis.client.flushall())

function capturing({
  gateway = redis as RedisGateway,
  isFull = (): boolean => false,
  fast = false,
  log = SILENT,
  dir = folder(),
  replicas = 0,
} = {}) {
  const metrics = createClickMetrics(new MetricsRegistry())
  const capture = new Capture({ redis: gateway, spool: new Spool(dir), replicas, isFull, metrics, log, fast, felt: () => {} })
  atEnd(() => capture.close())
  const kept = async () =>
    Object.fromEntries((await metrics.captured.get()).values.map(({ labels, value }) => [labels.to, value]))
  return { capture, dir, kept }
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-capture-'))
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'spool')
}

const clicksOf = (count: number) => Array.from({ length: count }, (_, i) => capturedClick({ userAgent: `Browser/${i}` }))

/** Takes all in one turn; resolves when each was answered. */
const takeAll = (capture: Capture, clicks: CapturedClick[]) =>
  Promise.all(clicks.map((click) => new Promise<void>((resolve) => capture.enqueue(click, resolve))))

async function inRedis(): Promise<Batch[]> {
  const entries = await Promise.all(
    ALL_PARTITIONS.map((partition) => redis.client.xrange(partitionKeys(partition).stream, '-', '+')),
  )
  return entries.flat().map(([, [, id, , clicks]]) => decodeBatch(id, clicks))
}

const inSpool = (dir: string): Batch[] =>
  readdirSync(dir)
    .flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => decodeBatch(line.slice(0, 32), line.slice(33)))

const clicksIn = (batches: Batch[]) => batches.flatMap(({ clicks }) => clicks)
/** In an order of their own, since batches go to partitions in turn. */
const sorted = (clicks: CapturedClick[]) => clicks.toSorted((a, b) => (a.visitor < b.visitor ? -1 : 1))

describe('clicks of one turn', () => {
  it('are one entry', async () => {
    const { capture, kept } = capturing()
    const clicks = clicksOf(300)
    await takeAll(capture, clicks)
    const batches = await inRedis()
    expect(batches).toHaveLength(1)
    expect(batches[0]?.clicks).toEqual(clicks)
    expect(await kept()).toEqual({ redis: 300, spool: 0, lost: 0 })
  })

  it('are several entries of 500 at most where there are more, and each is answered', async () => {
    const { capture } = capturing()
    const clicks = clicksOf(1_201)
    await takeAll(capture, clicks)
    const batches = await inRedis()
    expect(batches.map(({ clicks: some }) => some.length).sort()).toEqual([201, 500, 500])
    expect(new Set(batches.map(({ id }) => id)).size).toBe(3)
    expect(sorted(clicksIn(batches))).toEqual(sorted(clicks))
  })

  it('are an entry apart from those of the next, and partitions take turns', async () => {
    const { capture } = capturing()
    for (let i = 0; i < 8; i++) await takeAll(capture, clicksOf(2))
    for (const partition of ALL_PARTITIONS) expect(await redis.client.xlen(partitionKeys(partition).stream)).toBe(2)
  })
})

describe('a request that waits', () => {
  it('is answered when Redis has the click, and not before', async () => {
    const { capture } = capturing()
    const seen: number[] = []
    await new Promise<void>((resolve, reject) => {
      capture.enqueue(capturedClick(), () => {
        inRedis().then((batches) => {
          seen.push(clicksIn(batches).length)
          resolve()
        }, reject)
      })
    })
    expect(seen).toEqual([1])
  })

  it('is not answered while Redis is asked, and by the spool when it takes too long', async () => {
    const gateway = new RedisGateway(server.url)
    atEnd(() => gateway.close())
    await gateway.connected(10_000)
    const { capture, dir, kept } = capturing({ gateway })
    await server.kill('SIGSTOP')
    let answered = false
    const waiting = takeAll(capture, clicksOf(3)).then(() => {
      answered = true
    })
    // The turn in which it was sent, and the next.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toBe(false)
    try {
      await waiting
      expect(inSpool(dir)).toHaveLength(1)
    } finally {
      await server.kill('SIGCONT')
    }
    expect(await kept()).toEqual({ redis: 0, spool: 3, lost: 0 })
    // It arrived after all: the same batch, so that it is known.
    await eventually(async () => expect(await inRedis()).toEqual(inSpool(dir)))
  })

  it('is answered at once in fast mode, and the click is kept after', async () => {
    const { capture } = capturing({ fast: true })
    const done = vi.fn()
    for (const click of clicksOf(600)) capture.enqueue(click, done)
    expect(done).toHaveBeenCalledTimes(600)
    expect(await inRedis()).toEqual([])
    await eventually(async () => expect(clicksIn(await inRedis())).toHaveLength(600))
    expect(done).toHaveBeenCalledTimes(600)
  })
})

describe('the spool is written instead', () => {
  it('of streams that are full', async () => {
    let full = true
    const { capture, dir, kept } = capturing({ isFull: () => full })
    const clicks = clicksOf(20)
    await takeAll(capture, clicks)
    expect(await inRedis()).toEqual([])
    expect(clicksIn(inSpool(dir))).toEqual(clicks)
    full = false
    await takeAll(capture, clicksOf(1))
    expect(clicksIn(await inRedis())).toHaveLength(1)
    expect(await kept()).toEqual({ redis: 1, spool: 20, lost: 0 })
  })

  it('of a Redis that is away, and no longer when it is back', async () => {
    const proxy = await proxyTo(server.url)
    const gateway = await openRedis(proxy.url)
    const { capture, dir } = capturing({ gateway })
    await proxy.cut()
    const clicks = clicksOf(1_100)
    await takeAll(capture, clicks)
    expect(sorted(clicksIn(inSpool(dir)))).toEqual(sorted(clicks))
    await proxy.mend()
    await vi.waitFor(
      async () => {
        await takeAll(capture, clicksOf(1))
        expect(await inRedis()).not.toHaveLength(0)
      },
      { timeout: 10_000 },
    )
  })
})

it('where neither takes clicks their loss is counted, told once a second at most, and everyone is answered', async () => {
  const gateway = new RedisGateway(await closedPort(server.url))
  atEnd(() => gateway.close())
  const dir = folder()
  writeFileSync(dir, 'a file where a folder should be')
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
  const { capture, kept } = capturing({ gateway, dir, log })
  const begun = performance.now()
  for (let i = 0; i < 10; i++) await takeAll(capture, clicksOf(7))
  const seconds = (performance.now() - begun) / 1000
  expect(await kept()).toEqual({ redis: 0, spool: 0, lost: 70 })
  expect(logged.length).toBeGreaterThan(0)
  expect(logged.length).toBeLessThanOrEqual(1 + seconds)
  expect(logged[0]).toContain('clicks are being lost')
})

describe('closing', () => {
  it('keeps what was taken in the same turn, and answers for it', async () => {
    const { capture } = capturing()
    const done = vi.fn()
    for (const click of clicksOf(700)) capture.enqueue(click, done)
    await capture.close()
    expect(done).toHaveBeenCalledTimes(700)
    expect(clicksIn(await inRedis())).toHaveLength(700)
  })

  it('keeps it in the spool too', async () => {
    const { capture, dir } = capturing({ isFull: () => true })
    const done = vi.fn()
    for (const click of clicksOf(700)) capture.enqueue(click, done)
    await capture.close()
    expect(done).toHaveBeenCalledTimes(700)
    expect(clicksIn(inSpool(dir))).toHaveLength(700)
  })
})
