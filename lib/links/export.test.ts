import fc from 'fast-check'
import { beforeAll, expect, it, vi } from 'vitest'
import { findJob, listJobItems } from '@/lib/jobs/store'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { validate } from '@/lib/tools/validate'
import { createLink } from './create'
import { EXPORT_FORMATS, type ExportFormat, exportLinks } from './export'
import { queueImport } from './import-queue'
import { insertStatement } from './insert'
import { CreateLink } from './schemas'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))
beforeAll(() => keepAccount(ctx.db, 'carol'))
const carol = owner('carol')
const by = { account: { id: 'carol' }, address: null }

async function exported(format: ExportFormat): Promise<string> {
  let text = ''
  for await (const piece of exportLinks(ctx, { which: { ownerId: 'carol' }, format, passwords: true })) text += piece
  return text
}

/** What an export says of each link, without what is not its property. */
async function properties(): Promise<Record<string, unknown>[]> {
  const { links } = JSON.parse(await exported('json')) as { links: Record<string, unknown>[] }
  return links
    .map(({ clicks, ...link }): Record<string, unknown> => {
      return { ...link, clicksBefore: Number(link.clicksBefore) + Number(clicks) }
    })
    .sort((a, b) => (String(a.code) < String(b.code) ? -1 : 1))
}

const deleteAll = async () => {
  for (const table of ['Link', 'LinkLabel', 'Label', 'LinkComment']) await connection.query(`DELETE FROM ${table}`)
}

async function imported(text: string, format: ExportFormat): Promise<void> {
  async function* bytes() {
    for (let at = 0; at < text.length; at += 50_000) yield Buffer.from(text.slice(at, at + 50_000))
  }
  const file = { format: format === 'csv' ? ('csv' as const) : ('json' as const), bytes: bytes() }
  const { number } = await queueImport(ctx, by, file)
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe('done'), { timeout: 30_000, interval: 20 })
  const job = await findJob(ctx, 'carol', number)
  const { items } = await listJobItems(ctx, job, { limit: 5, outcome: 'failed' })
  expect(items).toEqual([])
}

const text = fc.array(fc.constantFrom(...[...'=+-@\',;|\t\n"aé👩 ']), { minLength: 1, maxLength: 12 }).map((all) => all.join(''))
const name = fc.constantFrom('Spring', '=1', "it's", 'Ünï', "'-x", 'a b')
const time = (year: number) => fc.integer({ min: 1, max: 28 }).map((day) => new Date(Date.UTC(year, 4, day, day)).toISOString())
const VARIANTS = [
  { url: 'https://example.com/a', weight: 30 },
  { url: 'https://example.com/b', weight: 70 },
]
const link = fc.record(
  {
    url: fc.constantFrom(
      'https://example.com/',
      "https://example.com/@1,'-2,;=3?a=1,-5&b=%2B+c#d",
      'https://xn--bcher-kva.example/?q=a%20b',
    ),
    title: text,
    startsAt: time(2990),
    expiresAt: time(2999),
    expiredUrl: fc.constantFrom('https://example.com/over,=1', null),
    password: fc.constant('secret'),
    maxClicks: fc.constantFrom(1, 500, null),
    redirectStatus: fc.constantFrom(301, 302, 307, 308),
    listed: fc.boolean(),
    enabled: fc.boolean(),
    tags: fc.uniqueArray(name, { maxLength: 3 }),
    folder: fc.option(name),
    comment: text,
    archived: fc.boolean(),
    favorite: fc.boolean(),
    routing: fc.constantFrom(
      null,
      {
        query: 'forward' as const,
        rules: [{ url: 'https://example.com/de,=1', when: [{ of: 'language' as const, in: ['de'] }] }],
      },
      {
        // Of which the first two are over.
        rules: [
          { url: 'https://example.com/once', when: [{ of: 'date' as const, to: '2020-01-01T00:00:00.000Z' }] },
          {
            url: 'https://example.com/then',
            when: [{ of: 'date' as const, from: '2020-01-01T00:00:00Z', to: '2021-06-01T09:00:00+02:00' }],
          },
          { url: 'https://example.com/soon', when: [{ of: 'date' as const, from: '2990-01-01T00:00:00.000Z' }] },
        ],
      },
      { split: { variants: VARIANTS, endsAt: '2020-01-01T00:00:00.000Z', winner: 'https://example.com/b' } },
      {
        split: { variants: VARIANTS, endsAt: '2990-01-01T00:00:00.000Z' },
        path: 'append' as const,
        clickId: { parameter: 'cid' },
      },
    ),
    preview: fc.constantFrom(null, {
      source: 'custom' as const,
      title: '=1,"a"',
      description: "'-b",
      image: 'https://example.com/picture.png',
    }),
  },
  { requiredKeys: ['url'] },
)

it('an export brings every property of every link into an empty account, in each format', async () => {
  for (const input of fc.sample(link, { numRuns: 160, seed: 3 })) {
    const { password, ...rest } = input
    // One hash takes 20 ms.
    const some = { ...rest, code: freshCode(), ...(password && Math.abs(rest.url.length % 2) === 0 && { password }) }
    const read = CreateLink.safeParse(some)
    // As time leaves them: such a rule is refused for a new link.
    if (read.success) await createLink(ctx, carol, validate(CreateLink, some), null, { isTakenOver: true })
  }
  await connection.query('UPDATE Link SET historyHiddenAt = UTC_TIMESTAMP(3) WHERE id % 3 = 0')
  await connection.query("UPDATE Link SET createdAt = '2011-04-05 06:07:08.009', clicksBefore = 40, clicks = 2 WHERE id % 2 = 0")
  // One that has expired, and one whose spoken number is given to others in time.
  await createLink(ctx, carol, validate(CreateLink, { url: 'https://example.com/old', code: freshCode() }))
  await connection.query("UPDATE Link SET expiresAt = '2001-01-01' WHERE url = 'https://example.com/old'")
  const { sql, values } = insertStatement([linkRow({ ownerId: 'carol', code: '4821' })])
  await connection.query(sql, values)
  const before = await properties()
  expect(before.length).toBeGreaterThan(60)
  for (const name of ['passwordHash', 'routing', 'preview', 'folder', 'maxClicks', 'expiredUrl']) {
    expect(
      before.some((link) => link[name] !== null),
      name,
    ).toBe(true)
  }
  for (const format of EXPORT_FORMATS) {
    const file = await exported(format)
    await deleteAll()
    await imported(file, format)
    expect(await properties(), format).toEqual(before)
  }
}, 60_000)

it('pages through links that are created meanwhile, each once', async () => {
  await deleteAll()
  const rows = Array.from({ length: 1_200 }, () => linkRow({ ownerId: 'carol' }))
  const first = insertStatement(rows)
  await connection.query(first.sql, first.values)
  const codes: string[] = []
  for await (const piece of exportLinks(ctx, { which: { ownerId: 'carol' }, format: 'jsonl', passwords: false })) {
    codes.push(
      ...piece
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).code),
    )
    if (codes.length > 1_200) continue
    const { sql, values } = insertStatement([linkRow({ ownerId: 'carol' })])
    await connection.query(sql, values)
  }
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes.slice(0, 1_200).sort()).toEqual(rows.map(({ code }) => code).sort())
})
