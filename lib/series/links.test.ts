import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storedCase } from '@/lib/domains/code-case'
import { addDomain, verifyDomain } from '@/lib/domains/edit'
import { proofOf } from '@/lib/domains/proof'
import { findJob, listJobItems, toJobView } from '@/lib/jobs/store'
import { filingOf } from '@/lib/labels/filing'
import { findManaged } from '@/lib/links/find'
import { idempotencyOf } from '@/lib/links/idempotency'
import { Limits } from '@/lib/net/limits'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { validate } from '@/lib/tools/validate'
import { previewSeries } from './draw'
import { drawnLinks } from './drawn-links'
import { createSeriesLinks } from './links'
import { CreateSeries, SeriesLinks } from './schemas'
import { createSeries } from './store'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const account = { id: 'alice' }
const by = { account, address: null }
beforeAll(() => settled(ctx))
beforeAll(() => keepAccount(ctx.db, 'alice'))

const links = async (name: string, body: object) => (await createSeriesLinks(ctx, by, name, validate(SeriesLinks, body))).job
const linksOnce = (name: string, body: object, key: string) => {
  const named = idempotencyOf(ctx.config.APP_SECRET, key, account.id, { name, body })
  return createSeriesLinks(ctx, by, name, validate(SeriesLinks, body), named)
}
const series = (definition: object) => createSeries(ctx, account, validate(CreateSeries, definition))

async function over(number: string) {
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe('done'), { timeout: 20_000, interval: 20 })
  return findJob(ctx, account.id, number)
}

describe('links from a series', () => {
  it('have its next numbers as their codes, in destination and title too', async () => {
    await series({ name: 'seats', kind: 'cycle', max: 500, format: { prefix: 'S-', digits: 3, check: 'luhn' } })
    const queued = await links('seats', { count: 3, url: 'https://example.com/{number}?again={number}', title: 'Seat {number}' })
    expect(queued.title).toBe('Create 3 links from the series seats')
    const job = await over(queued.number)
    expect(toJobView(job)).toMatchObject({ done: 3, failed: 0, total: 3 })
    const { items } = await listJobItems(ctx, job, { limit: 10 })
    expect(items.map(({ target }) => target)).toEqual(['terse.test/S-0018', 'terse.test/S-0026', 'terse.test/S-0034'])
    const link = await ctx.db.client.link.findUnique({ where: { fullShortUrl: 'terse.test/S-0026' } })
    expect(link).toMatchObject({ url: 'https://example.com/S-0026?again=S-0026', title: 'Seat S-0026', ownerId: 'alice' })
    expect((await previewSeries(ctx, account, 'seats')).numbers[0]).toBe('S-0042')
  })

  it('are found by any spelling on a domain on which capitals make no difference, and on their sheet of QR codes', async () => {
    const host = 'folded.example'
    const { id } = await addDomain(ctx, { host })
    await verifyDomain(ctx, id, { txt: async () => [proofOf(ctx.config.APP_SECRET, host)], file: async () => '' })
    await ctx.db.client.domain.update({ where: { id }, data: { codeCase: storedCase('ignored') } })
    await ctx.domains.refresh()
    await series({ name: 'tickets', kind: 'cycle', max: 500, format: { prefix: 'EV-', digits: 3 } })
    const job = await over((await links('tickets', { count: 2, url: 'https://example.com/{number}', domain: host })).number)
    expect(toJobView(job)).toMatchObject({ done: 2, failed: 0 })
    const link = await findManaged(ctx, owner('alice'), { code: 'Ev-001', domain: host }, 'read')
    // The destination has the number as the series writes it.
    expect(link).toMatchObject({ code: 'ev-001', url: 'https://example.com/EV-001' })
    const drawn = await drawnLinks(ctx, account, { name: 'tickets', count: 2, domain: host })
    expect(drawn.map(({ fullShortUrl }) => fullShortUrl)).toEqual([`${host}/ev-001`, `${host}/ev-002`])
    // The same series goes on on a domain with capitals.
    const other = await over((await links('tickets', { count: 1, url: 'https://example.com/{number}' })).number)
    expect((await listJobItems(ctx, other, { limit: 1 })).items[0]?.target).toBe('terse.test/EV-003')
  })

  it('come in thousands, each number once', async () => {
    await series({ name: 'many', kind: 'cycle', max: 5_000, format: { prefix: 'M', digits: 4 } })
    const job = await over((await links('many', { count: 2_500, url: 'https://example.com/{number}' })).number)
    expect(toJobView(job)).toMatchObject({ done: 2_500, failed: 0 })
    expect(await ctx.db.client.link.count({ where: { code: { startsWith: 'M' } } })).toBe(2_500)
  })

  it('are created once for requests of one key, one after another and at once, and the answer is the same job', async () => {
    await series({ name: 'printed', kind: 'cycle', max: 500, format: { prefix: 'P', digits: 3 } })
    const body = { count: 2, url: 'https://example.com/{number}' }
    const all = await Promise.all(Array.from({ length: 6 }, () => linksOnce('printed', body, 'first')))
    expect(new Set(all.map(({ job }) => job.number)).size).toBe(1)
    expect(all.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    const job = await over(all[0]?.job.number ?? '')
    expect(await linksOnce('printed', body, 'first')).toMatchObject({
      isReplayed: true,
      job: { number: job.number, state: 'done' },
    })
    expect(await ctx.db.client.link.count({ where: { code: { startsWith: 'P0' } } })).toBe(2)
    await expect(linksOnce('printed', { ...body, count: 3 }, 'first')).rejects.toMatchObject({ code: 'validation_failed' })
    const other = await linksOnce('printed', body, 'second')
    expect(other).toMatchObject({ isReplayed: false })
    expect(other.job.number).not.toBe(job.number)
    await over(other.job.number)
  })

  it.each([
    ['numbers that are no code', { kind: 'cycle', max: 9, format: { digits: 4 } }, { count: 1 }, 'api.series.noCode'],
    ['a destination that is none', { kind: 'cycle', max: 9, format: { prefix: 'x' } }, { url: 'ftp://{number}' }, null],
    [
      'a destination that leads back',
      { kind: 'cycle', max: 9, format: { prefix: 'x' } },
      { url: 'http://terse.test/{number}' },
      null,
    ],
    ['more links than numbers', { kind: 'cycle', max: 9, format: { prefix: 'x' } }, { count: 10 }, 'api.series.usedUp'],
    ['a domain that is not there', { kind: 'cycle', max: 9, format: { prefix: 'x' } }, { domain: 'nowhere.test' }, null],
    ['an end that is over', { kind: 'cycle', max: 9, format: { prefix: 'x' } }, { expiresAt: '2020-01-01T00:00:00Z' }, null],
  ])('are refused for %s, and nothing is drawn or queued', async (what, definition, body, key) => {
    const name = what.replaceAll(' ', '-')
    await series({ name, ...definition })
    const jobs = await ctx.db.client.job.count()
    const wrong = links(name, { count: 1, url: 'https://example.com/{number}', ...body })
    await expect(wrong).rejects.toMatchObject({ name: 'TerseError', ...(key && { said: { key } }) })
    expect(await ctx.db.client.job.count()).toBe(jobs)
    const { id } = await ctx.db.client.series.findUniqueOrThrow({ where: { ownerId_name: { ownerId: 'alice', name } } })
    expect(await ctx.db.client.seriesNumber.count({ where: { seriesId: id } })).toBe(0)
  })

  it('are refused where there is no room for so many, and neither numbers nor what may be drawn this hour are gone', async () => {
    await series({ name: 'long', kind: 'cycle', max: 99_999, format: { prefix: 'L' } })
    const limited = { ...ctx, limits: new Limits(ctx.redis, true, 60) }
    const ask = (count: number) =>
      createSeriesLinks(
        limited,
        by,
        'long',
        validate(SeriesLinks, { count, url: `https://example.com/{number}/${'x'.repeat(7_900)}` }),
      )
    await expect(ask(5_000)).rejects.toMatchObject({ said: { key: 'api.import.room' } })
    expect((await previewSeries(ctx, account, 'long')).numbers[0]).toBe('L00001')
    expect(await limited.limits.counted('numbers', account.id)).toBe(0)
    await over((await ask(100)).job.number)
    expect((await previewSeries(ctx, account, 'long')).numbers[0]).toBe('L00101')
  })

  it('are all given the other fields, as a link that is created by itself', async () => {
    await series({ name: 'given', kind: 'cycle', max: 99, format: { prefix: 'G', digits: 2 } })
    const expiresAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000)
    const job = await over(
      (
        await links('given', {
          count: 2,
          url: 'https://example.com/{number}',
          tags: ['Spring', 'Fair'],
          folder: 'Tickets',
          comment: 'For {number}',
          expiresAt: expiresAt.toISOString(),
          maxClicks: 3,
          redirectStatus: 307,
          listed: true,
          enabled: false,
        })
      ).number,
    )
    expect(toJobView(job)).toMatchObject({ done: 2, failed: 0 })
    const rows = await ctx.db.client.link.findMany({ where: { code: { in: ['G01', 'G02'] } } })
    expect(rows).toHaveLength(2)
    const filed = await filingOf(
      ctx,
      'alice',
      rows.map(({ id }) => id),
    )
    for (const row of rows) {
      expect(row).toMatchObject({ expiresAt, maxClicks: 3, redirectStatus: 307, listed: true, state: 'disabled' })
      expect(filed.get(row.id)).toMatchObject({ folder: 'Tickets', comment: 'For {number}' })
      expect(filed.get(row.id)?.tags.toSorted()).toEqual(['Fair', 'Spring'])
    }
  })

  it('need the place of the number', () => {
    expect(() => validate(SeriesLinks, { count: 1, url: 'https://example.com/' })).toThrow(/\{number\}/)
  })
})
