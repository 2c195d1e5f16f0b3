import { beforeAll, describe, expect, it } from 'vitest'
import { isTerseError } from '@/lib/errors'
import { createLink } from '@/lib/links/create'
import { CreateLink } from '@/lib/links/schemas'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { visit } from '@/lib/testing/visit'
import { addDomain, listDomains, removeDomain, updateDomain, verifyDomain } from './edit'
import { type ProofSources, proofOf } from './proof'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => Promise.all([settled(ctx), keepAccount(ctx.db, 'alice')]))

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (isTerseError(error) ? error.code : String(error)),
  )

/** The internet, as far as it says these things. */
const saying = (txt: string[], file: string | null): ProofSources => ({
  txt: async () => txt,
  file: async () => {
    if (file === null) throw new Error('it answered 404')
    return file
  },
})

async function verified(host: string) {
  const { id } = await addDomain(ctx, { host })
  return verifyDomain(ctx, id, saying([proofOf(ctx.config.APP_SECRET, host)], null))
}

const get = (host: string, path: string) => visit(ctx.answering, host, path)
/** With an account: without one, there is no other domain than the default one. */
const make = (domain?: string) =>
  createLink(ctx, owner('alice'), CreateLink.parse({ url: 'https://example.com/', ...(domain ? { domain } : {}) }))

describe('a domain', () => {
  it.each([
    '',
    'example',
    'http://a.example',
    'a.example/x',
    'a.example:80',
    '10.0.0.1',
    '[::1]',
    'a b.example',
    'a@b.example',
    '.',
  ])('is not %j', async (host) => {
    expect(await refusal(addDomain(ctx, { host }))).toBe('validation_failed')
  })

  it('is kept in lower case and ASCII, once', async () => {
    expect(await addDomain(ctx, { host: 'Bücher.Example.' })).toMatchObject({ host: 'xn--bcher-kva.example', verifiedAt: null })
    expect(await refusal(addDomain(ctx, { host: 'bücher.example' }))).toBe('conflict')
  })

  it('is not served until it is proved to be ours', async () => {
    const { id } = await addDomain(ctx, { host: 'later.example' })
    expect(await refusal(make('later.example'))).toBe('validation_failed')
    expect(ctx.domains.resolve('later.example')).toBe('terse.test')
    for (const sources of [
      saying([], null),
      saying(['terse-verification=x'], 'x'),
      saying([], proofOf('another secret', 'later.example')),
    ]) {
      expect(await refusal(verifyDomain(ctx, id, sources))).toBe('conflict')
    }
    const proof = proofOf(ctx.config.APP_SECRET, 'later.example')
    expect((await verifyDomain(ctx, id, saying([], `${proof}\n`))).verifiedAt).not.toBeNull()
    expect((await make('later.example')).link.fullShortUrl).toMatch(/^later\.example\//)
  })

  it('has no other proof than its own', () => {
    const secret = ctx.config.APP_SECRET
    expect(proofOf(secret, 'a.example')).not.toBe(proofOf(secret, 'b.example'))
  })

  it('becomes the default for new links, one at a time, while requests for unknown hosts stay with BASE_URL', async () => {
    const [first, second] = [await verified('first.example'), await verified('second.example')]
    for (const { id, host } of [first, second]) {
      await updateDomain(ctx, id, { isDefault: true })
      expect((await make()).link.fullShortUrl.startsWith(`${host}/`)).toBe(true)
      expect((await listDomains(ctx)).filter(({ isDefault }) => isDefault).map((row) => row.host)).toEqual([host])
    }
    expect(ctx.domains.resolve('nobody.example')).toBe('terse.test')
    expect(await refusal(removeDomain(ctx, second.id))).toBe('conflict')
    const base = (await listDomains(ctx)).find(({ isBase }) => isBase)
    await updateDomain(ctx, base?.id ?? 0, { isDefault: true })
    const { id } = await addDomain(ctx, { host: 'unproved.example' })
    expect(await refusal(updateDomain(ctx, id, { isDefault: true }))).toBe('conflict')
  })

  it('leads its unknown codes, and nothing else, where it is told', async () => {
    const { id } = await verified('lost.example')
    expect((await get('lost.example', '/nothing')).status).toBe(404)
    await updateDomain(ctx, id, { notFoundUrl: 'https://example.com/lost' })
    const { status, headers } = await get('lost.example', '/nothing')
    expect([status, headers.slice(0, 2), headers.includes('no-store')]).toEqual([
      302,
      ['Location', 'https://example.com/lost'],
      true,
    ])
    expect((await get('terse.test', '/nothing')).status).toBe(404)
    const { link } = await make('lost.example')
    expect((await get('lost.example', `/${link.code}`)).headers[1]).toBe('https://example.com/')
    await updateDomain(ctx, id, { notFoundUrl: null })
    expect((await get('lost.example', '/nothing')).status).toBe(404)
  })

  it('leads its pages to BASE_URL, and its front page where it is told', async () => {
    const { id } = await verified('root.example')
    expect(ctx.domains.elsewhere('root.example', '/')).toBe('http://terse.test/')
    expect(ctx.domains.elsewhere('root.example:443', '/docs?x=1')).toBe('http://terse.test/docs?x=1')
    await updateDomain(ctx, id, { rootUrl: 'https://example.com/home' })
    expect(ctx.domains.elsewhere('ROOT.example', '/?utm=1')).toBe('https://example.com/home')
    expect(ctx.domains.elsewhere('terse.test', '/')).toBeNull()
    expect(ctx.domains.elsewhere('127.0.0.1:3000', '/')).toBeNull()
    expect(ctx.domains.elsewhere(undefined, '/')).toBeNull()
  })

  it('cannot lead to short links of ours, which might lead back', async () => {
    const { id } = await verified('loop.example')
    for (const target of ['http://loop.example/x', 'http://terse.test/abc', 'http://later.example/']) {
      expect(await refusal(updateDomain(ctx, id, { notFoundUrl: target })), target).toBe('validation_failed')
      expect(await refusal(updateDomain(ctx, id, { rootUrl: target })), target).toBe('validation_failed')
    }
    expect(await refusal(updateDomain(ctx, id, { notFoundUrl: 'http://terse.test/' }))).toBeNull()
  })

  it('is not removed while deleted links can be restored, and says how many there are, or that there are more', async () => {
    const { id, host } = await verified('bin.example')
    const said = async () => {
      const error = await removeDomain(ctx, id).catch((caught: unknown) => caught)
      if (!isTerseError(error)) throw error
      return error.message
    }
    const rows = Array.from({ length: 1_001 }, (_, i) => {
      const link = linkRow({ domainId: id, code: `bin${i}`, fullShortUrl: `${host}/bin${i}` })
      return deletedRow(link, new Date())
    })
    await ctx.db.client.deletedLink.createMany({ data: rows.slice(0, 1_000) })
    expect(await said()).toMatch(/, and 1,000 deleted links/)
    await ctx.db.client.deletedLink.createMany({ data: rows.slice(1_000) })
    expect(await said()).toMatch(/, and more than 1,000 deleted links/)
    await connection.query('DELETE FROM DeletedLink WHERE domainId = ?', [id])
    await removeDomain(ctx, id)
  })

  it('is removed only without links, and never when it is the host of BASE_URL', async () => {
    const { id, verifiedAt } = await verified('gone.example')
    await make('gone.example')
    expect(await refusal(removeDomain(ctx, id))).toBe('conflict')
    // Served all the time, or its links would have led nowhere.
    expect((await listDomains(ctx)).find(({ host }) => host === 'gone.example')?.verifiedAt).toBe(verifiedAt)
    expect(ctx.domains.resolve('gone.example')).toBe('gone.example')
    const empty = await verified('empty.example')
    await removeDomain(ctx, empty.id)
    expect(ctx.domains.resolve('empty.example')).toBe('terse.test')
    const base = (await listDomains(ctx)).find(({ isBase }) => isBase)
    expect(await refusal(removeDomain(ctx, base?.id ?? 0))).toBe('conflict')
    expect(await refusal(removeDomain(ctx, 999_999))).toBe('not_found')
  })
})
