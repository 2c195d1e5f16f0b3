import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Link } from '@/lib/db/generated/client'
import { createIdSource, takeIdsFrom } from '@/lib/db/id'
import { encodeRecord, toRecord } from '@/lib/redirect/record'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner } from '@/lib/testing/runtime'
import { spokenRuntimes } from '@/lib/testing/spoken'
import { createLink } from './create'
import { deleteLink } from './delete'
import { SpokenInput } from './schemas'
import { createSpoken } from './spoken'

const HOUR = 3_600_000
const { url, connection } = await testDatabase()
const server = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: server.url, CODE_REUSE_AFTER: '0' }
const { ctx, other, spoken, ready } = await spokenRuntimes(settings)
beforeAll(ready)

const alice = owner('alice')
let stopAhead = () => {}
afterEach(() => {
  stopAhead()
  vi.restoreAllMocks()
})

/** What `make` makes in a process whose clock is an hour ahead. */
async function ahead(make: () => Promise<Link>): Promise<Link> {
  stopAhead = takeIdsFrom(createIdSource(() => Date.now() + HOUR))
  const link = await make()
  stopAhead()
  return link
}

const custom = () => {
  const code = freshCode()
  return async () => (await createLink(ctx, alice, { url: 'https://example.com/', code })).link
}
const generated = () => {
  const to = `https://example.com/${freshCode()}`
  return async () => (await createLink(ctx, alice, { url: to })).link
}
const many = () => {
  const to = `https://example.com/${freshCode()}`
  return async () => {
    const [made] = await createLinks(ctx, alice, [{ url: to }])
    if (!made) throw new Error('nothing was made')
    return made.link
  }
}

/** The newest of what is known of a code: the truth, Redis and another process. */
async function known(full: string): Promise<unknown[]> {
  const [row, { record }, { entry }] = await Promise.all([
    ctx.db.client.link.findUnique({ where: { fullShortUrl: full } }),
    ctx.registry.lookup(full),
    other.lookup.find(full),
  ])
  return [row?.id, record, entry.record]
}

describe('a code that is used again, after a link whose maker had a clock an hour ahead', () => {
  it.each([
    ['chosen', custom],
    ['generated', generated],
    ['generated with others', many],
  ])('leads to the new link when it is %s', async (_, way) => {
    const make = way()
    const former = await ahead(make)
    await deleteLink(ctx, alice, former)
    const link = await make()
    expect(link.fullShortUrl).toBe(former.fullShortUrl)
    expect(link.id).toBeLessThan(former.id)
    expect(link.version).toBeGreaterThan(former.version + 1n)
    // The first reader fills in what Redis was not told.
    await expect.poll(() => known(link.fullShortUrl)).toEqual([link.id, encodeRecord(toRecord(link)), toRecord(link)])
  })

  it.each(['expired', 'deleted'])('leads to the new link when it is a number, and the former %s', async (end) => {
    const input = SpokenInput.parse({ url: 'https://example.com/aloud' })
    const former = await ahead(() => createSpoken(ctx, alice, input))
    const before = new Date(Date.now() - ctx.config.SPOKEN_GRACE - HOUR)
    if (end === 'deleted') await deleteLink(ctx, alice, former)
    await connection.query('UPDATE Link SET expiresAt = ? WHERE id = ?', [before, former.id])
    await connection.query('UPDATE DeletedLink SET deletedAt = ? WHERE id = ?', [before, former.id])
    // The cycle comes round to it.
    vi.spyOn(spoken, 'source').mockReturnValue({ issue: async () => former.code, taken: async () => {} })
    const link = await createSpoken(ctx, alice, input)
    expect(link.fullShortUrl).toBe(former.fullShortUrl)
    expect(link.version).toBeGreaterThan(former.version + (end === 'deleted' ? 1n : 0n))
    await expect.poll(() => known(link.fullShortUrl)).toEqual([link.id, encodeRecord(toRecord(link)), toRecord(link)])
  })
})
