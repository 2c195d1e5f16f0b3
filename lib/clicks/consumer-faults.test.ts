import { beforeEach, describe, expect, it, vi } from 'vitest'
import { alike, capturedClick, clickCounts, entryOf, makeLink, NO_FACTS, openGateway } from '@/lib/testing/counting'
import { connectTo, testDatabase } from '@/lib/testing/database'
import { proxyTo } from '@/lib/testing/proxy'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { addEntry, deadLetters, drained, startConsumer, waitingEntries } from '@/lib/testing/streams'
import type { CapturedClick } from './click'

const server = await testRedis()
const redis = await openRedis(server.url)
const { url, connection } = await testDatabase()
const db = openGateway(url, 8)
const PATIENCE = { timeout: 15_000, interval: 20 }

beforeEach(() => redis.client.flushall())

const countsOf = (id: bigint) => clickCounts(connection, id)
const clicksOf = (id: bigint, count = 1) => Array.from({ length: count }, () => capturedClick({ linkId: String(id) }))

/** Adds so many entries of one click, spread over the partitions. */
async function addMany(id: bigint, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await addEntry(redis, entryOf(clicksOf(id)), i % 4)
}

describe('an entry that MySQL refuses', () => {
  it.each([
    ['a text that is too long', (): Partial<typeof NO_FACTS> => ({ city: 'x'.repeat(101) })],
    [
      'a fault of what is made of it',
      () => {
        throw new Error('cannot make sense of this')
      },
    ],
  ])('for %s is put aside after its tries, while its neighbours are counted', async (_, spoil) => {
    const [good, bad] = [await makeLink(db), await makeLink(db)]
    let appliedBefore: Promise<number> | undefined
    const enrich = (click: CapturedClick) => {
      if (click.linkId !== String(bad.id)) return NO_FACTS
      appliedBefore = count('applied')
      return { ...NO_FACTS, ...spoil() }
    }
    await addMany(good.id, 8)
    const entry = entryOf([...clicksOf(good.id), ...clicksOf(bad.id)])
    const at = await addEntry(redis, entry, 1)
    await addMany(good.id, 8)
    const { count } = startConsumer(server.url, db, { enrich })
    await drained(redis)
    expect(await countsOf(good.id)).toEqual(alike(16))
    const [letter, ...others] = await deadLetters(redis)
    expect(others).toEqual([])
    expect(letter).toMatchObject({ entry: at, fields: { i: entry[0], c: entry[1] } })
    expect(letter?.reason).toMatch(/^refused: ./)
    expect(await count('dead')).toBe(1)
    // When it was last tried: none of its neighbours waited for it.
    expect(await appliedBefore).toBe(16)
    // Put aside whole: its good click is counted when the entry is, and not before.
    expect(await countsOf(good.id)).toEqual(alike(16))
    expect(await countsOf(bad.id)).toEqual(alike(0))
    await addMany(good.id, 1)
    await drained(redis)
    expect(await countsOf(good.id)).toEqual(alike(17))
  })

  it('is counted at a later try when what was wrong was put right', async () => {
    const { id } = await makeLink(db)
    let tries = 0
    const enrich = () => {
      tries += 1
      return { ...NO_FACTS, city: tries < 3 ? 'x'.repeat(101) : 'x' }
    }
    await addEntry(redis, entryOf(clicksOf(id)))
    startConsumer(server.url, db, { enrich })
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(1))
    expect(await deadLetters(redis)).toEqual([])
  })
})

describe('a database that refuses for its own state', () => {
  it('is waited for, and nothing is put aside or leaves the streams', async () => {
    const { id } = await makeLink(db)
    let asked = 0
    const enrich = () => {
      asked += 1
      return NO_FACTS
    }
    await connection.query('RENAME TABLE SingleClick TO ClickAway')
    startConsumer(server.url, db, { enrich })
    await addMany(id, 1)
    // More often than an entry at fault would be tried.
    await vi.waitFor(() => expect(asked).toBeGreaterThan(4), PATIENCE)
    await addMany(id, 11)
    expect((await waitingEntries(redis)).entries).toBe(12)
    expect(await deadLetters(redis)).toEqual([])
    await connection.query('RENAME TABLE ClickAway TO SingleClick')
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(12))
    expect(await deadLetters(redis)).toEqual([])
  })

  it('is waited for when other processes are always quicker to write the same visitors', async () => {
    const { id } = await makeLink(db)
    let asked = 0
    const enrich = () => {
      asked += 1
      return NO_FACTS
    }
    await connection.query(
      `CREATE TRIGGER Quicker BEFORE INSERT ON ClickVisitor FOR EACH ROW
       SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 1062, MESSAGE_TEXT = 'Duplicate entry for key PRIMARY'`,
    )
    startConsumer(server.url, db, { enrich })
    await addMany(id, 1)
    // More often than an entry at fault would be tried.
    await vi.waitFor(() => expect(asked).toBeGreaterThan(4), PATIENCE)
    expect(await deadLetters(redis)).toEqual([])
    await connection.query('DROP TRIGGER Quicker')
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(1))
    expect(await deadLetters(redis)).toEqual([])
  })

  it('is waited for when it is away', async () => {
    const { id } = await makeLink(db)
    const proxy = await proxyTo(url)
    const { count } = startConsumer(server.url, openGateway(proxy.url, 2))
    await addMany(id, 4)
    await drained(redis)
    await proxy.cut()
    await addMany(id, 40)
    await vi.waitFor(async () => expect((await waitingEntries(redis)).pending).toBeGreaterThan(0), PATIENCE)
    expect((await waitingEntries(redis)).entries).toBe(40)
    await proxy.mend()
    await drained(redis, 20_000)
    expect(await countsOf(id)).toEqual(alike(44))
    expect(await deadLetters(redis)).toEqual([])
    expect(await count('dead')).toBe(0)
  })

  it('is waited for when somebody holds the rows', async () => {
    const { id } = await makeLink(db)
    const holder = await connectTo(url)
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT id FROM Link WHERE id = ? FOR UPDATE', [id])
      startConsumer(server.url, db)
      await addMany(id, 4)
      await vi.waitFor(async () => {
        const waits = await connection.query<unknown[]>(
          "SELECT 1 FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'UPDATE Link JOIN%'",
        )
        expect(waits.length).toBeGreaterThan(0)
      }, PATIENCE)
      // Not one of the four places is ahead of the others for anyone who looks.
      expect(await countsOf(id)).toEqual(alike(0))
      expect((await waitingEntries(redis)).entries).toBe(4)
      await holder.query('COMMIT')
    } finally {
      await holder.end()
    }
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(4))
  })
})

describe('Redis', () => {
  it('that loses everything does not stop the consumer, nor undo what is counted', async () => {
    const { id } = await makeLink(db)
    startConsumer(server.url, db)
    for (let round = 1; round <= 3; round++) {
      await addMany(id, 8)
      await drained(redis)
      expect(await countsOf(id)).toEqual(alike(8 * round))
      await redis.client.flushall()
    }
    expect(await deadLetters(redis)).toEqual([])
  })

  it('that loses an entry between reading and counting it leaves it counted once', async () => {
    const { id } = await makeLink(db)
    const entry = entryOf(clicksOf(id))
    await connection.query('RENAME TABLE SingleClick TO ClickAway')
    startConsumer(server.url, db)
    await addEntry(redis, entry)
    await vi.waitFor(async () => expect((await waitingEntries(redis)).pending).toBe(1), PATIENCE)
    await redis.client.flushall()
    await addEntry(redis, entry) // as the spool might bring it
    await connection.query('RENAME TABLE ClickAway TO SingleClick')
    await drained(redis)
    expect(await countsOf(id)).toEqual(alike(1))
    expect(await deadLetters(redis)).toEqual([])
  })

  it('that is away for a while is asked again', async () => {
    const { id } = await makeLink(db)
    const proxy = await proxyTo(server.url)
    const { count } = startConsumer(proxy.url, db)
    await addMany(id, 4)
    await drained(redis)
    await proxy.cut()
    await addMany(id, 40)
    await proxy.mend()
    await drained(redis, 20_000)
    expect(await countsOf(id)).toEqual(alike(44))
    expect(await count('applied')).toBe(44)
  })
})
