import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { bundle } from '@/lib/testing/program'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { Handles, SEGMENT_KEYS, SEGMENT_SIZE } from './handles'

const PROCESSES = 8
const EACH = 125_000
/** Free in the first segment when they begin, so that it fills up on the way. */
const FREE = 400_000

const server = await testRedis()
const redis = await openRedis(server.url)
const { url } = await testDatabase()
const handles = new Handles(redis, openGateway(url, 2), 0)

async function issueInProcess(file: string): Promise<Uint32Array> {
  const args = [file, server.url, url, String(EACH)]
  const options = { encoding: 'buffer', maxBuffer: 2 ** 24 } as const
  const { stdout } = await promisify(execFile)(process.execPath, args, options)
  return Uint32Array.from({ length: stdout.length / 4 }, (_, i) => stdout.readUInt32LE(i * 4))
}

it('1,000,000 handles issued by 8 processes are all different and in range, across the end of a full segment', async () => {
  const bitmap = Buffer.alloc(SEGMENT_SIZE / 8, 0xff)
  for (let i = 0; i < FREE; i++) {
    const position = i * 25 // spread over the whole segment
    bitmap[position >> 3] = (bitmap[position >> 3] ?? 0) & ~(0x80 >> (position & 7))
  }
  const taken = Buffer.from(bitmap)
  await handles.resync()
  await redis.client.set(SEGMENT_KEYS[0] ?? '', bitmap)
  await redis.client.hset('{handles}:about', 'allocated:0', 1)

  const file = await bundle('lib/testing/handles-child.ts')
  const given = (await Promise.all(Array.from({ length: PROCESSES }, () => issueInProcess(file)))).flatMap((part) => [...part])

  expect(given).toHaveLength(PROCESSES * EACH)
  expect(new Set(given).size).toBe(given.length)
  const first = given.filter((handle) => handle < 2 * SEGMENT_SIZE)
  expect(first).toHaveLength(FREE)
  for (const handle of first) {
    const position = handle - SEGMENT_SIZE
    if (position < 0 || ((taken[position >> 3] ?? 0) & (0x80 >> (position & 7))) !== 0) expect.fail(`${handle} was not free`)
  }
  expect(given.every((handle) => handle < 3 * SEGMENT_SIZE)).toBe(true)
  for (const key of SEGMENT_KEYS.slice(0, 2)) expect(await redis.client.strlen(key)).toBe(SEGMENT_SIZE / 8)
  expect(await redis.client.bitcount(SEGMENT_KEYS[0] ?? '')).toBe(SEGMENT_SIZE)
  expect(await redis.client.bitcount(SEGMENT_KEYS[1] ?? '')).toBe(PROCESSES * EACH - FREE)
}, 180_000)
