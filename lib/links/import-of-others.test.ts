import { hash } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { resolveOwners } from '@/lib/accounts/import-owners'
import { inEnglish } from '@/lib/i18n/translate'
import { countsOf } from '@/lib/jobs/row-outcome'
import { findJob, listJobItems } from '@/lib/jobs/store'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { visit } from '@/lib/testing/visit'
import { isOwnHash } from '@/lib/tools/password'
import { type ImportOptions, namedOwners, queueImport, startImport } from './import-queue'
import { queueUndo } from './undo-job'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const OLD = 'old.example'
const FOLDED = 'folded.example'
beforeAll(() => settled(ctx))
beforeAll(async () => {
  await keepAccount(ctx.db, 'root', 'admin')
  await keepAccount(ctx.db, 'mia')
  const at = new Date()
  await ctx.db.client.domain.createMany({ data: [{ host: OLD, createdAt: at, verifiedAt: at }] })
  await ctx.db.client.domain.createMany({ data: [{ host: FOLDED, createdAt: at, verifiedAt: at, codeCase: 2 }] })
  await ctx.domains.refresh()
})
const root = { account: { id: 'root' }, address: null }

async function reached(number: string, state: string) {
  ctx.jobs.look()
  await vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe(state), { timeout: 30_000, interval: 20 })
  return findJob(ctx, null, number)
}

async function imported(rows: readonly object[], how: ImportOptions = {}, by = root) {
  async function* bytes() {
    yield Buffer.from(JSON.stringify(rows))
  }
  const { number } = await queueImport(ctx, by, { format: 'json', bytes: bytes() }, how)
  const job = await reached(number, how.dryRun ? 'checked' : 'done')
  const { items } = await listJobItems(ctx, job, { limit: 100 }, inEnglish)
  return { job, items: items.map(({ target, result, message }) => [target, result, message].filter(Boolean)) }
}

async function ask(path: string, given: { host?: string; method?: string; body?: string; query?: string } = {}) {
  const { host = OLD, method = 'GET', body = '', query = '' } = given
  const raw = Buffer.from(path).toString('latin1')
  const rawHeaders = ['Host', host]
  const { status, headers } = await visit(ctx.answering, host, raw, { method, query, rawHeaders, body: async () => body })
  return [status, headers[headers.indexOf('Location') + 1]]
}

const linkOf = (code: string, host = OLD) => ctx.db.client.link.findUnique({ where: { fullShortUrl: `${host}/${code}` } })

describe('links of another shortener, on a domain of their own', () => {
  const codes = [
    'docs',
    'api',
    'stats',
    'admin',
    '@mia',
    '12345',
    '7',
    'bulk',
    'export',
    'a.b',
    '~x',
    '🎉',
    'été',
    'a+',
    "it's",
    'x:y',
    'logo.qr',
    'help/me',
  ]

  it('keep words of the application, short numbers and any character of a path, and lead', async () => {
    const { items } = await imported(
      codes.map((code) => ({ url: `https://example.com/?${encodeURIComponent(code)}`, code, domain: OLD })),
    )
    expect(items).toEqual(codes.map((code) => [`${OLD}/${code}`, 'created']))
    for (const code of codes) {
      const to = new URL(`https://example.com/?${encodeURIComponent(code)}`).href
      const { pathname } = new URL(ctx.domains.shortUrl(OLD, code))
      expect(await ask(pathname), code).toEqual([302, to])
      // As it stood in print.
      expect(await ask(`/${code}`), code).toEqual([302, to])
    }
  })

  it('take nothing from the pages: paths that no link has lead on to them, with their method', async () => {
    expect(await ask('/dashboard', { query: '?x=1' })).toEqual([302, 'http://terse.test/dashboard?x=1'])
    expect(await ask('/api/v1/links', { method: 'POST' })).toEqual([307, 'http://terse.test/api/v1/links'])
    expect(await ask('/api/v1/links/x', { method: 'DELETE' })).toEqual([307, 'http://terse.test/api/v1/links/x'])
    expect((await ask('/nothing-here'))[0]).toBe(404)
  })

  it('cannot take the preview of another link by a code that ends with a plus', async () => {
    const code = freshCode()
    await imported([`${code}+`, code].map((one) => ({ url: `https://example.com/${one}`, code: one, domain: OLD })))
    expect((await ask(`/${code}+`))[0]).toBe(200)
    expect(await ask(`/${code}%2B`)).toEqual([302, `https://example.com/${code}+`])
  })

  it('read percent-encoded codes as what they are', async () => {
    await imported([{ url: 'https://example.com/party', code: '%F0%9F%8E%88', domain: OLD }])
    expect(await ask('/🎈')).toEqual([302, 'https://example.com/party'])
  })

  it('are told which row has the same code but for capitals, where these make no difference', async () => {
    const rows = ['Sale', 'sALE'].map((code) => ({ url: `https://example.com/${code}`, code, domain: FOLDED }))
    expect((await imported(rows, { dryRun: true })).items).toEqual([
      [`${FOLDED}/sale`, 'created'],
      ['sALE', 'duplicate', 'Line 1 has the same short link: case doesn’t matter on this domain.'],
    ])
  })
})

describe('a code that BASE_URL’s own domain cannot take over', () => {
  it('is listed by the dry run with the reason and a free code near it', async () => {
    await imported([{ url: 'https://example.com/', code: 'docs-2' }])
    const rows = ['docs', '12345', 'a b', 'docs-2'].map((code) => ({ url: 'https://example.com/other', code }))
    expect((await imported(rows, { dryRun: true })).items).toEqual([
      ['docs', 'refused', 'This word is reserved on this domain. Choose another. “docs-3” is free.'],
      [
        '12345',
        'refused',
        expect.stringContaining(
          'spoken numbers on this domain. Add a letter, or ask an admin to free them for links. “12345-2” is free.',
        ),
      ],
      ['a b', 'refused', expect.stringContaining('“a-b” is free.')],
      ['docs-2', 'taken', '“docs-2” is taken. Choose another. “docs-2-2” is free.'],
    ])
  })
})

describe('what links bring along', () => {
  it('is their date, their clicks, and a limit that counts these', async () => {
    const [one, spent] = [freshCode(), freshCode()]
    const row = { url: 'https://example.com/', domain: OLD, createdAt: '2015-03-04 05:06:07', maxClicks: 41 }
    await imported([
      { ...row, code: one, clicks: 40 },
      { ...row, code: spent, hits: 41 },
    ])
    expect(await linkOf(one)).toMatchObject({
      createdAt: new Date('2015-03-04T05:06:07Z'),
      clicksBefore: 40n,
      clicks: 0n,
      taken: 40,
    })
    expect((await ask(`/${one}`))[0]).toBe(302)
    expect((await ask(`/${one}`))[0]).toBe(410)
    expect((await ask(`/${spent}`))[0]).toBe(410)
  })

  it('is no date of the future or before there were shorteners', async () => {
    const at = (createdAt: string) => ({ url: 'https://example.com/', createdAt })
    const { items } = await imported([at('1989-12-31'), at(new Date(Date.now() + 86_400_000).toISOString())])
    expect(items.map(([, result]) => result)).toEqual(['refused', 'refused'])
  })

  it.each<[string, () => Promise<string>]>([
    ['bcrypt', async () => (await bcrypt('secret', 4)).replace('$2b$', '$2y$')],
    ['argon2i', () => hash('secret', { algorithm: 1, memoryCost: 1024 })],
    ['argon2d', () => hash('secret', { algorithm: 0, memoryCost: 1024 })],
    ['argon2id of other parameters', () => hash('secret', { memoryCost: 65_536, timeCost: 3, parallelism: 4 })],
  ])('is a password hashed by %s, which is hashed anew when it was right', async (_, hashed) => {
    const code = freshCode()
    const passwordHash = await hashed()
    await imported([{ url: 'https://example.com/in', code, domain: OLD, passwordHash }])
    const enter = (password: string) => ask(`/${code}`, { method: 'POST', body: `password=${password}` })
    expect((await enter('wrong'))[0]).toBe(403)
    expect((await linkOf(code))?.passwordHash).toBe(passwordHash)
    expect(await enter('secret')).toEqual([303, 'https://example.com/in'])
    const renewed = await linkOf(code)
    expect(isOwnHash(renewed?.passwordHash ?? '')).toBe(true)
    // By the record that is cached, and by the one that is read anew.
    expect((await enter('secret'))[0]).toBe(303)
    ctx.lookup.invalidate(`${OLD}/${code}`)
    expect((await enter('secret'))[0]).toBe(303)
    expect((await enter('wrong'))[0]).toBe(403)
  })

  it.each([
    '$2b$15$fVYfDXg1oGKTCq/85SNmRuj3a82ebqDPin2H9ebfA1/PYSoPAimgW',
    '$argon2id$v=19$m=1048576,t=3,p=1$ELdIxDcpmVumqWhPv7DlbQ$Ei/Lj0D1vZa7LQBBZ/3/BHWCPosElubtc/V5YaKvOSw',
    '$argon2id$v=19$m=65536,t=400,p=1$ELdIxDcpmVumqWhPv7DlbQ$Ei/Lj0D1vZa7LQBBZ/3/BHWCPosElubtc/V5YaKvOSw',
    '5f4dcc3b5aa765d61d8327deb882cf99',
  ])('is no hash that would cost too much, or cannot be verified: %s', async (passwordHash) => {
    const { items } = await imported([{ url: 'https://example.com/', passwordHash }])
    expect(items).toEqual([['https://example.com/', 'refused', expect.stringContaining('passwordHash: Use a hash of bcrypt')]])
  })
})

describe('owners of the old system', () => {
  const rows = (codes: readonly string[]) =>
    codes.map((code, i) => ({
      url: 'https://example.com/',
      code,
      domain: OLD,
      owner: ['Mia Moss', 'someone else', ''][i],
      tags: ['moved'],
    }))

  it('are named by the dry run, mapped when it is started, and their links can be undone', async () => {
    const codes = [freshCode(), freshCode(), freshCode()]
    const { job } = await imported(rows(codes), { dryRun: true })
    expect(namedOwners(job)).toEqual([
      { name: 'Mia Moss', links: 1 },
      { name: 'someone else', links: 1 },
    ])
    const owners = await resolveOwners(ctx, { id: 'root', role: 'admin' }, { 'Mia Moss': 'mia@example.com' })
    await startImport(ctx, job, owners)
    const done = await reached(job.number, 'done')
    const ownersOf = async () => Promise.all(codes.map(async (code) => (await linkOf(code))?.ownerId))
    expect(await ownersOf()).toEqual(['mia', 'root', 'root'])
    const labels = await connection.query("SELECT ownerId FROM Label WHERE name = 'moved' ORDER BY ownerId")
    expect(labels.map(({ ownerId }: { ownerId: string }) => ownerId)).toEqual(['mia', 'root'])
    const again = await imported(rows(codes), { owners })
    expect(again.items.map(([, result]) => result)).toEqual(['exists', 'exists', 'exists'])
    await reached((await queueUndo(ctx, root, done)).number, 'done')
    expect(await ownersOf()).toEqual([undefined, undefined, undefined])
  })

  it('keep their links where the import is undone by one who is no admin any more', async () => {
    const codes = [freshCode(), freshCode(), freshCode()]
    const owners = { 'Mia Moss': 'mia' }
    const { job } = await imported(rows(codes), { owners })
    const ownersOf = async () => Promise.all(codes.map(async (code) => (await linkOf(code))?.ownerId))
    expect(await ownersOf()).toEqual(['mia', 'root', 'root'])
    const setRole = (role: string) => ctx.db.client.user.update({ where: { id: 'root' }, data: { role } })
    await setRole('user')
    try {
      const undone = await reached((await queueUndo(ctx, root, job)).number, 'done')
      expect(countsOf(undone)).toEqual({ gone: 1, deleted: 2 })
      expect(await ownersOf()).toEqual(['mia', undefined, undefined])
    } finally {
      await setRole('admin')
    }
  })

  it('can be other accounts for admins alone, also for one who no longer is', async () => {
    const mia = { id: 'mia', role: 'user' as const }
    await expect(resolveOwners(ctx, mia, { A: 'root@example.com' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await resolveOwners(ctx, mia, { A: 'mia@example.com', B: '' })).toEqual({ A: 'mia' })
    await expect(resolveOwners(ctx, { id: 'root', role: 'admin' }, { A: 'nobody@example.com' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    const { items } = await imported(
      [{ url: 'https://example.com/', owner: 'A' }],
      { owners: { A: 'root' } },
      { ...root, account: { id: 'mia' } },
    )
    expect(items).toEqual([['https://example.com/', 'refused', 'Only an admin can give links to other accounts.']])
  })
})
