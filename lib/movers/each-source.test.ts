import { beforeAll, expect, it, vi } from 'vitest'
import type { Account } from '@/lib/actor'
import type { Job } from '@/lib/db/generated/client'
import { inEnglish } from '@/lib/i18n/translate'
import { findJob, listJobItems, toJobView } from '@/lib/jobs/store'
import { startImport } from '@/lib/links/import-queue'
import { resultsOf } from '@/lib/links/import-results'
import { queueUndo } from '@/lib/links/undo-job'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { visit } from '@/lib/testing/visit'
import { queueFile } from './queue'
import { MOVED_FROM, type MovedFrom } from './sources'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(async () => {
  await settled(ctx)
  await keepAccount(ctx.db, 'alice')
})
const by = { account: owner('alice').account as Account, address: null }

const to = (code: string) => `https://example.com/${code}`
const rest = "'u','2026-01-02 03:04:05','2026-01-02 03:04:05'"
const kuttRow = (code: string) => `(1,'${code}',NULL,0,NULL,NULL,NULL,NULL,'${to(code)}',1,12,${rest})`

/** A file as each system writes it, of one link. */
const FILES: readonly [from: MovedFrom, form: string, file: (code: string) => string][] = [
  [
    'yourls',
    'dump',
    (code) => `-- MySQL dump\nINSERT INTO \`yourls_url\` VALUES ('${code}','${to(code)}','','2026-01-02 03:04:05','',3);`,
  ],
  ['yourls', 'CSV', (code) => `keyword,url,title,timestamp,ip,clicks\n${code},${to(code)},A,2026-01-02 03:04:05,10.0.0.1,5\n`],
  ['kutt', 'dump of MySQL', (code) => `-- MySQL dump\nINSERT INTO \`links\` VALUES ${kuttRow(code)};`],
  [
    'kutt',
    'dump of PostgreSQL',
    (code) => `-- PostgreSQL database dump\nCOPY public.links (id, address, target) FROM stdin;\n1\t${code}\t${to(code)}\n\\.\n`,
  ],
  ['kutt', 'dump of SQLite', (code) => `PRAGMA foreign_keys=OFF;\nINSERT INTO links VALUES${kuttRow(code)};`],
  [
    'shlink',
    'CSV',
    (code) =>
      `createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits\n2026-01-02T03:04:05+01:00,s.test,${code},https://s.test/${code},${to(code)},A,one|two,5\n`,
  ],
  ['dub', 'CSV', (code) => `Short link,Destination URL,Clicks\nhttps://dub.sh/${code},${to(code)},5\n`],
  ['bitly', 'CSV', (code) => `Link,Custom Link,Destination URL,Title,Created\nbit.ly/${code},,${to(code)},One,2026-01-02\n`],
  [
    'sink',
    'JSON',
    (code) => JSON.stringify({ version: '1.0', links: [{ slug: code, url: to(code), createdAt: 1_767_322_800 }] }),
  ],
  ['other', 'CSV', (code) => `Long URL,Alias\n${to(code)},${code}\n`],
  ['other', 'JSON', (code) => JSON.stringify([{ destination: to(code), slug: code }])],
  ['sitemap', 'XML', (code) => `<urlset><url><loc>${to(code)}</loc></url></urlset>`],
  ['apache', 'configuration', (code) => `Redirect 302 /${code} ${to(code)}\n`],
  ['nginx', 'configuration', (code) => `location = /${code} { return 302 ${to(code)}; }\n`],
  ['netlify', '_redirects', (code) => `/${code} ${to(code)} 302\n`],
  ['cloudflare', '_redirects', (code) => `/${code} ${to(code)} 302\n`],
]

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

async function reached(number: string, state = 'done'): Promise<Job> {
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe(state), { timeout: 25_000, interval: 20 })
  return findJob(ctx, 'alice', number)
}

it('each system that links can come from is here', () => {
  expect(new Set(FILES.map(([from]) => from))).toEqual(new Set(MOVED_FROM))
})

it.each(FILES)('from %s, %s: checked without a change, imported, told, again nothing, undone', async (from, _form, file) => {
  const code = freshCode()
  const given = () => ({ from, bytes: bytesOf(file(code)) })
  const count = () => ctx.db.client.link.count({ where: { ownerId: 'alice', url: to(code) } })
  const checked = await reached((await queueFile(ctx, by, { ...given(), dryRun: true })).number, 'checked')
  expect(toJobView(checked)).toMatchObject({ counts: { created: 1 }, done: 1, total: 1, failed: 0 })
  expect(await count()).toBe(0)

  await startImport(ctx, checked)
  const job = await reached(checked.number)
  expect(toJobView(job)).toMatchObject({ counts: { created: 1 }, done: 1, total: 1, failed: 0 })
  const { items } = await listJobItems(ctx, job, { limit: 10 })
  const [host = '', made = ''] = items[0]?.target.split('/') ?? []
  if (from !== 'sitemap') expect(made).toBe(code)
  const { status, headers } = await visit(ctx.answering, host, `/${made}`)
  expect([[301, 302].includes(status), headers[headers.indexOf('Location') + 1]]).toEqual([true, to(code)])
  let results = ''
  for await (const text of resultsOf(ctx, job, inEnglish)) results += text
  expect(results).toContain(`${host}/${made}`)

  expect(toJobView(await reached((await queueFile(ctx, by, given())).number)).counts).toEqual({ exists: 1 })
  expect(await count()).toBe(1)
  expect(toJobView(await reached((await queueUndo(ctx, by, job)).number)).counts).toEqual({ deleted: 1 })
  expect((await visit(ctx.answering, host, `/${made}`)).status).toBe(410)
  expect(toJobView(await reached((await queueFile(ctx, by, given())).number))).toMatchObject({
    counts: { created: 1 },
    failed: 0,
  })
  expect(await count()).toBe(1)
})

it('a dry run of what capitals made no difference to says that they do here, and of a domain that tells none apart says nothing', async () => {
  const links = () =>
    JSON.stringify({ version: '1.0', links: [{ slug: freshCode(), url: to('case'), createdAt: 1_767_322_800 }] })
  const title = async (domain?: string) =>
    (await queueFile(ctx, by, { from: 'sink', bytes: bytesOf(links()), dryRun: true, domain })).title
  expect(await title()).toBe('Check 1 link. Capitals matter on terse.test, and not at Sink')
  await ctx.db.change(
    'INSERT INTO Domain (host, codeCase, createdAt, verifiedAt) VALUES (?, 2, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))',
    'loose.example',
  )
  await ctx.domains.refresh()
  expect(await title('loose.example')).toBe('Check 1 link')
})

it('what a link has there and cannot have here is told of its row, checked and imported, and among the results', async () => {
  const code = freshCode()
  const links = [{ slug: code, url: to(code), createdAt: 1_767_322_800, cloaking: true }]
  const given = { from: 'sink' as const, bytes: bytesOf(JSON.stringify({ version: '1.0', links })) }
  const checked = await reached((await queueFile(ctx, by, { ...given, dryRun: true })).number, 'checked')
  const told = async (job: Job) =>
    (await listJobItems(ctx, job, { limit: 10 })).items.map(({ result, message }) => [result, message])
  expect(await told(checked)).toEqual([['created', 'Doesn’t come over: cloaking.']])
  await startImport(ctx, checked)
  const job = await reached(checked.number)
  expect(await told(job)).toEqual([['created', 'Doesn’t come over: cloaking.']])
  let results = ''
  for await (const text of resultsOf(ctx, job, inEnglish)) results += text
  expect(results).toContain('Doesn’t come over: cloaking.')
})
