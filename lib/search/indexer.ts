import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isUniqueViolation } from '@/lib/db/errors'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { sqlTime } from '@/lib/db/time'
import type { RedisGateway } from '@/lib/redis/gateway'
import { RedisLock } from '@/lib/redis/lock'
import { Breath } from '@/lib/tools/breath'
import { Loop } from '@/lib/tools/loop'
import {
  type Block,
  indexedTo,
  isAfter,
  type Moment,
  type NewBlock,
  readBlocks,
  removeBlocks,
  withoutGap,
  writeBlock,
} from './blocks'
import { eachGram, ownerGram } from './grams'
import { PartsWriter, PLACES } from './parts'
import { type Searchable, textOf } from './text'

const INTERVAL = 5_000
/** A block that is made of others may hold the text of so many full ones. */
const MERGED = 4
const LOCK = 'terse:search-index'
/** Links that are read at a time. */
const BATCH = 500

/** How blocks are cut. */
export interface Cut {
  /** Fewer links that wait are not worth a block: searches read them one by one. */
  least: number
  /** Links in a block. */
  most: number
  /** Characters in it, and what its parts may take when it is made of others: some destinations are long. */
  mostText: number
  mostBytes: number
  /**
   * How long after a change its link goes into a block, in ms. The time of a change is told by the statement that writes it
   * (`updatedAt`), and others see it when that commits: by then every statement has ended or was given up.
   */
  settle: number
}

export const CUT: Cut = { least: 1_024, most: 16_384, mostText: 4_000_000, mostBytes: 16_000_000, settle: 75_000 }

/**
 * Fills the tables by which links are found (docs/decisions/0025-inside-words.md). Whatever writes a link writes the time
 * of the change (`updatedAt`), so the order of changes tells what is left to do, and where it ends what was done: nothing has to
 * be remembered, and after a crash it goes on where it was. One process at a time works on it.
 */
export class SearchIndexer {
  private readonly lock: RedisLock
  /** Neighbours whose texts are too long for one block: reading them again would end the same way. */
  private readonly tooLong = new Set<string>()
  private readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.2,
    run: () => this.lock.exclusively(() => this.work()),
    onFailure: (err) => this.log.debug({ err }, 'search index: MySQL or Redis away'),
  })

  constructor(
    private readonly db: SqlGateway,
    redis: RedisGateway,
    private readonly log: Logger,
    private readonly cut: Cut = CUT,
  ) {
    this.lock = new RedisLock(redis, LOCK)
  }

  async start(): Promise<void> {
    this.loop.startLater()
  }

  /**
   * Works until nothing is left, and no more than half of the time: what searches do without it they do slowly, and the rest is
   * at work too.
   */
  private async work(): Promise<void> {
    const begun = Date.now()
    let links = 0
    for (;;) {
      const at = performance.now()
      const done = await this.step()
      links += done
      if (done === 0 || this.loop.isStopped) break
      await delay(performance.now() - at, undefined, { ref: false })
    }
    if (links > this.cut.most) this.log.info({ links, ms: Date.now() - begun }, 'search index filled')
  }

  /** Writes one block. @returns of how many links; 0: there is nothing to do */
  async step(): Promise<number> {
    const settled = await this.settled()
    const blocks = await this.standing(settled)
    const written = (await this.isDue(indexedTo(blocks), settled)) ? await this.append(blocks, settled) : 0
    return written > 0 ? written : await this.tidy(blocks)
  }

  /** The time before which nothing changes any more, by the database's clock. */
  private async settled(): Promise<Date> {
    const [row] = await this.db.rows<{ at: Date }>('SELECT UTC_TIMESTAMP(3) - INTERVAL ? SECOND AS at', this.cut.settle / 1_000)
    if (!row) throw new Error('the database told no time')
    return row.at
  }

  /**
   * The blocks that count. One that ends in the future does not: the clock was set back, and what is changed now would be
   * taken for indexed. What follows it does not either, and is removed.
   */
  private async standing(settled: Date): Promise<Block[]> {
    const all = await readBlocks(this.db)
    const whole = withoutGap(all)
    const ahead = whole.findIndex(({ to }) => to.at > settled)
    const standing = ahead === -1 ? whole : whole.slice(0, ahead)
    const others = all.filter((block) => !standing.includes(block))
    if (others.length > 0) await removeBlocks(this.db, others)
    return standing
  }

  /** Whether enough links wait for a block. */
  private async isDue(after: Moment, settled: Date): Promise<boolean> {
    const rows = await this.db.rows(
      `SELECT id FROM Link FORCE INDEX (Link_updatedAt_idx) WHERE updatedAt >= ? AND updatedAt < ?
        ORDER BY updatedAt LIMIT 1 OFFSET ${this.cut.least - 1}`,
      sqlTime(after.at.getTime()),
      sqlTime(settled.getTime()),
    )
    return rows.length > 0
  }

  /** A block of what waits. */
  private async append(blocks: readonly Block[], settled: Date): Promise<number> {
    const from = indexedTo(blocks)
    const { links, isAll } = await this.read(from, { at: settled, id: 0n }, this.cut)
    const to = links.at(-1)?.moment
    // A block that is full of text is written however few links it holds, or the index would never get past them.
    if (!to || (isAll && links.length < this.cut.least)) return 0
    return (await this.write({ from, to, ...(await this.build(links)) }, [])) ? links.length : 0
  }

  /** One block in the place of several. */
  private async tidy(blocks: readonly Block[]): Promise<number> {
    await this.recount(blocks)
    const range = mergeable(blocks, this.cut, (some) => this.tooLong.has(nameOf(some)))
    const [first, last] = [range[0], range.at(-1)]
    if (!first || !last) return 0
    const { links, isAll } = await this.read(first.from, last.to, { most: PLACES, mostText: MERGED * this.cut.mostText })
    if (!isAll) {
      this.tooLong.add(nameOf(range))
      return 1
    }
    const block = { from: first.from, to: last.to, ...(await this.build(links)) }
    return (await this.write(block, range)) ? Math.max(1, links.length) : 0
  }

  private async write(block: NewBlock, replaced: readonly Block[]): Promise<boolean> {
    try {
      return await writeBlock(this.db, block, replaced)
    } catch (error) {
      // Another process was faster.
      if (isUniqueViolation(error)) return false
      throw error
    }
  }

  /** What a block holds of links, which it puts in order of id. */
  private async build(links: Entry[]): Promise<Omit<NewBlock, 'from' | 'to'>> {
    links.sort((a, b) => (a.moment.id < b.moment.id ? -1 : 1))
    const writer = new PartsWriter()
    const breath = new Breath()
    for (const [place, { text, ownerId }] of links.entries()) {
      eachGram(text, (gram) => writer.add(gram, place))
      writer.add(ownerGram(ownerId), place)
      if (breath.isDue) await breath.pause()
    }
    const ids = links.map(({ moment }) => moment.id)
    const parts: NewBlock['parts'][number][] = []
    for (const part of links.length > 0 ? writer.write(ids) : []) {
      parts.push(part)
      if (breath.isDue) await breath.pause()
    }
    return { size: ids.length, firstId: ids[0] ?? 0n, lastId: ids.at(-1) ?? 0n, parts }
  }

  /**
   * The links that were last changed after one moment and not after another, as many as a block takes, and whether that is all of
   * them.
   */
  private async read(
    from: Moment,
    until: Moment,
    cut: Pick<Cut, 'most' | 'mostText'>,
  ): Promise<{ links: Entry[]; isAll: boolean }> {
    const links: Entry[] = []
    const breath = new Breath()
    for (let [after, text] = [from, 0]; ; ) {
      // One more than there is room for tells whether there is more.
      const rows = await changedAfter(this.db, after, until.at, Math.min(BATCH, cut.most - links.length + 1))
      for (const row of rows) {
        after = { at: row.updatedAt, id: row.id }
        if (isAfter(after, until)) return { links, isAll: true }
        if (links.length === cut.most || text >= cut.mostText) return { links, isAll: false }
        const entry = { moment: after, ownerId: row.ownerId, text: textOf(row) }
        text += entry.text.length
        links.push(entry)
        if (breath.isDue) await breath.pause()
      }
      if (rows.length === 0) return { links, isAll: true }
    }
  }

  /**
   * Counts how many links of one block, any of them, are still the same: the others have moved on to later blocks, or are gone.
   */
  private async recount(blocks: readonly Block[]): Promise<void> {
    const block = blocks[Math.floor(Math.random() * blocks.length)]
    if (!block) return
    const { from, to } = block
    const [row] = await this.db.rows<{ links: bigint }>(
      `SELECT COUNT(*) AS links FROM Link FORCE INDEX (Link_updatedAt_idx)
        WHERE updatedAt >= ? AND updatedAt <= ? AND (updatedAt > ? OR id > ?) AND (updatedAt < ? OR id <= ?)`,
      ...[from.at, to.at, from.at].map((at) => sqlTime(at.getTime())),
      from.id,
      sqlTime(to.at.getTime()),
      to.id,
    )
    const current = Number(row?.links ?? 0)
    if (current !== block.current) await this.db.change('UPDATE SearchBlock SET current = ? WHERE id = ?', current, block.id)
    block.current = current
  }

  close(): void {
    void this.loop.stop()
  }
}

interface Entry {
  moment: Moment
  ownerId: string | null
  text: string
}

type Changed = Searchable & { id: bigint; ownerId: string | null; updatedAt: Date }

/** Links in the order of changes: first those of the same moment, so that each part is a plain range of the index. */
async function changedAfter(db: SqlGateway, after: Moment, until: Date, limit: number): Promise<Changed[]> {
  const select = 'SELECT id, ownerId, code, title, url, updatedAt FROM Link FORCE INDEX (Link_updatedAt_idx) WHERE'
  const [at, end] = [sqlTime(after.at.getTime()), sqlTime(until.getTime())]
  const same = await db.rows<Changed>(`${select} updatedAt = ? AND id > ? ORDER BY id LIMIT ${limit}`, at, after.id)
  if (same.length === limit) return same
  const later = `${select} updatedAt > ? AND updatedAt <= ? ORDER BY updatedAt, id LIMIT ${limit - same.length}`
  return [...same, ...(await db.rows<Changed>(later, at, end))]
}

/**
 * Neighbours to be made one: several small ones, of which none is as large as all others together, so that each link is written
 * over only a few times; or those of which half is out of date.
 * @param isKept whether these neighbours stay as they are
 */
export function mergeable(
  blocks: readonly Block[],
  { most, mostBytes }: Pick<Cut, 'most' | 'mostBytes'>,
  isKept: (range: readonly Block[]) => boolean = () => false,
): Block[] {
  for (let first = 0; first < blocks.length; first++) {
    for (let end = first + 1; end <= blocks.length; end++) {
      const range = blocks.slice(first, end)
      const [current, size] = [sum(range.map((block) => block.current)), sum(range.map((block) => block.size))]
      if (current > most || (range.length > 1 && sum(range.map((block) => block.bytes)) > mostBytes)) break
      const isStale = size > 0 && current <= size / 2
      const areSmall = range.length >= 4 && Math.max(...range.map((block) => block.current)) <= current / 2
      if ((isStale || areSmall) && !isKept(range)) return range
    }
  }
  return []
}

const nameOf = (range: readonly Block[]) => `${range[0]?.id}-${range.at(-1)?.id}`

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
