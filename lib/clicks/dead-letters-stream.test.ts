import { beforeEach, describe, expect, it } from 'vitest'
import { alike, capturedClick, clickCounts, entryOf, makeLink, openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { drained, startConsumer } from '@/lib/testing/streams'
import { type DeadLetter, deadLetters, drop, findDeadLetter, revive } from './dead-letters'
import { ALL_PARTITIONS, ENTRY_FIELDS, partitionKeys } from './stream'

const server = await testRedis()
const redis = await openRedis(server.url)
const { url, connection } = await testDatabase()
const db = openGateway(url, 4)

beforeEach(() => redis.client.flushall())

async function all(): Promise<DeadLetter[]> {
  const found: DeadLetter[] = []
  for await (const letter of deadLetters(redis)) found.push(letter)
  return found
}

describe('dead letters', () => {
  it('are shown, however many, with what was wrong', async () => {
    for (const partition of ALL_PARTITIONS) {
      for (let i = 0; i < 150; i++) {
        await redis.client.xadd(partitionKeys(partition).dead, '*', 'reason', `no ${i}`, 'entry', '1-1', 'i', `${i}`, 'c', '[]')
      }
    }
    const letters = await all()
    expect(letters).toHaveLength(600)
    expect(letters[149]).toMatchObject({ partition: 0, reason: 'no 149', fields: ['149', '[]'] })
  })

  it('are found singly, and dropped singly', async () => {
    const { dead } = partitionKeys(2)
    const add = (reason: string) => redis.client.xadd(dead, '*', 'reason', reason, 'entry', '1-1', 'i', 'batch', 'c', '[]')
    const [first, second] = [(await add('refused: no')) ?? '', (await add('no clicks')) ?? '']
    const letter = await findDeadLetter(redis, 2, first)
    expect(letter).toEqual({ partition: 2, id: first, reason: 'refused: no', tries: 3, fields: ['batch', '[]'] })
    expect((await findDeadLetter(redis, 2, second))?.tries).toBe(1)
    expect(await findDeadLetter(redis, 1, first)).toBeNull()
    if (letter) await drop(redis, letter)
    expect((await all()).map(({ id }) => id)).toEqual([second])
    expect(await findDeadLetter(redis, 2, first)).toBeNull()
  })

  it('that are put aside meanwhile are not gone through: one that comes back at once would never end', async () => {
    const { dead } = partitionKeys(0)
    const add = () => redis.client.xadd(dead, '*', 'reason', 'no clicks', 'i', 'x', 'c', '')
    for (let i = 0; i < 150; i++) await add()
    let seen = 0
    for await (const letter of deadLetters(redis)) {
      seen += 1
      await drop(redis, letter)
      await add()
      if (seen > 1_000) break
    }
    expect(seen).toBe(150)
  })

  it('sent on their way again are counted, once', async () => {
    const { id } = await makeLink(db)
    const [batch, clicks] = entryOf([capturedClick({ linkId: String(id) })])
    const { dead } = partitionKeys(1)
    const [idField, clicksField] = ENTRY_FIELDS
    for (let i = 0; i < 2; i++) {
      await redis.client.xadd(dead, '*', 'reason', 'once refused', 'entry', '1-1', idField, batch, clicksField, clicks)
    }
    for (const letter of await all()) await revive(redis, letter)
    expect(await all()).toEqual([])
    startConsumer(server.url, db)
    await drained(redis)
    expect(await clickCounts(connection, id)).toEqual(alike(1))
  })
})
