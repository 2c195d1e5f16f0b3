import { beforeAll, describe, expect, it } from 'vitest'
import { isRetryable } from '@/lib/db/errors'
import { keepClicks } from '@/lib/testing/clicks'
import { connectTo, testDatabase } from '@/lib/testing/database'
import { deletedRow, freshCode, HOST, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { deleteLink } from './delete'
import { restoreLink } from './restore'
import { Sweeper } from './sweep'

const { url, connection } = await testDatabase()
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url, CODE_REUSE_AFTER: '0' })
beforeAll(() => settled(ctx))

const DAY = 86_400_000
const alice = owner('alice')
const make = async (code = freshCode()) => (await createLink(ctx, alice, { url: `https://example.com/${code}`, code })).link
const clicksOf = async (id: bigint) => (await ctx.db.client.link.findUnique({ where: { id } }))?.clicks
const queued = async () => (await ctx.db.client.clickPurge.findMany()).map(({ linkId }) => linkId)

describe('restoreLink', () => {
  it('counts the clicks that were applied while the link was deleted', async () => {
    const link = await make()
    await deleteLink(ctx, alice, { code: link.code })
    await keepClicks(connection, link.id, [{ at: Date.now() }, { at: Date.now(), kind: 'bot' }, { at: Date.now() - DAY }])
    const restored = await restoreLink(ctx, alice, { code: link.code })
    expect(restored.clicks).toBe(3n)
    expect(await clicksOf(link.id)).toBe(3n)
  })

  it('loses no click of a batch that is being applied meanwhile, and counts none twice', async () => {
    const apply = await connectTo(url)
    for (let round = 0; round < 10; round++) {
      const link = await make()
      await deleteLink(ctx, alice, { code: link.code })
      // As clicks are applied: the counts first, then the link, if it is there. One that a deadlock stops begins again.
      const batch = async () => {
        for (;;) {
          await apply.beginTransaction()
          try {
            await keepClicks(apply, link.id, [{ at: Date.now(), visitor: round }])
            await apply.query('UPDATE Link SET clicks = clicks + 1 WHERE id = ?', [link.id])
            return await apply.commit()
          } catch (error) {
            await apply.rollback()
            if (!isRetryable(error)) throw error
          }
        }
      }
      await Promise.all([batch(), restoreLink(ctx, alice, { code: link.code })])
      expect(await clicksOf(link.id)).toBe(1n)
    }
    await apply.end()
  })
})

describe('a link that is gone for good', () => {
  it('leaves its clicks to be deleted when its time for being restored is over', async () => {
    const [past, recent] = [linkRow({ fullShortUrl: `${HOST}/past` }), linkRow({ fullShortUrl: `${HOST}/recent` })]
    const rows = [deletedRow(past, new Date(Date.now() - 3 * DAY)), deletedRow(recent)]
    await ctx.db.client.deletedLink.createMany({ data: rows })
    await keepClicks(connection, past.id, [{ at: Date.now() }])
    await keepClicks(connection, recent.id, [{ at: Date.now() }])
    const sweeper = new Sweeper(ctx)
    await sweeper.sweep()
    expect(await queued()).toEqual([past.id])
    await sweeper.sweep()
    await sweeper.sweep()
    expect(await queued()).toEqual([])
    const left = await ctx.db.client.singleClick.findMany({ where: { linkId: { in: [past.id, recent.id] } } })
    expect(left.map(({ linkId }) => linkId)).toEqual([recent.id])
  })

  it('does so too when another link with its code is deleted', async () => {
    const first = await make()
    await deleteLink(ctx, alice, { code: first.code })
    const second = await make(first.code)
    await deleteLink(ctx, alice, { code: first.code })
    expect(await queued()).toEqual([first.id])
    expect(await restoreLink(ctx, alice, { code: first.code })).toMatchObject({ id: second.id })
  })
})
