import { createReadStream } from 'node:fs'
import { readdir, stat, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import { withTimeout } from '@/lib/tools/timeout'
import type { Backlog } from './backlog'
import type { ClickMetrics } from './metrics'
import { FILE_LIFETIME, SPOOL_SUFFIX, type Spool } from './spool'
import { ENTRY_FIELDS, PARTITIONS, partitionKeys } from './stream'

const INTERVAL = 1_000
/** A file untouched for so long is nobody's: its process wrote to it for FILE_LIFETIME at most. In ms. */
const ABANDONED = 5 * FILE_LIFETIME
/** Lines sent at once. */
const GROUP_SIZE = 200
const PATIENCE = 10_000

interface Parts {
  dir: string
  spool: Spool
  redis: RedisGateway
  backlog: Backlog
  metrics: ClickMetrics
  log: Logger
}

/**
 * Brings the spool back to Redis: the files of this process, and those that others left behind. To bring one
 * twice, or half of one, does no harm, since each batch has its id; so nothing here is locked.
 */
export class Replay {
  private timer: NodeJS.Timeout | undefined
  private closed = false
  /** Lines of a file that Redis already has. */
  private readonly progress = new Map<string, number>()

  private readonly unreadable = new Set<string>()

  constructor(private readonly parts: Parts) {}

  async start(): Promise<void> {
    // Not waited for: a large spool must not keep the process from serving.
    void this.loop()
  }

  private async loop(): Promise<void> {
    try {
      await this.once()
    } catch (error) {
      this.parts.log.debug({ err: error }, 'the spool waits for Redis')
    }
    if (this.closed) return
    this.timer = setTimeout(() => void this.loop(), INTERVAL)
    this.timer.unref()
  }

  /** Brings all that may be brought now. @throws when Redis fails */
  async once(): Promise<void> {
    await this.parts.spool.closeStale()
    for (const file of await this.files()) {
      if (this.closed || !this.parts.backlog.isRoomy) return
      try {
        await this.bring(file)
        await unlink(file).catch(ignoreMissing)
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error
        this.complain(file, error.cause)
        continue
      }
      this.progress.delete(file)
      this.parts.spool.forget(basename(file))
    }
  }

  /** Says once that a file cannot be read; the others need not wait for it. */
  private complain(file: string, error: unknown): void {
    if (this.unreadable.has(file)) return
    this.unreadable.add(file)
    this.parts.log.error({ err: error, file: basename(file) }, 'clicks in the spool cannot be read')
  }

  /** Files that nobody writes to, oldest first. */
  private async files(): Promise<string[]> {
    const names = await readdir(this.parts.dir).catch(ignoreMissing)
    const found: string[] = []
    for (const name of (names ?? []).sort()) {
      if (!name.endsWith(SPOOL_SUFFIX)) continue
      const path = join(this.parts.dir, name)
      const facts = await stat(path).catch(ignoreMissing)
      if (facts && (this.parts.spool.wrote(name) || Date.now() - facts.mtimeMs > ABANDONED)) found.push(path)
    }
    return found
  }

  private async bring(file: string): Promise<void> {
    const done = this.progress.get(file) ?? 0
    let group: string[] = []
    let read = 0
    const send = async () => {
      await this.send(group)
      this.progress.set(file, read)
      group = []
    }
    for await (const line of linesOf(file)) {
      read += 1
      if (read <= done) continue
      group.push(line)
      if (group.length < GROUP_SIZE) continue
      await send()
      if (this.closed || !this.parts.backlog.isRoomy) throw new Error('broken off')
    }
    await send()
  }

  private async send(lines: string[]): Promise<void> {
    const [idField, clicksField] = ENTRY_FIELDS
    // A line cut off by the death of its process was never vouched for.
    const whole = lines.map((line) => /^([0-9a-f]{32}) (\[.*\])$/s.exec(line)).filter((match) => match !== null)
    if (whole.length < lines.length) this.parts.log.warn({ lines: lines.length - whole.length }, 'torn lines in the spool')
    await Promise.all(
      whole.map(([, id = '', clicks = ''], i) => {
        const { stream } = partitionKeys(i % PARTITIONS)
        return withTimeout(this.parts.redis.client.xadd(stream, '*', idField, id, clicksField, clicks), PATIENCE, 'Redis')
      }),
    )
    this.parts.metrics.replayed.inc(whole.length)
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
  }
}

/**
 * The lines of a file. Not by node:readline, which also ends lines at U+2028, and leaves the file open when whoever
 * asks for them breaks off.
 */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunksOf(file)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** @throws UnreadableError */
async function* chunksOf(file: string): AsyncGenerator<string> {
  try {
    for await (const chunk of createReadStream(file, 'utf8')) yield chunk as string
  } catch (cause) {
    throw new UnreadableError('cannot be read', { cause })
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** It is a file's fault, and not that of Redis. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}
