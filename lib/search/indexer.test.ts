import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sqlTime } from '@/lib/db/time'
import { insertLinks } from '@/lib/links/insert'
import { listWithin } from '@/lib/links/list'
import { ListLinks } from '@/lib/links/schemas'
import { testDatabase } from '@/lib/testing/database'
import { linkRow, SILENT } from '@/lib/testing/links'
import { bundle } from '@/lib/testing/program'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { type Block, indexedTo, readBlocks, withoutGap } from './blocks'
import { CUT, mergeable, SearchIndexer } from './indexer'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
ctx.searchIndexer.close()

const SMALL = { ...CUT, least: 5, most: 60, settle: 0 }
const indexer = new SearchIndexer(ctx.db, ctx.redis, SILENT, SMALL)

/** Works until nothing is left to do. */
async function fill(by = indexer): Promise<void> {
  while ((await by.step()) > 0);
}

/** What a search finds of everyone's links when it looks at the index after a single link. */
async function found(q: string): Promise<bigint[]> {
  const reach = { time: 0, timeWithTerms: 0, window: 1, windowWithTerms: 1, index: 5_000 }
  const ids: bigint[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listWithin(ctx, {}, ListLinks.parse({ q, limit: 100, ...(cursor && { cursor }) }), Date.now(), reach)
    ids.push(...page.links.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}

const newestFirst = (ids: bigint[]) => ids.sort((a, b) => (a > b ? -1 : 1))

describe('the search index', () => {
  beforeAll(async () => {
    await connection.query('DELETE FROM SearchBlock')
  })

  it('holds every link once or leaves it to be read, whatever becomes of those who fill it', async () => {
    const file = await bundle('lib/testing/search-child.ts')
    const start = () => spawn(process.execPath, [file, url, redis.url], { stdio: ['ignore', 'pipe', 'inherit'] })
    const children: ChildProcess[] = [start(), start()]
    const mine: bigint[] = []
    try {
      for (let round = 0; round < 6; round++) {
        const rows = Array.from({ length: 40 }, (_, i) => linkRow({ title: `x${round}flaschenpost${i}y` }))
        await insertLinks(ctx.db.client, rows)
        mine.push(...rows.map(({ id }) => id))
        const [one] = children.splice(0, 1)
        if (one?.stdout) await once(one.stdout, 'data')
        one?.kill('SIGKILL')
        children.push(start())
        expect(await found('laschenpos')).toEqual(newestFirst(mine))
      }
      await vi.waitFor(
        async () => expect((await readBlocks(ctx.db)).reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(200),
        {
          timeout: 20_000,
          interval: 100,
        },
      )
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
    const blocks = await readBlocks(ctx.db)
    expect(withoutGap(blocks)).toEqual(blocks)
    await fill()
    expect(await found('laschenpos')).toEqual(newestFirst(mine))
  }, 120_000)

  it('goes back to where a clock that was set back says that it is', async () => {
    await fill()
    const [last] = (await readBlocks(ctx.db)).slice(-1)
    await connection.query('UPDATE SearchBlock SET toAt = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE id = ?', [last?.id])
    const late = linkRow({ title: 'after the clock was set back' })
    await insertLinks(ctx.db.client, [late])
    await indexer.step()
    expect(await found('clock was set back')).toEqual([late.id])
  })

  it('believes nothing behind a gap, and fills it', async () => {
    await fill()
    const before = await found('laschenpos')
    const blocks = await readBlocks(ctx.db)
    await connection.query('DELETE FROM SearchBlock WHERE id = ?', [blocks[1]?.id])
    expect(await found('laschenpos')).toEqual(before)
    await fill()
    expect(await found('laschenpos')).toEqual(before)
    expect(withoutGap(await readBlocks(ctx.db))).toEqual(await readBlocks(ctx.db))
  })

  it('is made smaller when most of what it holds has changed or is gone', async () => {
    await fill()
    const ids = (await found('laschenpos')).slice(20)
    await ctx.db.client.link.deleteMany({ where: { id: { in: ids } } })
    const size = async () => (await readBlocks(ctx.db)).reduce((sum, block) => sum + block.size, 0)
    // Each step counts one block, any of them.
    await vi.waitFor(
      async () => {
        await indexer.step()
        expect(await size()).toBeLessThan(100)
      },
      { timeout: 20_000, interval: 1 },
    )
    expect(await found('laschenpos')).toHaveLength(20)
  })

  it('takes more links of one moment than a block has room for', async () => {
    const updatedAt = new Date(Date.now() + 500)
    const rows = Array.from({ length: 150 }, (_, i) => linkRow({ title: `gleichzeitig${i}`, updatedAt }))
    await insertLinks(ctx.db.client, rows)
    const indexedUpTo = async () => withoutGap(await readBlocks(ctx.db)).at(-1)?.to.at
    await vi.waitFor(
      async () => {
        await fill()
        expect((await indexedUpTo())?.getTime()).toBeGreaterThanOrEqual(updatedAt.getTime())
      },
      { timeout: 20_000, interval: 100 },
    )
    expect(await found('ichzeit')).toEqual(newestFirst(rows.map(({ id }) => id)))
  })
})

describe('links with long texts', () => {
  const write = (count: number) => {
    // Settled: nothing of an earlier time is in a block.
    const updatedAt = new Date(Date.now() - 1_000)
    const rows = Array.from({ length: count }, (_, i) => linkRow({ title: `langertext${i}`.padEnd(250, 'x'), updatedAt }))
    return insertLinks(ctx.db.client, rows)
  }

  it('fill a block before there are as many as it takes otherwise, and hold up no other', async () => {
    await connection.query('DELETE FROM SearchBlock')
    const inShort = new SearchIndexer(ctx.db, ctx.redis, SILENT, { ...CUT, least: 600, most: 1_000, mostText: 20_000, settle: 0 })
    await write(700)
    await fill(inShort)
    const { at, id } = indexedTo(await readBlocks(ctx.db))
    const since = sqlTime(at.getTime())
    const waiting = await ctx.db.rows('SELECT id FROM Link WHERE updatedAt > ? OR (updatedAt = ? AND id > ?)', since, since, id)
    expect(waiting.length).toBeLessThan(600)
  })

  it('are not put together beyond what may be held at once', async () => {
    await connection.query('DELETE FROM SearchBlock')
    await write(40)
    const cut = { ...CUT, least: 1, most: 10_000, settle: 0 }
    await fill(new SearchIndexer(ctx.db, ctx.redis, SILENT, { ...cut, most: 100 }))
    const before = await readBlocks(ctx.db)
    expect(before.length).toBeGreaterThanOrEqual(4)
    await fill(new SearchIndexer(ctx.db, ctx.redis, SILENT, { ...cut, mostText: 100 }))
    expect((await readBlocks(ctx.db)).map((block) => block.id)).toEqual(before.map((block) => block.id))
    await fill(new SearchIndexer(ctx.db, ctx.redis, SILENT, cut))
    expect((await readBlocks(ctx.db)).length).toBeLessThan(before.length)
  })
})

describe('blocks are made one', () => {
  const block = (size: number, current = size, bytes = size * 100) => ({ size, current, bytes }) as Block
  const limits = { most: 16_000, mostBytes: 16_000_000 }

  it.each([
    [[1000, 1000, 1000], 0],
    [[1000, 1000, 1000, 1000], 4],
    [[4000, 1000, 1000, 1000], 0],
    [[4000, 1000, 1000, 1000, 1000], 5],
    [[16000, 16000], 0],
    [[16000, 1000, 1000, 1000, 1000], 4],
  ])('of %j as many as %i', (sizes, count) => {
    expect(
      mergeable(
        sizes.map((size) => block(size)),
        limits,
      ),
    ).toHaveLength(count)
  })

  it('once half of what they hold is out of date, and not into what is too large', () => {
    expect(mergeable([block(16_000, 8_000)], limits)).toHaveLength(1)
    expect(mergeable([block(16_000), block(16_000, 0)], limits)).toHaveLength(2)
    expect(
      mergeable(
        Array.from({ length: 4 }, () => block(1_000, 1_000, 5_000_000)),
        limits,
      ),
    ).toHaveLength(0)
  })
})
