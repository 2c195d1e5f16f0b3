import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimLinks } from '@/lib/accounts/claim'
import { closeAccount, finishRemoval } from '@/lib/accounts/remove'
import { type Actor, anonymous } from '@/lib/actor'
import type { Link } from '@/lib/db/generated/client'
import { CUT, SearchIndexer } from '@/lib/search/indexer'
import { keepAccount } from '@/lib/testing/accounts'
import { createLinks } from '@/lib/testing/create-links'
import { testDatabase } from '@/lib/testing/database'
import { SILENT } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { deleteLink } from './delete'
import type { LinkScope } from './filter'
import { listLinks, listWithin } from './list'
import { restoreLink } from './restore'
import { ListLinks } from './schemas'
import { updateLink } from './update'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
ctx.searchIndexer.close()
const alice = owner('alice')
const bob = owner('bob')
const ALICE: LinkScope = { ownerId: 'alice' }

const indexer = new SearchIndexer(ctx.db, ctx.redis, SILENT, { ...CUT, least: 1, most: 50, settle: 0 })
const fill = async () => {
  while ((await indexer.step()) > 0);
}

beforeAll(async () => {
  await settled(ctx)
  await keepAccount(ctx.db, 'alice', 'admin')
  await keepAccount(ctx.db, 'bob')
})

let made = 0
/** A word that no other link has. */
const word = () => `vor${'abcdefghijklmnopqrstuvwxyz'[made % 26]}${made++}wort`
const create = async (actor: Actor, title: string): Promise<Link> =>
  (await createLink(ctx, actor, { url: 'https://example.com/', title })).link

/** Ids of what is found in the middle of words, by a list that looks at single links and then at the index. */
async function found(scope: LinkScope, q: string): Promise<bigint[]> {
  const reach = { time: 0, timeWithTerms: 0, window: 1, windowWithTerms: 1, index: 5_000 }
  const ids: bigint[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listWithin(ctx, scope, ListLinks.parse({ q, ...(cursor && { cursor }) }), Date.now(), reach)
    ids.push(...page.links.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}

describe.each([
  ['before it is indexed', async () => {}],
  ['once it is indexed', fill],
])('a link %s', (_, settle) => {
  // Others come between, so that no list ends with the first link.
  beforeEach(async () => {
    await createLinks(
      ctx,
      alice,
      Array.from({ length: 5 }, (_, i) => ({ url: `https://other${i}.example/${made}` })),
    )
    await settle()
  })

  it('is found by what it is after each change, and not by what it was', async () => {
    const [before, after] = [word(), word()]
    const link = await create(alice, before)
    await settle()
    expect(await found(ALICE, before.slice(1, -1))).toEqual([link.id])
    await updateLink(ctx, alice, link, { title: after })
    expect(await found(ALICE, before)).toEqual([])
    expect(await found(ALICE, after)).toEqual([link.id])
    await settle()
    expect(await found(ALICE, before)).toEqual([])
    expect(await found(ALICE, after)).toEqual([link.id])
  })

  it('is gone at once when it is deleted, and back when it is restored', async () => {
    const title = word()
    const link = await create(alice, title)
    await settle()
    await deleteLink(ctx, alice, link)
    for (const scope of [ALICE, {}]) expect(await found(scope, title)).toEqual([])
    await settle()
    await restoreLink(ctx, alice, link)
    expect(await found(ALICE, title)).toEqual([link.id])
    await settle()
    for (const scope of [ALICE, {}]) expect(await found(scope, title)).toEqual([link.id])
  })

  it('is found by who has it alone', async () => {
    const title = word()
    const [hers, his, nobodys] = [await create(alice, title), await create(bob, title), await create(anonymous(), title)]
    await settle()
    expect(await found(ALICE, title)).toEqual([hers.id])
    expect(await found({ ownerId: 'bob' }, title)).toEqual([his.id])
    expect(await found({ ownerId: null }, title)).toEqual([nobodys.id])
    expect(await found({}, title)).toEqual([nobodys.id, his.id, hers.id])
  })

  it('is found among those of its new owner once it has one, and of nobody when that account is gone', async () => {
    const title = word()
    const created = await createLink(ctx, anonymous(), { url: 'https://example.com/', title })
    const id = created.link.id
    const carl = `carl${made}`
    await keepAccount(ctx.db, carl)
    await settle()
    await claimLinks(ctx, carl, [created.manageToken ?? ''])
    await settle()
    expect(await found({ ownerId: carl }, title)).toEqual([id])
    expect(await found({ ownerId: null }, title)).toEqual([])
    await closeAccount(ctx, carl, 'keep')
    await finishRemoval(ctx, carl)
    await settle()
    expect(await found({ ownerId: null }, title)).toEqual([id])
    expect(await found({ ownerId: carl }, title)).toEqual([])
  })

  it('is found by all of several terms, and by each way to write one', async () => {
    const { id } = await create(alice, 'Größe 100% a_b 日本語 🎉 zum Mitnehmen')
    await settle()
    for (const q of ['grösse 日本', 'GROSSE 🎉 tnehm', '100% a_b', '本 mple.c', 'itnehme ttps'])
      expect(await found(ALICE, q), q).toContain(id)
    for (const q of ['grösse 日本 nichts', '100_ mitnehmen', 'a%b mitnehmen', 'xmitnehmen'])
      expect(await found(ALICE, q), q).not.toContain(id)
  })

  it('comes first when its code, its short URL or its destination was typed', async () => {
    const destination = `https://example.com/named/${word()}?x=1`
    const { link } = await createLink(ctx, alice, { url: destination })
    await createLinks(ctx, alice, [{ url: `${destination}0` }, { url: `${destination}1` }])
    await settle()
    for (const q of [link.code, link.fullShortUrl, destination]) {
      const { links } = await listLinks(ctx, ALICE, ListLinks.parse({ q }))
      expect(links[0]?.id, q).toBe(link.id)
      expect(links.filter(({ id }) => id === link.id)).toHaveLength(1)
    }
    for (const q of [link.code, destination]) expect(await found({ ownerId: 'bob' }, q)).toEqual([])
  })
})
