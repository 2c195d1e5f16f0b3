import { type FileHandle, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { RedisGateway } from '@/lib/redis/gateway'
import { Loop } from '@/lib/tools/loop'
import { withTimeout } from '@/lib/tools/timeout'
import { addEntries, SendSize } from './add-entries'
import type { Backlog } from './backlog'
import type { ClickMetrics } from './metrics'
import { FILE_LIFETIME, type Spool } from './spool'
import { adoptFile, orMissing, SPOOL_SUFFIX, touchFile } from './spool-file'
import { ALL_PARTITIONS, ENTRY_FIELDS, PARTITIONS } from './stream'

const INTERVAL = 1_000
/**
 * A file of another process that was not touched for so long is taken for abandoned, in ms. Only a guess, since clocks jump and
 * machines sleep: see ./spool-file.ts for why a wrong one does no harm. A time in the future is as good as one long past.
 */
const ABANDONED = 5 * FILE_LIFETIME
/** Lines sent at once. */
const GROUP_SIZE = 200
const PATIENCE = 10_000
/** How long replicas may take, in ms. Short, since the clicks of visitors wait on the same connection. */
const REPLICA_PATIENCE = 50

interface Parts {
  dir: string
  spool: Spool
  redis: RedisGateway
  /** How many replicas of Redis must have a click before it leaves the spool. */
  replicas: number
  backlog: Backlog
  metrics: ClickMetrics
  log: Logger
}

/**
 * Brings the spool back to Redis: the files of this process, and those that others left behind. To bring one
 * twice, or half of one, does no harm, since each batch has its id; that a file is taken before is to spare the work.
 */
export class Replay {
  private readonly loop = new Loop({
    every: INTERVAL,
    run: () => this.once(),
    onFailure: (err) => this.parts.log.debug({ err }, 'the spool waits for Redis'),
  })
  /** Files that belong to this process, and how many of their lines Redis already has. */
  private readonly inHand = new Map<string, number>()

  private readonly unreadable = new Set<string>()
  private readonly sendSize = new SendSize(GROUP_SIZE)

  constructor(private readonly parts: Parts) {}

  async start(): Promise<void> {
    // Not waited for: a large spool must not keep the process from serving.
    void this.loop.start()
  }

  /** Brings all that may be brought now. @throws when Redis fails */
  async once(): Promise<void> {
    const { spool, backlog, dir } = this.parts
    await spool.closeStale()
    for (const name of spool.newlyClosed()) this.inHand.set(name, 0)
    await this.holdOn()
    const names = (await orMissing(readdir(dir))) ?? []
    // Oldest first.
    for (const name of names.filter((name) => name.endsWith(SPOOL_SUFFIX)).sort()) {
      if (this.loop.isStopped || !backlog.isRoomy) return
      try {
        await this.bring(name)
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error
        this.complain(name, error.cause)
      }
    }
  }

  /** Shows others that what was begun here goes on here, however long there has been no room or no Redis. */
  private async holdOn(): Promise<void> {
    for (const [name, lines] of this.inHand) if (lines > 0) await this.touch(name)
  }

  /** Says once that a file cannot be read; the others need not wait for it. */
  private complain(name: string, error: unknown): void {
    if (this.unreadable.has(name)) return
    this.unreadable.add(name)
    this.parts.log.error({ err: error, file: name }, 'clicks in the spool cannot be read')
  }

  /** Brings a file, unless it is another's, or another takes it. @throws UnreadableError; what Redis throws */
  private async bring(name: string): Promise<void> {
    const { dir, spool } = this.parts
    if (spool.isOpen(name)) return
    // Opened before it is taken: what cannot be read stays where it is.
    const handle = await orMissing(open(join(dir, name))).catch(asUnreadable)
    try {
      const own = handle && (await this.adopt(name, handle))
      if (!own || !(await this.sendAll(own, handle))) return
      await orMissing(unlink(join(dir, own)))
      this.inHand.delete(own)
    } finally {
      await handle?.close()
    }
  }

  /** Makes a file this process's. @returns its name from now on, or null if it belongs to another */
  private async adopt(name: string, handle: FileHandle): Promise<string | null> {
    if (this.inHand.has(name)) return (await this.touch(name)) ? name : null
    const facts = await handle.stat()
    if (Math.abs(Date.now() - facts.mtimeMs) <= ABANDONED) return null
    if (!facts.isFile()) throw new UnreadableError('cannot be read', { cause: new Error('not a file') })
    const own = await adoptFile(this.parts.dir, name)
    if (own) this.inHand.set(own, 0)
    return own
  }

  /** @returns false if another process has taken the file */
  private async touch(name: string): Promise<boolean> {
    const isOurs = await touchFile(this.parts.dir, name)
    if (!isOurs) this.inHand.delete(name)
    return isOurs
  }

  /** @returns false if another process took the file in the meantime: it brings the rest */
  private async sendAll(name: string, handle: FileHandle): Promise<boolean> {
    const done = this.inHand.get(name) ?? 0
    let group: string[] = []
    let read = 0
    const send = async () => {
      await this.send(group)
      group = []
      if (!(await this.touch(name))) return false
      this.inHand.set(name, read)
      return true
    }
    for await (const line of linesOf(handle)) {
      read += 1
      if (read <= done) continue
      group.push(line)
      if (group.length < this.sendSize.entries) continue
      if (!(await send())) return false
      if (this.loop.isStopped || !this.parts.backlog.isRoomy) throw new Error('broken off')
    }
    return send()
  }

  private async send(lines: string[]): Promise<void> {
    const [idField, clicksField] = ENTRY_FIELDS
    // A line cut off by the death of its process was never vouched for.
    const whole = lines.map((line) => /^([0-9a-f]{32}) (\[.*\])$/s.exec(line)).filter((match) => match !== null)
    if (whole.length < lines.length) this.parts.log.warn({ lines: lines.length - whole.length }, 'torn lines in the spool')
    const entries = whole.map(([, id = '', clicks = '']) => [idField, id, clicksField, clicks])
    const { redis, replicas } = this.parts
    const wait = { replicas, patience: REPLICA_PATIENCE }
    const sent = ALL_PARTITIONS.map(async (partition) => {
      const some = entries.filter((_, i) => i % PARTITIONS === partition)
      if (some.length > 0) await withTimeout(addEntries(redis.client, partition, some, wait), PATIENCE, 'Redis')
    })
    // All have ended when it is tried again.
    const ended = Promise.allSettled(sent).then(() => Promise.all(sent))
    await this.sendSize.learnFrom(ended)
    this.parts.metrics.replayed.inc(whole.length)
  }

  close(): void {
    void this.loop.stop()
  }
}

/**
 * The whole lines of a file: one without an end was never vouched for. Not by node:readline, which also ends lines at
 * U+2028. @throws UnreadableError
 */
export async function* linesOf(handle: FileHandle): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunksOf(handle)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** @throws UnreadableError */
async function* chunksOf(handle: FileHandle): AsyncGenerator<string> {
  try {
    for await (const chunk of handle.createReadStream({ encoding: 'utf8', autoClose: false, start: 0 })) yield chunk as string
  } catch (cause) {
    asUnreadable(cause)
  }
}

function asUnreadable(cause: unknown): never {
  throw new UnreadableError('cannot be read', { cause })
}

/** It is a file's fault, and not that of Redis. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}
