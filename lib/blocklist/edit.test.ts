import { beforeAll, describe, expect, it, vi } from 'vitest'
import { anonymous } from '@/lib/actor'
import { listAudit } from '@/lib/audit/audit'
import { isTerseError } from '@/lib/errors'
import { findJob, listJobItems } from '@/lib/jobs/store'
import type { LinkContext } from '@/lib/links/context'
import { createLink } from '@/lib/links/create'
import { CreateLink, SpokenInput } from '@/lib/links/schemas'
import { createSpoken } from '@/lib/links/spoken'
import { updateLink } from '@/lib/links/update'
import { keepAccount } from '@/lib/testing/accounts'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { within } from '@/lib/testing/eventually'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { addRule, listRules, removeRule } from './edit'
import { queueImport, queueMatches } from './job'

const { url } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const ctx = await testRuntime(settings)
const other = await testRuntime(settings)
beforeAll(() => settled(ctx))

beforeAll(() => keepAccount(ctx.db, 'admin', 'admin'))

const admin = owner('admin', 'admin').account
if (!admin) throw new Error('no account')
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isTerseError(error) ? (error.errors?.[0]?.path ?? error.code) : String(error)),
  )
const make = (href: string, on: LinkContext = ctx) => createLink(on, owner('alice'), CreateLink.parse({ url: href }))
const block = (kind: 'host' | 'suffix' | 'word' | 'client', value: string, reason = '') =>
  addRule(ctx, admin, { kind, value, reason })
const done = (number: string) =>
  vi.waitFor(async () => expect((await findJob(ctx, null, number)).state).toBe('done'), { timeout: 15_000 })

describe('a rule', () => {
  it('holds for every way in which a link is made or changed, in every process within seconds', async () => {
    const { link } = await make('https://fine.example/')
    const { id } = await block('suffix', 'bad.example', 'Phishing.')
    const href = 'https://a.bad.example/'
    expect(await refusal(make(href))).toBe('url')
    expect(await refusal(createLinks(ctx, anonymous(), [CreateLink.parse({ url: href })]))).toBe('url')
    expect(await refusal(createSpoken(ctx, anonymous(), SpokenInput.parse({ url: href })))).toBe('url')
    expect(await refusal(createLink(ctx, anonymous(), CreateLink.parse({ url: 'https://x.example', expiredUrl: href })))).toBe(
      'expiredUrl',
    )
    expect(await refusal(updateLink(ctx, owner('alice'), link, { url: href }))).toBe('url')
    await expect(make(href)).rejects.toThrow('Phishing.')
    await within(5_000, async () => expect(await refusal(make(href, other))).toBe('url'))
    await removeRule(ctx, BigInt(id))
    expect(await refusal(make(href))).toBeNull()
  })

  it('is there once, and says how many links it matches', async () => {
    for (let i = 0; i < 3; i++) await make(`https://matching.example/${i}`)
    expect(await block('host', 'Matching.example')).toMatchObject({ matches: 3, more: false })
    expect(await refusal(block('host', 'matching.example.'))).toBe('value')
    expect(await refusal(block('host', 'https://x/'))).toBe('value')
  })

  it('says so when it was not held against all links there are', async () => {
    const inputs = Array.from({ length: 1_001 }, (_, i) => CreateLink.parse({ url: `https://crowded.example/${i}` }))
    await createLinks(ctx, owner('alice'), inputs)
    const { matches, more } = await block('host', 'crowded.example')
    expect(matches).toBe(1_000)
    expect(more).toBe(true)
  })

  it('holds at once where it was made, while others are made too', async () => {
    const hosts = Array.from({ length: 20 }, (_, i) => `at-once-${i}.example`)
    const made = hosts.map(async (host) => {
      await block('host', host)
      return refusal(make(`https://${host}/`))
    })
    expect(new Set(await Promise.all(made))).toEqual(new Set(['url']))
  })

  it('is found by kind and part of its value', async () => {
    await block('word', 'Lottery')
    const { rules } = await listRules(ctx, { limit: 10, kind: 'word', q: 'OTTE' })
    expect(rules.map(({ value }) => value)).toEqual(['lottery'])
    expect((await listRules(ctx, { limit: 10, q: '%' })).rules).toEqual([])
  })

  it('keeps clients from making links, by the address that proxies of ours tell', async () => {
    await block('client', '203.0.113.0/24')
    expect(() => ctx.blocklist.requireClient('203.0.113.5')).toThrow('from your network')
    expect(() => ctx.blocklist.requireClient('203.0.114.5')).not.toThrow()
  })
})

describe('acting on what a new rule matches', () => {
  it('bans every link that matches, and tells each to the audit log', async () => {
    const links = [await make('https://later.example/1'), await make('https://sub.later.example/2')].map(({ link }) => link)
    const { link: fine } = await make('https://other.example/later.example')
    const { id } = await block('suffix', 'later.example', 'Scam.')
    const { job } = await queueMatches(ctx, { account: admin, address: '203.0.113.9' }, BigInt(id), { action: 'ban', reason: '' })
    ctx.jobs.look()
    await done(job.number)
    const rows = await ctx.db.client.link.findMany({ where: { id: { in: links.map((link) => link.id) } } })
    expect(rows.map(({ state, banReason }) => [state, banReason])).toEqual([
      ['banned', 'Scam.'],
      ['banned', 'Scam.'],
    ])
    expect((await ctx.db.client.link.findUnique({ where: { id: fine.id } }))?.state).toBe('active')
    const { entries } = await listAudit(ctx, { limit: 10, action: 'link.ban' })
    expect(entries.map(({ target }) => target).sort()).toEqual(links.map((link) => link.fullShortUrl).sort())
    expect(entries[0]).toMatchObject({ actorId: admin.id, address: '203.0.113.9', details: { reason: 'Scam.' } })
    const { items } = await listJobItems(ctx, await findJob(ctx, null, job.number), { limit: 10 })
    expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  })
})

describe('an imported list', () => {
  it('blocks each of its hosts, and tells only the lines that name none', async () => {
    const lines = [
      '# list',
      '0.0.0.0 one.tracker.example',
      'two.tracker.example',
      'not a host',
      '',
      '0.0.0.0 one.tracker.example',
    ]
    const many = Array.from({ length: 3_000 }, (_, i) => `127.0.0.1 t${i}.tracker.example`)
    const job = await queueImport(ctx, { account: admin, address: null }, [...lines, ...many].join('\r\n'), 'Trackers')
    expect(job.total).toBe(3_004)
    ctx.jobs.look()
    await done(job.number)
    const row = await findJob(ctx, null, job.number)
    expect(row).toMatchObject({ done: 3_004, failed: 1 })
    expect(await ctx.db.client.blockRule.count({ where: { value: { endsWith: 'tracker.example' } } })).toBe(3_002)
    expect((await listJobItems(ctx, row, { limit: 10 })).items.map(({ target }) => target)).toEqual(['not a host'])
    expect(await refusal(make('https://t2999.tracker.example/'))).toBe('url')
  })

  it('that names no host is refused', async () => {
    const queued = queueImport(ctx, { account: admin, address: null }, '# nothing\n\n127.0.0.1 localhost', '')
    await expect(queued).rejects.toThrow('no hosts in this list')
  })
})
