import { beforeAll, describe, expect, it, vi } from 'vitest'
import { anonymous } from '@/lib/actor'
import { MAX_ATTEMPTS } from '@/lib/codes/generate'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { deleteLink } from './delete'
import { restoreLink } from './restore'
import { updateLink } from './update'

const DAY = 86_400_000
const { url, connection } = await testDatabase()
const server = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: server.url, DATABASE_POOL: '8' }
// Four processes, as far as the servers can tell.
const runtimes = await Promise.all(Array.from({ length: 4 }, () => testRuntime(settings)))
const [ctx] = runtimes as [(typeof runtimes)[number]]
beforeAll(() => settled(...runtimes))

const runtimeOf = (i: number) => runtimes[i % runtimes.length] ?? ctx
const rowsWith = async (code: string) => ctx.db.client.link.findMany({ where: { code } })
const codeOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? 'made' : (result.reason as { code?: string }).code

describe('64 clients who race', () => {
  it('for one custom code: exactly one gets it, the others a conflict, and there is one row', async () => {
    const code = freshCode()
    const results = await Promise.allSettled(
      Array.from({ length: 64 }, (_, i) => createLink(runtimeOf(i), anonymous(), { url: `https://example.com/${i}`, code })),
    )
    expect(results.map(codeOf).sort()).toEqual([...new Array(63).fill('conflict'), 'made'])
    const rows = await rowsWith(code)
    expect(rows).toHaveLength(1)
    const made = results.find((result) => result.status === 'fulfilled')
    expect(made?.value.link.url).toBe(rows[0]?.url)
  })

  it('for one destination: each gets a code of its own, and all lead there', async () => {
    const destination = 'https://example.com/the-same-for-all'
    const made = await Promise.all(
      Array.from({ length: 64 }, (_, i) => createLink(runtimeOf(i), anonymous(), { url: destination })),
    )
    const fulls = made.map(({ link }) => link.fullShortUrl)
    expect(new Set(fulls).size).toBe(64)
    for (const full of fulls) {
      const { entry } = await ctx.lookup.find(full)
      expect(entry.record).toMatchObject({ kind: 'link', url: destination })
    }
  })

  it('for the freed code of a deleted link: exactly one gets it', async () => {
    const at = Date.now()
    const { link, manageToken } = await createLink(ctx, anonymous(), { url: 'https://example.com/', code: freshCode() })
    await deleteLink(ctx, anonymous(manageToken), { code: link.code })
    vi.spyOn(Date, 'now').mockImplementation(() => at + 91 * DAY)
    const results = await Promise.allSettled(
      Array.from({ length: 64 }, (_, i) =>
        createLink(runtimeOf(i), anonymous(), { url: 'https://example.com/', code: link.code }),
      ),
    )
    vi.restoreAllMocks()
    expect(results.map(codeOf).sort()).toEqual([...new Array(63).fill('conflict'), 'made'])
    expect(await rowsWith(link.code)).toHaveLength(1)
  })
})

describe('a code', () => {
  it('of a deleted link is refused while in quarantine, by Redis or by MySQL alone, and free after it', async () => {
    const code = freshCode()
    const { manageToken } = await createLink(ctx, anonymous(), { url: 'https://example.com/', code })
    await deleteLink(ctx, anonymous(manageToken), { code })
    const again = () => createLink(ctx, anonymous(), { url: 'https://example.com/new', code })
    await expect(again()).rejects.toMatchObject({ code: 'conflict', errors: [{ path: 'code' }] })
    await ctx.redis.client.flushall()
    await expect(again()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('stays reserved') })
    await connection.query('UPDATE DeletedLink SET deletedAt = ? WHERE code = ?', [new Date(Date.now() - 91 * DAY), code])
    expect((await again()).link.code).toBe(code)
    await settled(...runtimes)
  })

  it('that MySQL has and the filter does not know is refused by the unique index, and known from then on', async () => {
    const code = freshCode()
    const { link } = await createLink(ctx, anonymous(), { url: 'https://example.com/', code })
    const keys = await ctx.redis.client.keys('*')
    await ctx.redis.client.del(...keys.filter((key) => /:(bloom|marker)$|:link:/.test(key)))
    await connection.query('RENAME TABLE Link TO Hidden')
    await connection.query('CREATE TABLE Link LIKE Hidden')
    await settled(ctx) // rebuilt while MySQL showed no links
    await connection.query('DROP TABLE Link')
    await connection.query('RENAME TABLE Hidden TO Link')
    expect(await ctx.registry.lookup(link.fullShortUrl)).toMatchObject({ trusted: true, mayExist: false })
    await expect(createLink(ctx, anonymous(), { url: 'https://example.com/', code })).rejects.toMatchObject({ code: 'conflict' })
    expect(await ctx.registry.lookup(link.fullShortUrl)).toMatchObject({ mayExist: true })
  })

  it('that cannot be found in eight attempts is a clear error, not an endless search', async () => {
    const claim = vi.spyOn(ctx.registry, 'claimOne').mockResolvedValue({ claim: 'quarantined', number: null })
    await expect(createLink(ctx, anonymous(), { url: 'https://example.com/' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('CODE_LENGTH'),
    })
    expect(claim).toHaveBeenCalledTimes(MAX_ATTEMPTS)
  })
})

describe('a link', () => {
  it('can be created turned off, and leads nowhere until it is turned on', async () => {
    const { link, manageToken } = await createLink(ctx, anonymous(), { url: 'https://example.com/', enabled: false })
    const stateOf = async () => (await ctx.lookup.find(link.fullShortUrl)).entry.record
    expect(await stateOf()).toMatchObject({ kind: 'link', state: 'disabled' })
    await updateLink(ctx, anonymous(manageToken), { code: link.code }, { enabled: true })
    await expect.poll(stateOf).toMatchObject({ kind: 'link', state: 'active' })
  })

  it.each([
    ['http://terse.test/x', 'url'],
    ['https://TERSE.test./x', 'url'],
    ['https://terse.test../x', 'url'],
    ['http://terse.test:8080/', 'url'],
  ])('may not lead back to us: %s', async (destination, path) => {
    await expect(createLink(ctx, anonymous(), { url: new URL(destination).href })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path }],
    })
    const other = { url: 'https://example.com/', expiredUrl: new URL(destination).href }
    await expect(createLink(ctx, anonymous(), other)).rejects.toMatchObject({ errors: [{ path: 'expiredUrl' }] })
    const { link, manageToken } = await createLink(ctx, anonymous(), { url: 'https://example.com/' })
    const change = updateLink(ctx, anonymous(manageToken), { code: link.code }, { url: new URL(destination).href })
    await expect(change).rejects.toMatchObject({ errors: [{ path: 'url' }] })
  })

  it('may not expire before it starts, nor in the past, nor be of a domain that is not ours', async () => {
    const [soon, later] = [new Date(Date.now() + DAY), new Date(Date.now() + 2 * DAY)]
    const make = (given: object) => createLink(ctx, anonymous(), { url: 'https://example.com/', ...given })
    await expect(make({ startsAt: later, expiresAt: soon })).rejects.toMatchObject({ errors: [{ path: 'expiresAt' }] })
    await expect(make({ expiresAt: new Date(Date.now() - 1) })).rejects.toMatchObject({ errors: [{ path: 'expiresAt' }] })
    const many = createLinks(ctx, anonymous(), [{ url: 'https://example.com/', expiresAt: new Date(Date.now() - 1) }])
    await expect(many).rejects.toMatchObject({ errors: [{ path: 'expiresAt' }] })
    await expect(make({ domain: 'other.example' })).rejects.toMatchObject({ errors: [{ path: 'domain' }] })
    await expect(make({ domain: 'TERSE.test:443' })).resolves.toMatchObject({ isNew: true })
  })

  it('may be on the default domain alone, where it belongs to no account', async () => {
    await ctx.db.client.domain.create({ data: { host: 'go.example', createdAt: new Date(), verifiedAt: new Date() } })
    await ctx.domains.refresh()
    const wanted = { url: 'https://example.com/', domain: 'GO.example' }
    const refused = { code: 'validation_failed', errors: [{ path: 'domain' }] }
    await expect(createLink(ctx, anonymous(), wanted)).rejects.toMatchObject(refused)
    await expect(createLinks(ctx, anonymous(), [wanted])).rejects.toMatchObject(refused)
    await expect(createLink(ctx, owner('alice'), wanted)).resolves.toMatchObject({
      link: { fullShortUrl: expect.stringMatching(/^go\.example/) },
    })
  })

  it('that was deleted and restored is the same link, in every column but version and time of change', async () => {
    const code = freshCode()
    const made = await createLink(ctx, anonymous(), {
      url: 'https://example.com/',
      code,
      title: 'T',
      password: 'p',
      maxClicks: 5,
    })
    const before = (await rowsWith(code))[0]
    await deleteLink(ctx, anonymous(made.manageToken), { code })
    expect(await rowsWith(code)).toEqual([])
    expect(await ctx.lookup.find(made.link.fullShortUrl)).toMatchObject({ entry: { record: { kind: 'tombstone' } } })
    await restoreLink(ctx, anonymous(made.manageToken), { code })
    const after = (await rowsWith(code))[0]
    expect(after).toEqual({ ...before, version: expect.any(BigInt), updatedAt: expect.any(Date) })
    expect(after?.version).toBeGreaterThan(before?.version ?? 0n)
    expect(await ctx.lookup.find(made.link.fullShortUrl)).toMatchObject({ entry: { record: { kind: 'link' } } })
  })

  it('that is changed by two at once has both changes', async () => {
    const { link, manageToken } = await createLink(ctx, anonymous(), { url: 'https://example.com/' })
    const change = (i: number, input: object) => updateLink(runtimeOf(i), anonymous(manageToken), { code: link.code }, input)
    await Promise.all([change(0, { title: 'both' }), change(1, { maxClicks: 7 })])
    const [row] = await rowsWith(link.code)
    expect(row).toMatchObject({ title: 'both', maxClicks: 7, version: link.version + 2n })
    const record = (await ctx.registry.lookup(link.fullShortUrl)).record
    expect(record).toContain('"t":"both"')
    expect(record).toContain('"m":7')
  })

  it('that is deleted by many at once is deleted once', async () => {
    const { link, manageToken } = await createLink(ctx, anonymous(), { url: 'https://example.com/' })
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => deleteLink(runtimeOf(i), anonymous(manageToken), { code: link.code })),
    )
    expect(results.map(codeOf).sort()).toEqual([...new Array(7).fill('gone'), 'made'])
  })
})

describe('many links at once', () => {
  it('are made in their order, each with its own code, also where two are the same or one needs a second look', async () => {
    const code = freshCode()
    const inputs = [
      ...Array.from({ length: 100 }, (_, i) => ({ url: `https://example.com/bulk/${i % 90}` })),
      { url: 'https://example.com/custom', code },
    ]
    const made = await createLinks(ctx, anonymous(), inputs)
    expect(made.map(({ link }) => link.url)).toEqual(inputs.map((input) => input.url))
    expect(new Set(made.map(({ link }) => link.fullShortUrl)).size).toBe(inputs.length)
    expect(made.at(-1)?.link.code).toBe(code)
    const rows = await ctx.db.client.link.count({ where: { id: { in: made.map(({ link }) => link.id) } } })
    expect(rows).toBe(inputs.length)
  })
})
