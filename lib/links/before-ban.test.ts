import { beforeAll, describe, expect, it } from 'vitest'
import { closeAccount, finishRemoval } from '@/lib/accounts/remove'
import type { Link } from '@/lib/db/generated/client'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { banLink, switchLink, unbanLink } from './ban'
import { createLink } from './create'
import { deleteLink } from './delete'
import { type Maker, OURSELVES } from './permit'
import { restoreFound, restoreLink } from './restore'
import { changeLink, updateLink } from './update'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const alice = owner('alice')
const make = async (by = alice, given: object = {}) => {
  const code = freshCode()
  return (await createLink(ctx, by, { url: `https://example.com/${code}`, code, ...given })).link
}
const find = (id: bigint) => ctx.db.client.link.findUnique({ where: { id } })

describe('the end of a ban', () => {
  it.each([true, false])('gives the link the state that it had before, enabled: %s', async (enabled) => {
    const link = await make()
    await updateLink(ctx, alice, link, { enabled })
    await banLink(ctx, OURSELVES, link.id, 'Phishing.')
    // Another reason is not another ban.
    await banLink(ctx, OURSELVES, link.id, 'Phishing, and worse.')
    expect(await unbanLink(ctx, OURSELVES, link.id)).toMatchObject({ state: enabled ? 'active' : 'disabled', banReason: '' })
    const { entry } = await ctx.lookup.find(link.fullShortUrl)
    expect(entry.record).toMatchObject({ state: enabled ? 'active' : 'disabled' })
    // Afterwards it is as any other.
    expect(await switchLink(ctx, alice, link.id, true)).toMatchObject({ state: 'active' })
  })

  it('does so too when the link was deleted and restored meanwhile', async () => {
    const link = await make()
    await updateLink(ctx, alice, link, { enabled: false })
    await banLink(ctx, OURSELVES, link.id, '')
    await deleteLink(ctx, alice, link)
    await restoreLink(ctx, alice, link)
    expect((await find(link.id))?.state).toBe('banned')
    expect(await unbanLink(ctx, OURSELVES, link.id)).toMatchObject({ state: 'disabled' })
  })

  it('of a link whose snapshot, or ban, is of an earlier release, opens nothing: it may have been switched off', async () => {
    const link = await make()
    await banLink(ctx, OURSELVES, link.id, '')
    await ctx.db.client.link.update({ where: { id: link.id }, data: { stateBeforeBan: '' } })
    await deleteLink(ctx, alice, link)
    const deleted = await ctx.db.client.deletedLink.findUniqueOrThrow({ where: { id: link.id } })
    const { stateBeforeBan: _, ...old } = JSON.parse(deleted.snapshot)
    await ctx.db.client.deletedLink.update({ where: { id: link.id }, data: { snapshot: JSON.stringify(old) } })
    await restoreLink(ctx, alice, link)
    expect(await unbanLink(ctx, OURSELVES, link.id)).toMatchObject({ state: 'disabled' })
  })
})

describe('a banned link', () => {
  const boss = { ...owner('boss', 'admin'), isModerator: true } as const

  it.each<[string, Maker, Partial<Link>]>([
    ['its owner, whatever it is', alice, { title: 'Another' }],
    ['its owner, who lifts the ban', alice, { state: 'active', banReason: '', stateBeforeBan: '' }],
    ['an admin who switches it on', boss, { state: 'active' }],
    ['an admin who switches it off', boss, { state: 'disabled' }],
    ['an admin who opens more than there was', boss, { state: 'disabled', banReason: '', stateBeforeBan: '' }],
  ])('takes no change of %s', async (_, by, change) => {
    const link = await make()
    const banned = await banLink(ctx, OURSELVES, link.id, 'Phishing.')
    const changed = changeLink(
      ctx,
      by,
      async () => banned,
      () => change,
    )
    await expect(changed).rejects.toMatchObject({ code: 'forbidden' })
    expect(await find(link.id)).toMatchObject({ state: 'banned', title: '', version: banned.version })
  })
})

describe('an owner who is gone', () => {
  it('does not come back with a link that is restored: it is nobody’s, on no page, and for admins to manage', async () => {
    await keepAccount(ctx.db, 'gone')
    const gone = owner('gone')
    const link = await make(gone, { listed: true })
    await deleteLink(ctx, gone, link)
    await closeAccount(ctx, 'gone', 'keep')
    await finishRemoval(ctx, 'gone')
    await expect(restoreLink(ctx, gone, link)).rejects.toMatchObject({ code: 'not_found' })
    const deleted = await ctx.db.client.deletedLink.findUniqueOrThrow({ where: { id: link.id } })
    await restoreFound(ctx, OURSELVES, deleted)
    expect(await find(link.id)).toMatchObject({ ownerId: null, manageTokenHash: null, listed: false, state: 'active' })
  })

  it('does not come back with one that is restored while the account is being removed', async () => {
    for (let round = 0; round < 5; round++) {
      const id = `going-${round}`
      await keepAccount(ctx.db, id)
      const links = [await make(owner(id)), await make(owner(id)), await make(owner(id))]
      for (const link of links) await deleteLink(ctx, owner(id), link)
      const deleted = await ctx.db.client.deletedLink.findMany({ where: { ownerId: id } })
      await closeAccount(ctx, id, 'keep')
      await Promise.all([finishRemoval(ctx, id), ...deleted.map((row) => restoreFound(ctx, OURSELVES, row))])
      await eventually(async () => expect(await ctx.db.client.user.count({ where: { id } })).toBe(0))
      expect(await ctx.db.client.link.count({ where: { ownerId: id } })).toBe(0)
      expect(await ctx.db.client.link.count({ where: { id: { in: links.map((link) => link.id) } } })).toBe(3)
    }
  })
})
