import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import type { Job } from '@/lib/db/generated/client'
import { inEnglish } from '@/lib/i18n/translate'
import { findJob, listJobItems, toJobView } from '@/lib/jobs/store'
import { sweepJobs } from '@/lib/jobs/sweep'
import { namedOwners, startImport } from '@/lib/links/import-queue'
import { resultsOf } from '@/lib/links/import-results'
import { queueUndo } from '@/lib/links/undo-job'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { answer } from '@/lib/redirect/answer'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { OldService } from '@/lib/testing/old-service'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { withResolvers } from '@/lib/tools/with-resolvers'
import { queueFile, queueLive } from './queue'
import { queueVerify } from './verify-job'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, FETCH_ALLOW: '127.0.0.1' })
beforeAll(() => settled(ctx))
beforeAll(() => keepAccount(ctx.db, 'alice'))

const by = { account: owner('alice').account as Account, address: null }

async function reached(number: string, state = 'done', whose = 'alice'): Promise<Job> {
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe(state), { timeout: 30_000, interval: 20 })
  return findJob(ctx, whose, number)
}

async function itemsOf(job: Job) {
  const { items } = await listJobItems(ctx, job, { limit: 1_000 })
  return items.map(({ target, result, message }) => [target, result, ...(message ? [message] : [])])
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

const linkOf = (code: string) => ctx.db.client.link.findUnique({ where: { fullShortUrl: `terse.test/${code}` } })

describe('a file of another system', () => {
  it('is imported, keeps codes, titles and statuses, and again creates nothing', async () => {
    const codes = Array.from({ length: 700 }, () => freshCode())
    const rows = codes.map((code) => `('${code}','https://example.com/?x=${code}','It\\'s ${code}','2026-01-02 03:04:05','',3)`)
    const dump = `-- MySQL dump\nINSERT INTO \`yourls_url\` VALUES ${rows.join(',')};\n`
    const file = () => ({ from: 'yourls', bytes: bytesOf(dump) }) as const
    const checked = await reached((await queueFile(ctx, by, { ...file(), dryRun: true })).number, 'checked')
    expect(toJobView(checked).counts).toEqual({ created: 700 })
    await startImport(ctx, checked)
    const job = await reached(checked.number)
    expect(toJobView(job)).toMatchObject({ counts: { created: 700 }, failed: 0, total: 700 })
    const [code = ''] = codes
    expect(await linkOf(code)).toMatchObject({
      url: `https://example.com/?x=${code}`,
      redirectStatus: 301,
      title: `It's ${code}`,
    })
    const again = await reached((await queueFile(ctx, by, file())).number)
    expect(toJobView(again).counts).toEqual({ exists: 700 })
    await reached((await queueUndo(ctx, by, job)).number)
    expect(await linkOf(code)).toBeNull()
  })

  it('without codes creates each link once, however often it is imported', async () => {
    const path = freshCode()
    const pages = [`/${path}/1`, `/${path}/2`, `/${path}/1`]
    const xml = `<urlset>${pages.map((page) => `<url><loc>https://example.com${page}</loc></url>`).join('')}</urlset>`
    const file = () => ({ from: 'sitemap', bytes: bytesOf(xml) }) as const
    expect(toJobView(await reached((await queueFile(ctx, by, file())).number)).counts).toEqual({ created: 2, duplicate: 1 })
    expect(toJobView(await reached((await queueFile(ctx, by, file())).number)).counts).toEqual({ exists: 3 })
  })

  it('is put on a domain that was named, or on the default one where its own is not ours', async () => {
    const [kept, moved] = [freshCode(), freshCode()]
    const host = `${freshCode().toLowerCase()}.example`
    await connection.query('INSERT INTO Domain (host, createdAt, verifiedAt) VALUES (?, NOW(3), NOW(3))', [host])
    await vi.waitFor(() => expect(ctx.domains.find(host)).toBeDefined(), { timeout: 15_000 })
    const csv = `Short link,Destination URL\nhttps://${host}/${kept},https://example.com/\nhttps://dub.sh/${moved},https://example.com/\n`
    const job = await reached((await queueFile(ctx, by, { from: 'dub', bytes: bytesOf(csv) })).number)
    expect(await itemsOf(job)).toEqual([
      [`${host}/${kept}`, 'created'],
      [`terse.test/${moved}`, 'created'],
    ])
    const all = await reached((await queueFile(ctx, by, { from: 'dub', bytes: bytesOf(csv), domain: host })).number)
    expect(await itemsOf(all)).toEqual([
      [`${host}/${kept}`, 'exists', 'You have this link already.'],
      [`${host}/${moved}`, 'created'],
    ])
    await expect(queueFile(ctx, by, { from: 'dub', bytes: bytesOf(csv), domain: 'no.example' })).rejects.toThrow('isn’t a domain')
  })
})

describe('owners of another system', () => {
  beforeAll(async () => {
    await keepAccount(ctx.db, 'root', 'admin')
    await keepAccount(ctx.db, 'mia')
  })
  const root = { account: { ...by.account, id: 'root', role: 'admin' } as Account, address: null }
  const ownersOf = (codes: readonly string[]) => Promise.all(codes.map(async (code) => (await linkOf(code))?.ownerId))

  it('are named by their emails, and given their links, in a dump that has accounts after links', async () => {
    const codes = [freshCode(), freshCode(), freshCode()]
    const links = codes.map((code, i) => `${i}\t${code}\thttps://example.com/${code}\t${['1', '2', '\\N'][i]}`)
    const users = ['1\tmia@example.com', '2\tgone@example.com', '3\tnever@example.com']
    const copied = (name: string, columns: string, rows: string[]) =>
      `COPY public.${name} (${columns}) FROM stdin;\n${rows.join('\n')}\n\\.\n`
    const dump = `-- PostgreSQL database dump\n${copied('links', 'id, address, target, user_id', links)}${copied('users', 'id, email', users)}`
    const file = () => ({ from: 'kutt', bytes: bytesOf(dump) }) as const
    const checked = await reached((await queueFile(ctx, root, { ...file(), dryRun: true })).number, 'checked', 'root')
    expect(namedOwners(checked)).toEqual([
      { name: 'mia@example.com', links: 1 },
      { name: 'gone@example.com', links: 1 },
    ])
    await startImport(ctx, checked, { 'mia@example.com': 'mia' })
    await reached(checked.number, 'done', 'root')
    expect(await ownersOf(codes)).toEqual(['mia', 'root', 'root'])
    const again = await reached(
      (await queueFile(ctx, root, { ...file(), owners: { 'mia@example.com': 'mia' } })).number,
      'done',
      'root',
    )
    expect(toJobView(again).counts).toEqual({ exists: 3 })
    const undone = await reached((await queueUndo(ctx, root, await findJob(ctx, 'root', checked.number))).number, 'done', 'root')
    expect(toJobView(undone).counts).toEqual({ deleted: 3 })
  })

  it('are named by what an API says, once all of it was asked', async () => {
    const codes = [freshCode(), freshCode()]
    const old = await OldService.open()
    old.answer = ({ path, query }) => {
      const skip = Number(query.get('skip'))
      const data = codes.map((code, i) => ({
        ...{ address: code, target: `https://example.com/${code}`, domain: null, banned: false },
        email: ['mia@example.com', 'other@example.com'][i],
      }))
      return path === '/api/v2/links/admin' ? { json: { data: skip === 0 ? data : [], total: 2 } } : { status: 404 }
    }
    const asked = { from: 'kutt', address: old.address, key: 'a key', dryRun: true } as const
    const checked = await reached((await queueLive(ctx, root, asked)).number, 'checked', 'root')
    expect(namedOwners(checked)).toEqual([
      { name: 'mia@example.com', links: 1 },
      { name: 'other@example.com', links: 1 },
    ])
    await startImport(ctx, checked, { 'other@example.com': 'mia' })
    await reached(checked.number, 'done', 'root')
    expect(await ownersOf(codes)).toEqual(['root', 'mia'])
  })
})

/** YOURLS, with so many links, and some that it counts and does not list. */
async function yourlsWith(codes: readonly string[], unlisted = 0): Promise<OldService> {
  const old = await OldService.open()
  old.answer = ({ path, form }) => {
    if (path !== '/yourls-api.php') {
      const code = path.slice(1)
      return codes.includes(code)
        ? { status: 301, headers: { Location: `https://example.com/${code}` } }
        : { status: 302, headers: { Location: '/' } }
    }
    if (form.get('signature') !== 'abc123') return { status: 403, json: { message: 'Please log in', errorCode: '403' } }
    const [start, limit] = [Number(form.get('start')), Number(form.get('limit'))]
    const some = codes.slice(start, start + limit)
    const links = some.map((code, index) => [
      `link_${index + 1}`,
      ...[
        {
          shorturl: `${old.address}/${code}`,
          url: `https://example.com/${code}`,
          title: code,
          timestamp: '2026-01-02 03:04:05',
          clicks: '3',
        },
      ],
    ])
    return {
      json: {
        ...(links.length > 0 && { links: Object.fromEntries(links) }),
        stats: { total_links: String(codes.length + unlisted), total_clicks: '0' },
        ...{ statusCode: '200', message: 'success' },
      },
    }
  }
  return old
}

describe('another system that is asked by its API', () => {
  it('is read page by page, checked, imported, and asked for nothing more; its key is gone', async () => {
    const codes = Array.from({ length: 2_300 }, () => freshCode())
    const old = await yourlsWith(codes)
    const queued = await queueLive(ctx, by, {
      from: 'yourls',
      address: `${old.address}/yourls-api.php`,
      key: 'abc123',
      dryRun: true,
    })
    const checked = await reached(queued.number, 'checked')
    expect(toJobView(checked)).toMatchObject({ counts: { created: 2_300 }, total: 2_300, dryRun: true })
    expect(old.asked.map(({ form }) => form.get('start'))).toEqual(['0', '1000', '2000'])
    const [source] = await connection.query('SELECT secret, place, found FROM JobSource WHERE jobId = ?', [checked.id])
    expect(source).toMatchObject({ secret: null, place: '', found: 2_300 })
    await startImport(ctx, checked)
    const done = await reached(queued.number)
    expect(toJobView(done)).toMatchObject({ counts: { created: 2_300 }, failed: 0 })
    expect(old.asked).toHaveLength(3)
    expect(old.asked.every(({ query }) => query.size === 0)).toBe(true)
    await sweepJobs(ctx.db, Date.now())
    expect(await connection.query('SELECT 1 FROM JobSource')).toHaveLength(0)
    expect(
      JSON.stringify(await connection.query('SELECT * FROM Job WHERE id = ?', [done.id]), (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
    ).not.toContain('abc123')
  })

  it('tells how many links are counted there and listed in no order', async () => {
    const codes = [freshCode(), freshCode()]
    const old = await yourlsWith(codes, 12)
    const queued = await queueLive(ctx, by, { from: 'yourls', address: old.address, key: 'abc123', dryRun: true })
    const checked = await reached(queued.number, 'checked')
    expect(old.asked.map(({ form }) => form.get('filter'))).toEqual(['last', 'bottom', 'top'])
    const missing = expect.stringMatching(/^127.0.0.1:\d+ counts 12 links that it doesn’t list/)
    const [, , last] = await itemsOf(checked)
    expect(last?.slice(1)).toEqual(['refused', missing])
    await startImport(ctx, checked)
    const done = await reached(queued.number)
    expect(toJobView(done)).toMatchObject({ counts: { created: 2, refused: 1 }, total: 3, failed: 1 })
    await sweepJobs(ctx.db, Date.now())
  })

  it('says why it cannot be read, and keeps no key', async () => {
    const old = await yourlsWith([])
    const failed = async (given: Partial<Parameters<typeof queueLive>[2]>) => {
      const queued = await queueLive(ctx, by, { from: 'yourls', address: old.address, key: 'abc123', ...given })
      return toJobView(await reached(queued.number, 'failed')).error
    }
    expect(await failed({ key: 'wrong' })).toMatch(/^127\.0\.0\.1:\d+ refuses the key/)
    expect(await failed({ from: 'kutt' })).toContain('redirects to /')
    expect(await failed({ address: 'http://10.0.0.1/' })).toContain('10.0.0.1 isn’t on the public internet')
    expect(await failed({})).toContain('There are no rows')
    const odd = await OldService.open()
    const answersOddly = async (from: 'kutt' | 'bitly', answer: OldService['answer']) => {
      odd.answer = answer
      expect(await failed({ from, address: odd.address })).toContain('isn’t from such a service')
    }
    await answersOddly('kutt', () => ({ json: { data: [null] } }))
    const next = `/v4/groups/a/bitlinks?${'x'.repeat(3_000)}`
    await answersOddly('bitly', ({ path }) => ({
      json: path === '/v4/groups' ? { groups: [{ guid: 'a' }] } : { links: [], pagination: { next } },
    }))
    expect(await connection.query('SELECT 1 FROM JobSource')).toHaveLength(0)
    await expect(queueLive(ctx, by, { from: 'yourls', address: 'ftp://x', key: '' })).rejects.toThrow('Enter the address')
  })
})

/** How visitors of a link are answered, one after another. */
async function visits(code: string, count: number): Promise<number[]> {
  const visitor = { method: 'GET', path: `/${code}`, query: '', host: 'terse.test', accept: '*/*', language: '' }
  const statuses: number[] = []
  for (let visit = 0; visit < count; visit++) {
    const asked = { ...visitor, rawHeaders: [], client: () => UNKNOWN_CLIENT, body: async () => '' }
    statuses.push((await answer(ctx.answering, asked)).status)
  }
  return statuses
}

describe('a limit of visits', () => {
  it('of Shlink leaves a link the visits that it had left there, and keeps one closed that had them all', async () => {
    const [some, used] = [freshCode(), freshCode()]
    const link = (shortCode: string, total: number, maxVisits: number) => ({
      ...{ shortCode, longUrl: 'https://example.com/', tags: [], title: null, domain: null, forwardQuery: false },
      ...{ dateCreated: '2026-01-02T03:04:05+01:00', visitsSummary: { total, nonBots: total, bots: 0 } },
      meta: { validSince: null, validUntil: null, maxVisits },
    })
    const old = await OldService.open()
    old.answer = () => ({
      json: {
        shortUrls: {
          data: [link(some, 7, 10), link(used, 6, 5)],
          pagination: { currentPage: 1, pagesCount: 1, totalItems: 2 },
        },
      },
    })
    const job = await reached((await queueLive(ctx, by, { from: 'shlink', address: old.address, key: 'a key' })).number)
    expect(toJobView(job).counts).toEqual({ created: 2 })
    expect(await visits(some, 5)).toEqual([302, 302, 302, 410, 410])
    expect(await visits(used, 2)).toEqual([410, 410])
    expect(await linkOf(some)).toMatchObject({ maxClicks: 10, clicksBefore: 7n })
  })
})

describe('a server that is slow to answer', () => {
  /** What it answers waits until `open`. */
  async function slow(answer: OldService['answer']) {
    const old = await OldService.open()
    const gate = withResolvers<void>()
    old.answer = async (request) => {
      await gate.promise
      return answer(request)
    }
    return { old, open: () => gate.resolve() }
  }

  const importOne = async () => {
    const csv = `keyword,url\n${freshCode()},https://example.com/`
    return reached((await queueFile(ctx, by, { from: 'yourls', bytes: bytesOf(csv) })).number)
  }

  it('holds up no other job, and is asked once for each page', async () => {
    const codes = [freshCode(), freshCode()]
    const { old, open } = await slow((await yourlsWith(codes)).answer)
    const queued = await queueLive(ctx, by, { from: 'yourls', address: old.address, key: 'abc123' })
    ctx.jobs.look()
    await vi.waitFor(() => expect(old.asked).toHaveLength(1))
    await importOne()
    await importOne()
    expect((await findJob(ctx, 'alice', queued.number)).state).toBe('running')
    open()
    expect(toJobView(await reached(queued.number)).counts).toEqual({ created: 2 })
    expect(old.asked).toHaveLength(1)
  })

  it('holds up no other job where it is compared with', async () => {
    const { old, open } = await slow(() => ({ status: 301, headers: { Location: 'https://example.com/' } }))
    const verify = await queueVerify(ctx, by, await importOne(), old.address)
    ctx.jobs.look()
    await vi.waitFor(() => expect(old.asked).toHaveLength(1))
    await importOne()
    expect((await findJob(ctx, 'alice', verify.number)).state).toBe('running')
    open()
    expect(toJobView(await reached(verify.number)).counts).toEqual({ same: 1 })
  })
})

describe('comparing an import with the old service', () => {
  it('finds every difference in status and destination, and nothing else, without a click', async () => {
    const [same = '', status = '', location = '', gone = '', away = ''] = Array.from({ length: 5 }, () => freshCode())
    const csv = [
      'keyword,url',
      ...[same, status, location, gone, away].map((code) => `${code},https://example.com/${code}`),
    ].join('\n')
    const job = await reached((await queueFile(ctx, by, { from: 'yourls', bytes: bytesOf(csv) })).number)
    const old = await OldService.open()
    old.answer = ({ path, method }) => {
      const code = path.split('/').at(-1) ?? ''
      const to = (status: number, Location = `https://example.com/${code}`) => ({ status, headers: { Location } })
      if (code === same) return to(301)
      if (code === status) return method === 'HEAD' ? { status: 405 } : to(302)
      if (code === location) return to(301, 'https://example.com/elsewhere')
      if (code === gone) return { status: 404 }
      return { status: 0 }
    }
    const verified = await reached((await queueVerify(ctx, by, job, `${old.address}/s/`)).number)
    const items = await itemsOf(verified)
    expect(items.slice(0, 4)).toEqual([
      [`terse.test/${same}`, 'same'],
      [`terse.test/${status}`, 'status', `Old: 302 https://example.com/${status}. New: 301 https://example.com/${status}.`],
      [`terse.test/${location}`, 'location', `Old: 301 https://example.com/elsewhere. New: 301 https://example.com/${location}.`],
      [`terse.test/${gone}`, 'location', `Old: 404. New: 301 https://example.com/${gone}.`],
    ])
    expect(toJobView(verified)).toMatchObject({ kind: 'verify', total: 5, done: 5, failed: 4 })
    expect((await linkOf(same))?.clicks).toBe(0n)
    let text = ''
    for await (const piece of resultsOf(ctx, verified, inEnglish)) text += piece
    expect(text.split('\r\n')[2]).toContain('"status"')
    await expect(queueVerify(ctx, by, verified, old.address)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is refused for an address that this site may not ask', async () => {
    for (const address of ['http://10.1.2.3', 'http://[fd00::1]/s']) {
      const queued = queueVerify(ctx, by, null, address)
      await expect(queued).rejects.toMatchObject({ code: 'validation_failed' })
      await expect(queued).rejects.toThrow('isn’t on the public internet')
    }
  })
})
