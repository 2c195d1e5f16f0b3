import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { eventually } from '@/lib/testing/eventually'
import { SILENT } from '@/lib/testing/links'
import { closedPort } from '@/lib/testing/proxy'
import { openRedis, PatientRedis, testRedis } from '@/lib/testing/redis'
import { Backlog } from './backlog'
import { ALL_PARTITIONS, ENTRY_FIELDS, partitionKeys } from './stream'

const server = await testRedis()
const redis = await openRedis(server.url)
const KB = 1024

beforeEach(() => redis.client.flushall())

const add = (partition: number, size: number) =>
  redis.client.xadd(partitionKeys(partition).stream, '*', ENTRY_FIELDS[0], 'id', ENTRY_FIELDS[1], 'x'.repeat(size))

describe('the backlog', () => {
  it('is nothing in an empty Redis', async () => {
    const backlog = new Backlog(redis, 100 * KB, SILENT)
    await backlog.measure()
    expect(backlog).toMatchObject({ entries: 0, bytes: 0, deadLetters: 0, oldest: null, isFull: false, isRoomy: true })
  })

  it('counts entries, bytes and dead letters of all partitions', async () => {
    const backlog = new Backlog(redis, 1_000 * KB, SILENT)
    for (const partition of ALL_PARTITIONS) {
      for (let i = 0; i <= partition; i++) await add(partition, 2 * KB)
      await redis.client.xadd(partitionKeys(partition).dead, '*', 'reason', 'test')
    }
    await backlog.measure()
    const entries = ALL_PARTITIONS.reduce((sum, partition) => sum + partition + 1, 0)
    expect(backlog.entries).toBe(entries)
    expect(backlog.deadLetters).toBe(ALL_PARTITIONS.length)
    expect(backlog.bytes).toBeGreaterThan(entries * 2 * KB)
    expect(backlog.bytes).toBeLessThan(entries * 8 * KB)
  })

  it('knows since when the oldest entry waits, whichever is settled', async () => {
    const backlog = new Backlog(redis, 1_000 * KB, SILENT)
    const entryAt = (partition: number, at: number) =>
      redis.client.xadd(partitionKeys(partition).stream, `${at}-1`, ENTRY_FIELDS[0], 'id', ENTRY_FIELDS[1], '[]')
    await entryAt(1, 1_700_000_002_000)
    await entryAt(3, 1_700_000_001_000)
    await entryAt(3, 1_700_000_003_000)
    await backlog.measure()
    expect(backlog.oldest).toBe(1_700_000_001_000)
    await redis.client.xdel(partitionKeys(3).stream, '1700000001000-1')
    await backlog.measure()
    expect(backlog.oldest).toBe(1_700_000_002_000)
  })

  it('is full from its limit on, and roomy below half of it', async () => {
    const backlog = new Backlog(redis, 100 * KB, SILENT)
    const seen = new Set<string>()
    for (let i = 0; i < 40; i++) {
      await add(i % 4, 4 * KB)
      await backlog.measure()
      expect(backlog.isFull).toBe(backlog.bytes >= 100 * KB)
      expect(backlog.isRoomy).toBe(backlog.bytes < 50 * KB)
      seen.add(`${backlog.isFull} ${backlog.isRoomy}`)
    }
    expect(seen).toEqual(new Set(['false true', 'false false', 'true false']))
  })

  it('is told in the log once when it gets full, and once when there is room again', async () => {
    const logged: string[] = []
    const log = pino({ formatters: { level: (label) => ({ level: label }) } }, { write: (line: string) => logged.push(line) })
    const backlog = new Backlog(redis, 20 * KB, log)
    const levels = () => logged.map((line) => (JSON.parse(line) as { level: string }).level)
    await backlog.measure()
    expect(levels()).toEqual([])
    await add(0, 30 * KB)
    for (let i = 0; i < 3; i++) await backlog.measure()
    expect(levels()).toEqual(['error'])
    await redis.client.flushall()
    for (let i = 0; i < 3; i++) await backlog.measure()
    expect(levels()).toEqual(['error', 'info'])
  })

  it('keeps what it knew when Redis does not answer', async () => {
    const away = new PatientRedis(await closedPort(server.url))
    atEnd(() => away.close())
    const backlog = new Backlog(away, 100 * KB, SILENT)
    backlog.bytes = 60 * KB
    await expect(backlog.measure()).rejects.toThrow(Error)
    expect(backlog).toMatchObject({ bytes: 60 * KB, isFull: false, isRoomy: false })
  })

  it('is measured by itself once started', async () => {
    const backlog = new Backlog(redis, 100 * KB, SILENT)
    atEnd(() => backlog.close())
    await backlog.start()
    await add(1, KB)
    await eventually(() => expect(backlog.entries).toBe(1))
  })
})
