import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newFileName } from '@/lib/clicks/spool-file'
import { ALL_PARTITIONS, partitionKeys } from '@/lib/clicks/stream'
import { openRedis, testRedis } from '@/lib/testing/redis'
import { pendingClicks, spoolClicks } from './pending-clicks'

const server = await testRedis()
const redis = await openRedis(server.url)

const idOf = (number: number) => number.toString(16).padStart(32, '0')
const lineOf = (number: number) => `${idOf(number)} [["1",${number},"text with \u2028, “quotes” and \\n"]]`

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'terse-spool-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

test('every batch that waits is found, wherever it waits', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, newFileName(1)), `${lineOf(1)}\n${lineOf(2)}\n${lineOf(3).slice(0, 40)}`)
  mkdirSync(join(folder, 'other'))
  let number = 10
  // More than are read at a time.
  for (const partition of ALL_PARTITIONS) {
    for (let i = 0; i < 450; i++) {
      const line = lineOf(number++)
      await redis.client.xadd(partitionKeys(partition).stream, '*', 'i', line.slice(0, 32), 'c', line.slice(33))
    }
  }
  const dead = lineOf(5)
  await redis.client.xadd(partitionKeys(1).dead, '*', 'i', dead.slice(0, 32), 'c', dead.slice(33), 'reason', 'refused: x')
  await redis.client.xadd(partitionKeys(1).dead, '*', 'i', '', 'c', '', 'reason', 'no batch id')

  const found = await collect(pendingClicks(folder, redis))
  const expected = [1, 2, 5, ...Array.from({ length: 450 * ALL_PARTITIONS.length }, (_, i) => 10 + i)].map(lineOf)
  expect(found.sort()).toEqual(expected.sort())
  expect((await collect(pendingClicks(folder, null))).sort()).toEqual([1, 2].map(lineOf))
  expect(await collect(pendingClicks(join(folder, 'none'), null))).toEqual([])
})

test('a file of the spool that another process takes meanwhile is found under its new name', async () => {
  const folder = newFolder()
  const [first, second, taken] = [newFileName(1), newFileName(2), newFileName(2)]
  writeFileSync(join(folder, first), `${lineOf(1)}\n`)
  writeFileSync(join(folder, second), `${lineOf(2)}\n`)
  const lines = pendingClicks(folder, null)
  expect((await lines.next()).value).toBe(lineOf(1))
  renameSync(join(folder, second), join(folder, taken))
  expect(await collect(lines)).toEqual([lineOf(2)])
})

test('a failed batch that is tried again meanwhile is found', async () => {
  await redis.client.flushall()
  const add = (key: string, number: number) =>
    redis.client.xadd(key, '*', ...['i', idOf(number), 'c', lineOf(number).slice(33)], 'reason', 'refused: x')
  const { stream } = partitionKeys(0)
  const { dead } = partitionKeys(1)
  await add(stream, 1)
  await add(dead, 2)
  // Read last of all, it would be in the part of the streams that was read already.
  const found: string[] = []
  for await (const line of pendingClicks(newFolder(), redis)) {
    found.push(line)
    if (line !== lineOf(1)) continue
    await add(stream, 2)
    await redis.client.del(dead)
  }
  expect(new Set(found)).toEqual(new Set([1, 2].map(lineOf)))
})

test('what is put into the spool is found there again', async () => {
  const folder = join(newFolder(), 'spool')
  await spoolClicks(folder, [])
  await spoolClicks(folder, [lineOf(7), lineOf(8)])
  expect(await collect(pendingClicks(folder, null))).toEqual([lineOf(7), lineOf(8)])
  const [name = ''] = readdirSync(folder)
  expect(readFileSync(join(folder, name), 'utf8')).toBe(`${lineOf(7)}\n${lineOf(8)}\n`)
})
