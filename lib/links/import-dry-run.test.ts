import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import { shardKeys, shardOf } from '@/lib/codes/shards'
import type { Job } from '@/lib/db/generated/client'
import { inEnglish } from '@/lib/i18n/translate'
import { cancelJobs, keepNewestRows } from '@/lib/jobs/queue'
import { cancelJob, findJob, listJobItems, listJobs, pause, resume, toJobView } from '@/lib/jobs/store'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { deleteLink } from './delete'
import { queueImport, startImport } from './import-queue'
import { resultsOf } from './import-results'
import { queueUndo } from './undo-job'
import { updateLink } from './update'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))
beforeAll(() => keepAccount(ctx.db, 'alice'))

const alice = owner('alice')
const by = { account: alice.account as Account, address: null }

async function reached(number: string, state: string): Promise<Job> {
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe(state), { timeout: 30_000, interval: 20 })
  return findJob(ctx, 'alice', number)
}

/** What came of each row. */
async function itemsOf(job: Job) {
  const items: [string, string, number | null, string][] = []
  for (let cursor: string | undefined; ; ) {
    const page = await listJobItems(ctx, job, { limit: 500, cursor })
    items.push(
      ...page.items.map(({ target, result, line, message }) => [target, result, line, message] as (typeof items)[number]),
    )
    if (page.nextCursor === null) return items
    cursor = page.nextCursor
  }
}

const TABLES = ['Link', 'Label', 'LinkLabel', 'LinkComment', 'SplitEnd', 'Outbox', 'IdempotencyKey', 'DeletedLink']
const counts = async () =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async (table) => [table, Number((await connection.query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n)] as const),
    ),
  )
/** Those of some codes that the filter in Redis knows. */
async function knownCodes(codes: readonly string[]): Promise<string[]> {
  const known = await Promise.all(codes.map((code) => ctx.registry.lookup(`terse.test/${code}`)))
  return codes.filter((_, index) => known[index]?.mayExist)
}

describe('a dry run', () => {
  it('says so where it had to guess the encoding, and so does the import, with some of the text', async () => {
    async function* bytes() {
      const [first, second] = [freshCode(), freshCode()]
      yield Buffer.from(
        `url,code,title\nhttps://example.com/a,${first},plain\nhttps://example.com/b,${second},"My caf\xe9, open"\n`,
        'latin1',
      )
    }
    const { number } = await queueImport(ctx, by, { format: 'csv', bytes: bytes() }, { dryRun: true })
    const checked = await reached(number, 'checked')
    const guessed = 'Read as Windows-1252: check that “My café” is right'
    expect(toJobView(checked).title).toBe(`Check 2 links. ${guessed}`)
    await startImport(ctx, checked)
    expect(toJobView(await reached(number, 'done')).title).toBe(`Import 2 links. ${guessed}`)
    const known = await queueImport(ctx, by, 'url,title\nhttps://example.com/c,Café', { dryRun: true })
    expect(known.title).toBe('Check 1 link')
  })

  it('says of each row what the import then does, for a thousand random rows, and writes nothing', async () => {
    const [own, others, gone] = [freshCode(), freshCode(), freshCode()]
    await createLink(ctx, alice, { url: 'https://example.com/own', code: own })
    await createLink(ctx, owner('bob'), { url: 'https://example.com/bobs', code: others })
    await createLink(ctx, alice, { url: 'https://example.com/gone', code: gone })
    await deleteLink(ctx, alice, { code: gone, domain: undefined })
    const pool = Array.from({ length: 300 }, () => freshCode())
    const url = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 50 }).map((n) => `https://example.com/${n}`) },
      fc.constantFrom(
        'https://example.com/own',
        'nonsense',
        '',
        'javascript:alert(1)',
        'http://terse.test/x',
        'ftp://a.example/',
      ),
    )
    const code = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...pool) },
      { weight: 3, arbitrary: fc.constant('') },
      fc.constantFrom(own, others, gone, 'admin', 'a b', 'ä', '12', "it's"),
    )
    const row = fc.record({
      url,
      code,
      domain: fc.constantFrom('', '', '', 'terse.test', 'other.example'),
      expiresAt: fc.constantFrom('', '', '2001-01-01', '2999-01-01', 'soon'),
      tags: fc.constantFrom('', 'a', 'A, b', 'x'.repeat(60)),
      maxClicks: fc.constantFrom('', '', '5', 'many', '0'),
      extra: fc.constantFrom('', '', '', '', '', 'more'),
    })
    const rows = fc.sample(row, { numRuns: 1_000, seed: 7 })
    const lines = rows.map(
      (one) =>
        `${Object.values(one)
          .slice(0, 6)
          .map((cell) => `"${cell}"`)}${one.extra && `,${one.extra}`}`,
    )
    const again = `https://example.com/own,${own}`
    const csv = ['url,code,domain,expiresAt,tags,maxClicks', ...lines, again, '"never closed'].join('\n')
    const tables = await counts()
    expect(await knownCodes(pool)).toEqual([])
    const checked = await reached((await queueImport(ctx, by, csv, { dryRun: true })).number, 'checked')
    expect([await counts(), await knownCodes(pool)]).toEqual([tables, []])
    const would = await itemsOf(checked)
    expect(would).toHaveLength(1_002)
    await startImport(ctx, checked)
    const done = await reached(checked.number, 'done')
    const did = await itemsOf(done)
    // Of a code that is generated a dry run tells nothing.
    const known = (items: typeof did) =>
      items.map(([target, ...rest], index) => [rows[index]?.code === '' ? '' : target, ...rest])
    expect(known(did)).toEqual(known(would))
    expect(toJobView(done).counts).toEqual(toJobView(checked).counts)
    const results = new Set(did.map(([, result]) => result))
    expect([...results].sort()).toEqual(['created', 'duplicate', 'exists', 'refused', 'taken'])
  })

  it('tells duplicates across parts and turns, and the row that has the link', async () => {
    const code = freshCode()
    const same = `https://example.com/,${code}`
    const many = Array.from({ length: 1_600 }, (_, n) => `https://example.com/${n},`)
    const csv = ['url,code', same, ...many, same, same].join('\n')
    const job = await reached((await queueImport(ctx, by, csv, { dryRun: true })).number, 'checked')
    expect(toJobView(job)).toMatchObject({ dryRun: true, counts: { created: 1_601, duplicate: 2 }, failed: 2 })
    expect((await itemsOf(job)).slice(-1)).toEqual([[code, 'duplicate', 1_604, 'Line 2 has the same short link.']])
    await startImport(ctx, job)
    await expect(startImport(ctx, job)).rejects.toMatchObject({ code: 'conflict' })
    expect(toJobView(await reached(job.number, 'done'))).toMatchObject({
      dryRun: false,
      counts: { created: 1_601, duplicate: 2 },
    })
  })
})

describe('an import', () => {
  it('again creates nothing twice, as far as its rows have codes', async () => {
    const csv = `url,code\n${Array.from({ length: 20 }, (_, n) => `https://example.com/${n},${freshCode()}`).join('\n')}`
    for (const counts of [{ created: 20 }, { exists: 20 }]) {
      expect(toJobView(await reached((await queueImport(ctx, by, csv)).number, 'done'))).toMatchObject({ counts, failed: 0 })
    }
  })

  it('that is paused goes on where it was, also once what it had under way is forgotten', async () => {
    const paths = Array.from({ length: 6_000 }, () => freshCode())
    const { number } = await queueImport(ctx, by, paths.map((path) => `https://example.com/paused/${path}`).join('\n'))
    ctx.jobs.look()
    await vi.waitFor(async () => expect((await findJob(ctx, null, number)).done).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 5,
    })
    const paused = await pause(ctx, await findJob(ctx, 'alice', number))
    expect(paused.state).toBe('paused')
    await expect(pause(ctx, paused)).rejects.toMatchObject({ code: 'conflict' })
    // As after `kill -9`, of what was not told yet.
    await connection.query('UPDATE Job SET done = 0, counts = ? WHERE id = ?', ['', paused.id])
    await connection.query('DELETE FROM IdempotencyKey')
    await resume(ctx, paused)
    const job = await reached(number, 'done')
    expect(toJobView(job)).toMatchObject({ done: 6_000, counts: { created: 6_000 } })
    const made = await ctx.db.client.link.count({ where: { url: { startsWith: 'https://example.com/paused/' } } })
    expect(made).toBe(6_000)
    expect(new Set((await itemsOf(job)).map(([target]) => target)).size).toBe(6_000)
  })

  it('tells its results as a file, in the language of who asks', async () => {
    const code = freshCode()
    const job = await reached(
      (await queueImport(ctx, by, `url,code,title\nhttps://example.com/,${code},=1\nx,=2,`)).number,
      'done',
    )
    let text = ''
    for await (const piece of resultsOf(ctx, job, inEnglish)) text += piece
    expect(text.split('\r\n')).toEqual([
      '"line","result","code","shortUrl","reason","row"',
      `2,"created","${code}","http://terse.test/${code}","",""`,
      expect.stringMatching(/^3,"refused","","","url: .*","'=2"$/),
      '',
    ])
  })
})

/** Statements by which the server has inserted and deleted so far, of everyone. */
async function written(): Promise<number> {
  const sql = "SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_insert', 'Com_delete')"
  return (await connection.query<{ Value: string }[]>(sql)).reduce((sum, { Value }) => sum + Number(Value), 0)
}

describe('undoing an import', () => {
  it('deletes what it created and nobody edited since, says what it left, and notes history', async () => {
    const codes = Array.from({ length: 130 }, () => freshCode())
    const [edited = '', gone = '', kept = ''] = codes
    const taken = freshCode()
    await createLink(ctx, alice, { url: 'https://example.com/', code: taken })
    const csv = `url,code\n${[...codes, taken].map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    expect(toJobView(job)).toMatchObject({ counts: { created: 130, exists: 1 } })
    await updateLink(ctx, alice, { code: edited, domain: undefined }, { title: 'Edited' })
    await deleteLink(ctx, alice, { code: gone, domain: undefined })
    const undo = await queueUndo(ctx, by, job)
    await expect(queueUndo(ctx, by, await findJob(ctx, null, job.number))).rejects.toMatchObject({ code: 'conflict' })
    const undone = await reached(undo.number, 'done')
    expect(toJobView(undone)).toMatchObject({ kind: 'undo', done: 130, counts: { deleted: 128, changed: 1, gone: 1 } })
    expect(toJobView(await findJob(ctx, null, job.number)).undoneBy).toBe(undo.number)
    const items = await itemsOf(undone)
    expect(items.slice(0, 3).map(([target, result]) => [target, result])).toEqual([
      [`terse.test/${edited}`, 'changed'],
      [`terse.test/${gone}`, 'gone'],
      [`terse.test/${kept}`, 'deleted'],
    ])
    const fulls = [...codes, taken].map((code) => `terse.test/${code}`)
    const left = await ctx.db.client.link.findMany({ where: { fullShortUrl: { in: fulls } }, select: { code: true } })
    expect(left.map(({ code }) => code).sort()).toEqual([edited, taken].sort())
    const { entry } = await ctx.lookup.find(`terse.test/${kept}`)
    expect(entry.record).toMatchObject({ kind: 'tombstone' })
    const deleted = await ctx.db.client.deletedLink.findUniqueOrThrow({ where: { fullShortUrl: `terse.test/${kept}` } })
    expect(deleted.deletedByJob).toBe(undone.id)
    expect(await ctx.db.client.linkChange.count({ where: { linkId: deleted.id, byJob: true } })).toBe(1)
    expect(await ctx.db.client.outbox.count()).toBe(0)
  })

  it('leaves its codes to its account, which imports them again with other destinations, and to nobody else', async () => {
    const codes = Array.from({ length: 3 }, () => freshCode())
    const csv = (to: string) => `url,code\n${codes.map((code) => `https://example.com/${to},${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv('wrong'))).number, 'done')
    expect(toJobView(await reached((await queueUndo(ctx, by, job)).number, 'done'))).toMatchObject({ counts: { deleted: 3 } })
    const [code = '', mine = ''] = codes
    await expect(createLink(ctx, owner('bob'), { url: 'https://example.com/', code })).rejects.toMatchObject({
      said: { key: 'api.link.codeReserved' },
    })
    await createLink(ctx, alice, { url: 'https://example.com/right', code: mine })
    const checked = await reached((await queueImport(ctx, by, csv('right'), { dryRun: true })).number, 'checked')
    expect(toJobView(checked)).toMatchObject({ counts: { created: 2, exists: 1 } })
    await startImport(ctx, checked)
    expect(toJobView(await reached(checked.number, 'done'))).toMatchObject({ counts: { created: 2, exists: 1 }, failed: 0 })
    for (const one of codes) {
      expect((await ctx.lookup.find(`terse.test/${one}`)).entry.record).toMatchObject({ url: 'https://example.com/right' })
      const score = await ctx.redis.client.zscore(shardKeys(shardOf(`terse.test/${one}`)).freed, `terse.test/${one}`)
      expect(score).toBeNull()
    }
    // What is deleted by hand rests, also of one that was undone before.
    await deleteLink(ctx, alice, { code, domain: undefined })
    const again = await reached((await queueImport(ctx, by, csv('right'))).number, 'done')
    expect(toJobView(again)).toMatchObject({ counts: { refused: 1, exists: 2 } })
  })

  it('writes no statement for each link: a million of them take minutes', async () => {
    const codes = Array.from({ length: 100 }, () => freshCode())
    const csv = `url,code\n${codes.map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    const before = await written()
    const undone = await reached((await queueUndo(ctx, by, job)).number, 'done')
    expect(toJobView(undone)).toMatchObject({ counts: { deleted: 100 } })
    expect((await written()) - before).toBeLessThan(50)
    expect(await ctx.db.client.outbox.count()).toBe(0)
  })

  it('that was stopped can be started again, and then deletes the rest', async () => {
    const codes = Array.from({ length: 3 }, () => freshCode())
    const csv = `url,code\n${codes.map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    const stopped = await queueUndo(ctx, by, job)
    await cancelJob(ctx, await findJob(ctx, null, stopped.number))
    const undo = await queueUndo(ctx, by, await findJob(ctx, null, job.number))
    expect(toJobView(await reached(undo.number, 'done'))).toMatchObject({ counts: { deleted: 3 } })
    expect(toJobView(await findJob(ctx, null, job.number)).undoneBy).toBe(undo.number)
  })

  it('begun again deals with no link twice and misses none', async () => {
    const codes = Array.from({ length: 250 }, () => freshCode())
    const csv = `url,code\n${codes.map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    const undo = await queueUndo(ctx, by, job)
    const first = await reached(undo.number, 'done')
    // As if it had been killed before it told of the last two batches, and before these were written.
    await connection.query('DELETE FROM JobItem WHERE jobId = ? AND position >= 200', [first.id])
    await connection.query("UPDATE Job SET state = 'queued', done = 100, counts = ? WHERE id = ?", ['{"deleted":100}', first.id])
    const again = await reached(undo.number, 'done')
    expect(toJobView(again)).toMatchObject({ done: 250, counts: { deleted: 200, gone: 50 } })
    expect(new Set((await itemsOf(again)).map(([target]) => target)).size).toBe(250)
  })

  it('that was stopped by a ban, or forgotten, can be started again once the account may', async () => {
    const codes = Array.from({ length: 3 }, () => freshCode())
    const csv = `url,code\n${codes.map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    const stopped = await queueUndo(ctx, by, job)
    await ctx.db.write((client) => cancelJobs(client, { userId: 'alice' }))
    const { jobs } = await listJobs(ctx, 'alice', { limit: 100 })
    expect(jobs.find(({ number }) => number === job.number)?.undoneBy).toBe(null)
    expect((await findJob(ctx, null, stopped.number)).state).toBe('cancelled')
    const undo = await queueUndo(ctx, by, await findJob(ctx, null, job.number))
    expect(toJobView(await reached(undo.number, 'done'))).toMatchObject({ counts: { deleted: 3 } })
    await expect(queueUndo(ctx, by, job)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('finds what an import had written that was killed before it counted it, and cancelled', async () => {
    const codes = Array.from({ length: 20 }, () => freshCode())
    const csv = `url,code\n${codes.map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    await connection.query(
      `UPDATE Job SET state = 'running', done = 0, counts = '', finishedAt = NULL, leaseUntil = UTC_TIMESTAMP(3) + INTERVAL 9 SECOND
        WHERE id = ?`,
      [job.id],
    )
    expect(await cancelJob(ctx, await findJob(ctx, null, job.number))).toMatchObject({ done: 20, counts: { created: 20 } })
    // As it stands where nobody told it.
    await connection.query("UPDATE Job SET done = 0, counts = '' WHERE id = ?", [job.id])
    const undo = await queueUndo(ctx, by, await findJob(ctx, null, job.number))
    expect(toJobView(await reached(undo.number, 'done'))).toMatchObject({ total: 20, counts: { deleted: 20 } })
  })

  it('keeps what it reads while it goes on, however many rows later imports have', async () => {
    const codes = Array.from({ length: 3 }, () => freshCode())
    const csv = `url,code\n${codes.map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    const undo = await queueUndo(ctx, by, job)
    await pause(ctx, await findJob(ctx, null, undo.number))
    await keepNewestRows(ctx.db, 'alice', 'import', 0)
    await resume(ctx, await findJob(ctx, null, undo.number))
    expect(toJobView(await reached(undo.number, 'done'))).toMatchObject({ counts: { deleted: 3 } })
    await keepNewestRows(ctx.db, 'alice', 'import', 0)
    expect(await itemsOf(job)).toEqual([])
  })

  it('fails where what it reads is gone, rather than to end as if all were done', async () => {
    const codes = Array.from({ length: 3 }, () => freshCode())
    const csv = `url,code\n${codes.map((code) => `https://example.com/,${code}`).join('\n')}`
    const job = await reached((await queueImport(ctx, by, csv)).number, 'done')
    const undo = await queueUndo(ctx, by, job)
    await pause(ctx, await findJob(ctx, null, undo.number))
    await connection.query('DELETE FROM JobItem WHERE jobId = ? AND position >= 1', [job.id])
    await resume(ctx, await findJob(ctx, null, undo.number))
    const failed = await reached(undo.number, 'failed')
    expect(toJobView(failed)).toMatchObject({
      counts: { deleted: 1 },
      error: expect.stringContaining('were deleted to make room'),
    })
  })
})
