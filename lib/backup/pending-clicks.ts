import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deadLetters } from '@/lib/clicks/dead-letters'
import { linesOf } from '@/lib/clicks/replay'
import { newFileName, orMissing, SPOOL_SUFFIX } from '@/lib/clicks/spool-file'
import { ALL_PARTITIONS, ENTRY_FIELDS, fieldOf, partitionKeys } from '@/lib/clicks/stream'
import type { RedisGateway } from '@/lib/redis/gateway'

/** A batch as a whole line of the spool has it; a torn one was never vouched for. */
const WHOLE = /^[0-9a-f]{32} \[.*\]$/s
/** Characters of a batch of a backup: far more than 500 clicks have. */
const LONGEST = 32_000_000
/** Entries read from Redis at a time. */
const READ = 200

/** Whether a line of a backup is a batch as the spool has it. */
export const isBatch = (line: string) => line.length <= LONGEST && WHOLE.test(line)

/**
 * The batches of clicks that are not counted yet, as lines of the spool; one that moves meanwhile may come twice. Read in the
 * order in which clicks travel, and before the dump: a batch that is counted meanwhile is in the dump with its id, and is not
 * counted again. Failed batches go both ways, to the streams and back: they are read before and after.
 * @param spool folder
 * @param redis null: it does not answer
 */
export async function* pendingClicks(spool: string, redis: RedisGateway | null): AsyncGenerator<string> {
  for await (const line of linesOfSpool(spool)) if (WHOLE.test(line)) yield line
  if (!redis) return
  const failed = new Set<string>()
  const newlyFailed = async function* (): AsyncGenerator<string> {
    for await (const { fields } of deadLetters(redis)) {
      if (failed.has(fields[0])) continue
      failed.add(fields[0])
      yield fields.join(' ')
    }
  }
  for (const read of [newlyFailed, linesOfStreams, newlyFailed])
    for await (const line of read(redis)) if (WHOLE.test(line)) yield line
}

/** Until there is no name that was not read: a file that another process takes meanwhile has another. */
async function* linesOfSpool(folder: string): AsyncGenerator<string> {
  const known = new Set<string>()
  for (;;) {
    const names = ((await orMissing(readdir(folder))) ?? []).filter((name) => name.endsWith(SPOOL_SUFFIX) && !known.has(name))
    if (names.length === 0) return
    for (const name of names.sort()) {
      known.add(name)
      const handle = await orMissing(open(join(folder, name)))
      // Taken, or brought to Redis, where it is found next.
      if (!handle) continue
      try {
        yield* linesOf(handle)
      } finally {
        await handle.close()
      }
    }
  }
}

async function* linesOfStreams({ client }: RedisGateway): AsyncGenerator<string> {
  for (const { stream } of ALL_PARTITIONS.map(partitionKeys)) {
    const [end] = await client.xrevrange(stream, '+', '-', 'COUNT', 1)
    for (let from = '-'; end; ) {
      const entries = await client.xrange(stream, from, end[0], 'COUNT', READ)
      for (const [, fields] of entries) yield ENTRY_FIELDS.map((name) => fieldOf(fields, name) ?? '').join(' ')
      const last = entries.at(-1)
      if (!last || entries.length < READ) break
      from = `(${last[0]}`
    }
  }
}

/** Puts clicks into the spool, from which the app brings them to Redis once it runs. */
export async function spoolClicks(folder: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const handle = await open(join(folder, newFileName(Date.now())), 'wx', 0o600)
  try {
    for (const line of lines) await handle.appendFile(`${line}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
