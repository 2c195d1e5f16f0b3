import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import { nextId } from '@/lib/db/id'
import { findJob, listJobItems, toJobView } from '@/lib/jobs/store'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { deleteLink } from './delete'
import { queueImport } from './import-queue'
import { insertStatement } from './insert'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))
beforeAll(() => keepAccount(ctx.db, 'alice'))

const alice = owner('alice')
const account = alice.account as Account
const findLink = (code: string) => ctx.db.client.link.findUnique({ where: { fullShortUrl: `terse.test/${code}` } })

async function over(number: string) {
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe('done'), { timeout: 20_000, interval: 20 })
  const job = await findJob(ctx, account.id, number)
  const { items } = await listJobItems(ctx, job, { limit: 1_000 })
  return {
    job: { ...job, title: toJobView(job).title },
    items: items.map(({ target, outcome, message }) => [target, outcome, message].filter(Boolean)),
  }
}

const imported = async (csv: string) => over((await queueImport(ctx, { account, address: null }, csv)).number)

const LOOPING = [{ when: [{ of: 'language', in: ['de'] }], url: 'http://terse.test/abc' }]

describe('an import', () => {
  it('makes every link of the list for the account, with all that its row says', async () => {
    const [first, second] = [freshCode(), freshCode()]
    const { job, items } = await imported(
      `url;code;title;expiresAt;maxClicks;redirectStatus;listed;enabled;Visitors
       https://example.com/${first};${first};Grüße 👋;2999-01-31;5;301;yes;no;12
       https://example.com/${second};${second};;;;;;;3`,
    )
    expect(job).toMatchObject({ title: 'Import 2 links, without the columns “Visitors”', total: 2, done: 2, failed: 0 })
    expect(items).toEqual([
      [`terse.test/${first}`, 'done'],
      [`terse.test/${second}`, 'done'],
    ])
    expect(await findLink(first)).toMatchObject({
      url: `https://example.com/${first}`,
      title: 'Grüße 👋',
      ownerId: 'alice',
      expiresAt: new Date('2999-01-31T00:00:00Z'),
      maxClicks: 5,
      redirectStatus: 301,
      listed: true,
      state: 'disabled',
      manageTokenHash: null,
    })
    expect(await findLink(second)).toMatchObject({
      title: '',
      redirectStatus: 302,
      listed: false,
      state: 'active',
      expiresAt: null,
    })
    const { entry } = await ctx.lookup.find(`terse.test/${second}`)
    expect(entry.record).toMatchObject({ kind: 'link', url: `https://example.com/${second}` })
  })

  it('says of each row that cannot be made why, and stops at none', async () => {
    const [taken, gone, good] = [freshCode(), freshCode(), freshCode()]
    await createLink(ctx, alice, { url: 'https://example.com/other', code: taken })
    await createLink(ctx, alice, { url: 'https://example.com/', code: gone })
    await deleteLink(ctx, alice, { code: gone, domain: undefined })
    const { job, items } = await imported(
      [
        'url,code,domain,expiresAt,maxClicks,routing',
        `https://example.com/,${taken}`,
        `https://example.com/,${gone}`,
        'javascript:alert(1)',
        ',no-address',
        'https://example.com/,admin',
        'https://example.com/,far,other.example',
        'https://example.com/,late,,2001-01-01',
        'https://example.com/,many,,,some',
        'http://terse.test/abc,loop',
        `https://example.com/,ruled,,,,"${JSON.stringify({ rules: LOOPING }).replaceAll('"', '""')}"`,
        `https://example.com/,${good}`,
      ].join('\n'),
    )
    expect(job).toMatchObject({ done: 11, failed: 9 })
    expect(items).toEqual([
      [taken, 'failed', `“${taken}” is taken. Choose another. “${taken}-2” is free.`],
      [gone, 'failed', expect.stringContaining('stays reserved')],
      ['javascript:alert(1)', 'failed', 'url: Use a URL that begins with http:// or https://.'],
      ['no-address', 'failed', 'url: Paste or type a URL to shorten.'],
      ['admin', 'failed', 'This word is reserved on this domain. Choose another. “admin-2” is free.'],
      ['far', 'failed', expect.stringContaining('This site has no such domain.')],
      // It goes on to say that it has expired, as it did where it came from.
      ['terse.test/late', 'done'],
      ['many', 'failed', 'maxClicks: Use a number.'],
      ['loop', 'failed', expect.stringMatching(/^url: This is already a short link/)],
      ['ruled', 'failed', expect.stringMatching(/^routing\.rules\.0\.url: This is already a short link/)],
      [`terse.test/${good}`, 'done'],
    ])
  })

  it('that is begun once more, as after a crash, makes no link twice', async () => {
    const paths = Array.from({ length: 30 }, () => freshCode())
    const { number } = await queueImport(
      ctx,
      { account, address: null },
      paths.map((path) => `https://example.com/twice/${path}`).join('\n'),
    )
    const before = await over(number)
    await ctx.db.client.job.update({ where: { id: before.job.id }, data: { state: 'queued', done: 0, counts: '' } })
    expect((await over(number)).items).toEqual(before.items)
    const made = { url: { startsWith: 'https://example.com/twice/' } }
    expect(await ctx.db.client.link.count({ where: made })).toBe(paths.length)
  })

  it('of the same list once more is another import: generated codes give new links', async () => {
    const csv = `https://example.com/again/${freshCode()}`
    const [first, second] = [await imported(csv), await imported(csv)]
    expect(first.items[0]?.[0]).not.toBe(second.items[0]?.[0])
  })

  it('gives a code that two rows want to the first, and rows of one address a code each', async () => {
    const [code, path] = [freshCode(), freshCode()]
    const same = `https://example.com/${path}`
    const { job, items } = await imported(`url,code\n${same},\n${same},${code}\n${same},${code}\n${same},`)
    expect(job).toMatchObject({ done: 4, failed: 1 })
    expect(items.slice(1, 3)).toEqual([
      [`terse.test/${code}`, 'done'],
      [code, 'failed', 'Line 3 has the same short link.'],
    ])
    expect(await ctx.db.client.link.count({ where: { url: same } })).toBe(3)
  })

  it('leaves the last word to MySQL: a code that the filter does not know is refused its row, or another is generated', async () => {
    const [code, path, other] = [freshCode(), freshCode(), freshCode()]
    const same = `https://example.com/${path}`
    const [first = ''] = ctx.codes.candidates(same, 'alice')
    const { sql, values } = insertStatement([code, first].map((taken) => linkRow({ code: taken })))
    await connection.query(sql, values)
    const { items } = await imported(`url,code\n${same},\nhttps://example.com/,${code}\nhttps://example.com/,${other}`)
    expect(items).toEqual([
      [expect.not.stringMatching(first), 'done'],
      [code, 'failed', `“${code}” is taken. Choose another. “${code}-2” is free.`],
      [`terse.test/${other}`, 'done'],
    ])
    expect(await ctx.registry.lookup(`terse.test/${code}`)).toMatchObject({ mayExist: true })
  })

  it('finds links there that come over one by one while they are imported', async () => {
    const codes = Array.from({ length: 600 }, () => freshCode())
    const urlOf = (code: string) => `https://example.com/over/${code}`
    const coming = (async () => {
      for (const code of codes.toReversed()) await createLink(ctx, alice, { url: urlOf(code), code }).catch(() => {})
    })()
    const { job } = await imported(`url,code\n${codes.map((code) => `${urlOf(code)},${code}`).join('\n')}`)
    await coming
    expect(job).toMatchObject({ failed: 0 })
    expect(await ctx.db.client.link.count({ where: { code: { in: codes } } })).toBe(codes.length)
  })

  it('takes rows that are long, and grow where they are written for MySQL, some at a time', async () => {
    const quotes = `https://example.com/${"'".repeat(8_100)}`
    const { job, items } = await imported(`url,expiredUrl\n${`${quotes},${quotes}\n`.repeat(200)}https://example.com/last,\n`)
    expect(job).toMatchObject({ done: 201, failed: 0 })
    const made = items.map(([target = '']) => target)
    expect(new Set(made).size).toBe(201)
    const where = { fullShortUrl: { in: made }, url: quotes, expiredUrl: quotes }
    expect(await ctx.db.client.link.count({ where })).toBe(200)
  })

  it('keeps of rows that fail no more than is shown, and makes the good ones beside them', async () => {
    const good = freshCode()
    const bad = ['\u0001', 'a', '中', "'"].map((filler) => `x,${filler.repeat(9_990)}`)
    const columns = 'url,code,domain,startsAt,maxClicks,redirectStatus,listed'
    const wide = ['domain', 'startsAt', 'maxClicks', 'redirectStatus', 'listed'].map(
      (_, index) => `https://example.com/,w${index}${','.repeat(index + 1)}${'b'.repeat(9_990)}`,
    )
    const { job, items } = await imported([columns, `https://example.com/,${good}`, ...bad, ...wide].join('\n'))
    expect(job).toMatchObject({ done: 10, failed: 9 })
    expect(items[0]).toEqual([`terse.test/${good}`, 'done'])
    for (const { message } of await ctx.db.client.jobItem.findMany({ where: { jobId: job.id } })) {
      expect(message.length).toBeLessThan(200)
    }
  })

  it('keeps of older lists no more rows than the longest list has', async () => {
    const createdAt = new Date()
    const times = { createdAt, startedAt: createdAt, finishedAt: createdAt }
    const old = { id: nextId(), number: '2000010100001', kind: 'import', userId: 'alice', state: 'done', done: 1_000_001 }
    await ctx.db.client.job.create({ data: { ...old, ...times, input: '{}', result: '' } })
    await ctx.db.client.jobItem.create({ data: { jobId: old.id, position: 0, target: 'x', outcome: 'failed' } })
    const { job, items } = await imported(`url\n${'no address\n'.repeat(400)}`)
    expect(job).toMatchObject({ done: 400, failed: 400 })
    expect(new Set(items.map(([, , message]) => message)).size).toBe(1)
    expect(await ctx.db.client.jobItem.count({ where: { jobId: old.id } })).toBe(0)
  })

  it('fails a row that MySQL refuses by itself, begun once more too, and makes all others', async () => {
    await connection.query('ALTER TABLE Link MODIFY title VARCHAR(20) NOT NULL')
    const paths = Array.from({ length: 40 }, () => freshCode())
    const title = (index: number) => ([0, 17, 18, 39].includes(index) ? 'longer than 20 characters' : 'short')
    const rows = paths.map((path, index) => `https://example.com/refused/${path},${path},${title(index)}`)
    const { number } = await queueImport(ctx, { account, address: null }, `url,code,title\n${rows.join('\n')}`)
    const { job, items } = await over(number)
    expect(job).toMatchObject({ done: 40, failed: 4 })
    for (const [index, path] of paths.entries()) {
      const failed = [path, 'failed', expect.stringContaining('went wrong on our side')]
      expect(items[index]).toEqual(title(index) === 'short' ? [`terse.test/${path}`, 'done'] : failed)
    }
    await ctx.db.client.job.update({ where: { id: job.id }, data: { state: 'queued', done: 0, failed: 0, counts: '' } })
    await connection.query('ALTER TABLE Link MODIFY title VARCHAR(255) NOT NULL')
    expect((await over(number)).items).toEqual(items)
  })

  it('makes the rows that have codes of their own where none can be generated', async () => {
    const code = freshCode()
    const candidates = vi.spyOn(ctx.codes, 'candidates').mockImplementation(function* () {})
    const { items } = await imported(`url,code\nhttps://example.com/none,\nhttps://example.com/own,${code}`)
    candidates.mockRestore()
    expect(items).toEqual([
      ['https://example.com/none', 'failed', expect.any(String)],
      [`terse.test/${code}`, 'done'],
    ])
  })
})
