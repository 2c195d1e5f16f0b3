import { beforeEach, describe, expect, it } from 'vitest'
import { alike, capturedClick, clickCounts, entryOf, makeLink, openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { drained, startConsumer } from '@/lib/testing/streams'
import { type DeadLetter, deadLetters, revive } from './dead'
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
