import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextId } from '@/lib/db/id'
import { alike, capturedClick, clickCounts, entryOf, makeLink, openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { addEntry, deadLetters, drained, startConsumer, waitingEntries } from '@/lib/testing/streams'
import { timedId } from '@/lib/tools/timed-id'
import { BATCH_LIFETIME } from './entry-reader'
import { ALL_PARTITIONS, ENTRY_FIELDS, encodeClicks, GROUP, partitionKeys, toWire } from './stream'

const server = await testRedis()
const redis = await openRedis(server.url)
const { url, connection } = await testDatabase()
const db = openGateway(url, 8)
const PATIENCE = { timeout: 10_000, interval: 20 }

beforeEach(() => redis.client.flushall())

const countsOf = (id: bigint) => clickCounts(connection, id)
const clicksOf = (id: bigint, count = 1) => Array.from({ length: count }, () => capturedClick({ linkId: String(id) }))

describe('the consumer', () => {
  it('counts what is in the streams of all partitions, also what came before the group did, and leaves them empty', async () => {
    const { id } = await makeLink(db)
    for (const partition of ALL_PARTITIONS) await addEntry(redis, entryOf(clicksOf(id, 3)), partition)
    const { count } = startConsumer(server.url, db)
    await drained(redis)
    for (const partition of ALL_PARTITIONS) await addEntry(redis, entryOf(clicksOf(id, 2)), partition)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(20))
    expect(await count('applied')).toBe(20)
    expect(await deadLetters(redis)).toEqual([])
  })

  it('counts an entry once that comes twice, and by two consumers', async () => {
    const { id } = await makeLink(db)
    const entries = Array.from({ length: 20 }, () => entryOf(clicksOf(id, 2)))
    for (const [i, entry] of [...entries, ...entries].entries()) await addEntry(redis, entry, i % 4)
    const consumers = [startConsumer(server.url, db), startConsumer(server.url, db)]
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(40))
    // What is counted is in MySQL before the streams are empty; the counters come after.
    await vi.waitFor(async () => {
      const repeated = await Promise.all(consumers.map(({ count }) => count('repeated')))
      expect(repeated.reduce((a, b) => a + b)).toBe(20)
    }, PATIENCE)
  })

  it('shares the work with others: each entry is read by one', async () => {
    const { id } = await makeLink(db)
    const consumers = Array.from({ length: 3 }, () => startConsumer(server.url, db))
    for (let i = 0; i < 400; i++) await addEntry(redis, entryOf(clicksOf(id, 2)), i % 4)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(800))
    for (const { count } of consumers) expect(await count('repeated')).toBe(0)
  })

  it('drops clicks of links that are gone, and tells how many', async () => {
    const { id } = await makeLink(db)
    await addEntry(redis, entryOf([...clicksOf(id), ...clicksOf(nextId(), 2)]))
    const { count } = startConsumer(server.url, db)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(1))
    expect(await count('orphaned')).toBe(2)
    expect(await deadLetters(redis)).toEqual([])
  })

  it('counts batches that are almost too old to be known again', async () => {
    const { id } = await makeLink(db)
    await addEntry(redis, entryOf(clicksOf(id), timedId(Date.now() - BATCH_LIFETIME + 60_000)))
    startConsumer(server.url, db)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(1))
  })

  it('counts more small entries than one script can name, all of one partition', async () => {
    const { id } = await makeLink(db)
    const pipeline = redis.client.pipeline()
    for (let i = 0; i < 9_000; i++) {
      const [batch, clicks] = entryOf(clicksOf(id))
      pipeline.xadd(partitionKeys(2).stream, '*', ENTRY_FIELDS[0], batch, ENTRY_FIELDS[1], clicks)
    }
    await pipeline.exec()
    const { count } = startConsumer(server.url, db)
    await drained(redis, 30_000)
    expect(await countsOf(id)).toEqual(alike(9_000))
    expect(await count('repeated')).toBe(0)
  })

  it('closes after what is under way: each click is counted, or still in the stream', async () => {
    const { id } = await makeLink(db)
    for (let i = 0; i < 2_000; i++) await addEntry(redis, entryOf(clicksOf(id)), i % 4)
    const { close } = startConsumer(server.url, db)
    await vi.waitFor(async () => expect((await countsOf(id)).raw).toBeGreaterThan(0), { timeout: 10_000, interval: 1 })
    await close()
    const { entries } = await waitingEntries(redis)
    expect(await countsOf(id)).toEqual(alike(2_000 - entries))
    startConsumer(server.url, db)
    // What the first had read, and never came to count, would be taken over after 10 s: there is none.
    await drained(redis, 5_000)
    expect(await countsOf(id)).toEqual(alike(2_000))
  })
})

describe('an entry that cannot be read', () => {
  const good = encodeClicks([toWire(capturedClick())])
  const cases: [string, (id: string) => string[]][] = [
    ['without an id', () => ['c', good]],
    ['with an id that is none', () => ['i', 'x', 'c', good]],
    ['without clicks', (id) => ['i', id]],
    ['with bad JSON', (id) => ['i', id, 'c', '[["1",']],
    ['with no clicks in it', (id) => ['i', id, 'c', '[]']],
    ['with clicks of wrong types', (id) => ['i', id, 'c', '[[1,"2",3]]']],
    ['with one bad click beside a good one', (id) => ['i', id, 'c', `${good.slice(0, -1)},["x"]]`]],
    ['with names where values should be', () => ['x', 'i', 'y', 'c']],
    ['that is too old', () => ['i', timedId(Date.now() - BATCH_LIFETIME - 60_000), 'c', good]],
  ]

  it.each(cases)('is put aside with a reason and as it was: %s', async (_, fieldsOf) => {
    const { id } = await makeLink(db)
    const fields = fieldsOf(timedId(Date.now()))
    const { stream } = partitionKeys(1)
    const entry = await redis.client.xadd(stream, '*', ...fields)
    await addEntry(redis, entryOf(clicksOf(id, 2)), 1)
    const { count } = startConsumer(server.url, db)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(2))
    const [letter, ...others] = await deadLetters(redis)
    expect(others).toEqual([])
    expect(letter?.reason).not.toBe('')
    expect(letter?.entry).toBe(entry)
    expect(Object.entries(letter?.fields ?? {}).flat()).toEqual(fields)
    expect(await count('dead')).toBe(1)
  })

  it('does not hold up the others, however many there are', async () => {
    const { id } = await makeLink(db)
    for (let i = 0; i < 600; i++) {
      await redis.client.xadd(partitionKeys(i % 4).stream, '*', 'i', 'garbage', 'c', 'garbage')
      if (i % 6 === 0) await addEntry(redis, entryOf(clicksOf(id)), i % 4)
    }
    startConsumer(server.url, db)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(100))
    expect(await deadLetters(redis)).toHaveLength(600)
  })
})

describe('entries of a consumer that is gone', () => {
  const dead = 'a consumer that died'
  const { stream } = partitionKeys(2)

  /** Has another read all that is there, so many ms ago. */
  async function readBy(consumer: string, idle: number): Promise<void> {
    await redis.client.xgroup('CREATE', stream, GROUP, '0', 'MKSTREAM')
    const reply = (await redis.client.xreadgroup('GROUP', GROUP, consumer, 'STREAMS', stream, '>')) as [
      string,
      [string, string[]][],
    ][]
    const ids = (reply[0]?.[1] ?? []).map(([id]) => id)
    await redis.client.call('XCLAIM', [stream, GROUP, consumer, '0', ...ids, 'IDLE', String(idle)])
  }

  afterEach(() => redis.client.flushall())

  it('are taken over', async () => {
    const { id } = await makeLink(db)
    for (let i = 0; i < 10; i++) await addEntry(redis, entryOf(clicksOf(id)), 2)
    await readBy(dead, 20_000)
    startConsumer(server.url, db)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(10))
  })

  it('are taken over too where they were removed meanwhile: nothing is left pending', async () => {
    const { id } = await makeLink(db)
    const removed = await addEntry(redis, entryOf(clicksOf(id)), 2)
    await addEntry(redis, entryOf(clicksOf(id)), 2)
    await readBy(dead, 20_000)
    await redis.client.xdel(stream, removed)
    startConsumer(server.url, db)
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(1))
  })

  /** A consumer that has read all there is and counts nothing before `release`. */
  async function slowConsumer(entries: number) {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = startConsumer(server.url, db, { ready: () => released, takeoverAfter: SHORT })
    await vi.waitFor(async () => expect(await waitingEntries(redis)).toEqual({ entries, pending: entries }), PATIENCE)
    return { ...slow, release }
  }
  const SHORT = 200
  const idle = async () => {
    const { stream } = partitionKeys(0)
    const [[, , ms] = []] = (await redis.client.xpending(stream, GROUP, '-', '+', 1)) as [string, string, number][]
    return ms ?? 0
  }

  it('are kept by a consumer that takes long over them, and their work is done once', async () => {
    const { id } = await makeLink(db)
    for (let i = 0; i < 60; i++) await addEntry(redis, entryOf(clicksOf(id, 50)))
    const slow = await slowConsumer(60)
    // Longer than they would be left to a consumer that went silent: each time it says that it is at work.
    let [before, renewals] = [0, 0]
    await vi.waitFor(async () => {
      const now = await idle()
      if (now < before) renewals += 1
      before = now
      expect(renewals).toBeGreaterThanOrEqual(5)
    }, PATIENCE)
    const other = startConsumer(server.url, db, { takeoverAfter: SHORT })
    await addEntry(redis, entryOf(clicksOf(id)), 1)
    await vi.waitFor(async () => expect(await other.count('applied')).toBe(1), PATIENCE)
    slow.release()
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(3_001))
    await vi.waitFor(async () => expect(await slow.count('applied')).toBe(3_000), PATIENCE)
    expect([await slow.count('repeated'), await other.count('repeated')]).toEqual([0, 0])
  })

  it('are taken all the same from a consumer that gets nowhere', async () => {
    const { id } = await makeLink(db)
    await addEntry(redis, entryOf(clicksOf(id)))
    const stuck = await slowConsumer(1)
    startConsumer(server.url, db, { takeoverAfter: SHORT })
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(1))
    stuck.release()
  })

  it('are left to one that may be alive', async () => {
    const { id } = await makeLink(db)
    await addEntry(redis, entryOf(clicksOf(id)), 2)
    await readBy('a consumer at work', 0)
    startConsumer(server.url, db)
    for (let i = 0; i < 3; i++) {
      await addEntry(redis, entryOf(clicksOf(id)), 2)
      await vi.waitFor(async () => expect(await waitingEntries(redis)).toEqual({ entries: 1, pending: 1 }), PATIENCE)
    }
    expect(await countsOf(id)).toEqual(alike(3))
  })
})
