import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, anonymous } from '@/lib/actor'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, HOST } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { DAY } from '@/lib/tools/time'
import { actOn } from './act'
import { createLink } from './create'
import { insertMany, prepareMany } from './create-many'
import { deleteLink } from './delete'
import { OURSELVES } from './permit'
import { restoreFound, restoreLink } from './restore'
import { updateLink } from './update'

const { url } = await testDatabase()
const redis = await testRedis()
const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
const [ctx, other] = (await Promise.all([testRuntime(settings), testRuntime(settings)])) as [
  Awaited<ReturnType<typeof testRuntime>>,
  Awaited<ReturnType<typeof testRuntime>>,
]
beforeAll(() => settled(ctx, other))

const TO = { url: 'https://example.com/docs' }
const REFUSED = { code: 'conflict', errors: [{ path: 'code' }] }
const [alice, eve, admin] = [owner('alice'), owner('eve'), owner('admin', 'admin')]

const taking = (actor: Actor, code: string, path: 'append' | 'ignore' = 'append') =>
  createLink(ctx, actor, { ...TO, code, routing: { path } })
const many = async (actor: Actor, codes: string[]) =>
  insertMany(
    ctx,
    await prepareMany(
      ctx,
      actor,
      codes.map((code) => ({ ...TO, code })),
    ),
  )

describe('paths below a link that answers for them', () => {
  it.each(['append', 'ignore'] as const)('cannot be taken by others: %s', async (path) => {
    const base = `docs-${freshCode()}`
    await taking(alice, base, path)
    for (const actor of [anonymous(), anonymous('a token of none'), eve, admin]) {
      for (const code of [`${base}/login`, `${base}/a/b/c/d/e`]) {
        await expect(createLink(ctx, actor, { ...TO, code })).rejects.toMatchObject(REFUSED)
        await expect(createLink(ctx, actor, { ...TO, code, routing: { path } })).rejects.toMatchObject(REFUSED)
      }
    }
    expect((await createLink(ctx, alice, { ...TO, code: `${base}/login` })).isNew).toBe(true)
    expect((await createLink(ctx, eve, { ...TO, code: `${base}x/login` })).isNew).toBe(true)
  })

  it('of a link without an account can be taken by who holds its token', async () => {
    const base = freshCode()
    const { manageToken } = await taking(anonymous(), base)
    await expect(createLink(ctx, anonymous(), { ...TO, code: `${base}/a` })).rejects.toMatchObject(REFUSED)
    expect((await createLink(ctx, anonymous(manageToken), { ...TO, code: `${base}/a` })).isNew).toBe(true)
  })

  it('cannot be taken by one of many, and the others are created', async () => {
    const base = freshCode()
    await taking(alice, base)
    const codes = [`${base}/a`, `${freshCode()}/a`, freshCode(), `${base}/b/c`]
    const created = await many(eve, codes)
    expect(created).toMatchObject([REFUSED, { isNew: true }, { isNew: true }, REFUSED])
    expect(await many(alice, [`${base}/a`])).toMatchObject([{ isNew: true }])
  })

  it('are the nearest one’s that takes them', async () => {
    const base = freshCode()
    await createLink(ctx, eve, { ...TO, code: `${base}/eve`, routing: { path: 'append' } })
    await taking(alice, base)
    await createLink(ctx, alice, { ...TO, code: `${base}/plain` })
    expect((await createLink(ctx, eve, { ...TO, code: `${base}/eve/a` })).isNew).toBe(true)
    await expect(createLink(ctx, alice, { ...TO, code: `${base}/eve/b` })).rejects.toMatchObject(REFUSED)
    await expect(createLink(ctx, eve, { ...TO, code: `${base}/plain/a` })).rejects.toMatchObject(REFUSED)
  })

  it('are found in any script', async () => {
    const base = `äpfel-${freshCode()}-例え`
    await taking(alice, base)
    await expect(createLink(ctx, eve, { ...TO, code: `${base}/é/例` })).rejects.toMatchObject(REFUSED)
  })

  it('are taken over by no link that was there before', async () => {
    const base = freshCode()
    await createLink(ctx, eve, { ...TO, code: `${base}/eve` })
    await taking(alice, base)
    const path = { routing: { path: 'append' as const } }
    await expect(updateLink(ctx, eve, { code: `${base}/eve` }, path)).rejects.toMatchObject(REFUSED)
    expect((await updateLink(ctx, eve, { code: `${base}/eve` }, { title: 'mine' })).title).toBe('mine')
  })

  it('rest while the code of the link does that was deleted', async () => {
    const base = freshCode()
    await taking(alice, base)
    await deleteLink(ctx, alice, { code: base })
    await expect(createLink(ctx, eve, { ...TO, code: `${base}/a` })).rejects.toMatchObject(REFUSED)
    const at = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => at + 91 * DAY)
    try {
      expect((await createLink(ctx, eve, { ...TO, code: `${base}/a` })).isNew).toBe(true)
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('are given back to no deleted link of others, since when ever they are taken', async () => {
    const base = freshCode()
    for (const name of ['before', 'after', 'tree', 'between']) await createLink(ctx, eve, { ...TO, code: `${base}/${name}` })
    const path = { routing: { path: 'append' as const } }
    await updateLink(ctx, eve, { code: `${base}/tree` }, path)
    const { manageToken } = await createLink(ctx, anonymous(), { ...TO, code: `${base}/anonymous` })
    const nobody = anonymous(manageToken)
    // The upper link is older than all that is deleted, and came to take paths later.
    await createLink(ctx, alice, { ...TO, code: `${base}/mine` })
    const upper = freshCode()
    await createLink(ctx, alice, { ...TO, code: upper })
    await createLink(ctx, eve, { ...TO, code: `${upper}/login` })
    await deleteLink(ctx, eve, { code: `${upper}/login` })
    await updateLink(ctx, alice, { code: upper }, path)
    await expect(restoreLink(ctx, eve, { code: `${upper}/login` })).rejects.toMatchObject(REFUSED)

    for (const name of ['before', 'tree']) await deleteLink(ctx, eve, { code: `${base}/${name}` })
    await deleteLink(ctx, nobody, { code: `${base}/anonymous` })
    await taking(alice, base)
    for (const name of ['after', 'between']) await deleteLink(ctx, eve, { code: `${base}/${name}` })
    await deleteLink(ctx, alice, { code: `${base}/mine` })
    for (const name of ['before', 'tree', 'after'])
      await expect(restoreLink(ctx, eve, { code: `${base}/${name}` })).rejects.toMatchObject(REFUSED)
    await expect(restoreLink(ctx, nobody, { code: `${base}/anonymous` })).rejects.toMatchObject(REFUSED)
    expect((await restoreLink(ctx, alice, { code: `${base}/mine` })).code).toBe(`${base}/mine`)
    const deletedOf = (name: string) =>
      ctx.db.client.deletedLink.findUniqueOrThrow({ where: { fullShortUrl: `${HOST}/${base}/${name}` } })
    // Jobs that restore many, or undo what was done to many, act as whoever had them made.
    await expect(actOn(ctx, eve, await deletedOf('between'), 'restore', '')).rejects.toMatchObject(REFUSED)
    expect((await restoreFound(ctx, OURSELVES, await deletedOf('before'))).code).toBe(`${base}/before`)
    // Once nobody takes them any more, they are as free as they were.
    await updateLink(ctx, alice, { code: base }, { routing: null })
    expect((await restoreLink(ctx, eve, { code: `${base}/after` })).code).toBe(`${base}/after`)
  })

  it('are one’s from when its creation is answered, however many race for them', async () => {
    const base = freshCode()
    const race = (process: typeof ctx, name: string) =>
      createLink(process, eve, { ...TO, code: `${base}/${name}` }).then(
        () => 'created',
        (error: { code?: string }) => error.code,
      )
    const during = Array.from({ length: 16 }, (_, i) => race(i % 2 ? ctx : other, `during-${i}`))
    await taking(alice, base)
    const after = await Promise.all(Array.from({ length: 16 }, (_, i) => race(i % 2 ? ctx : other, `after-${i}`)))
    expect(new Set(after)).toEqual(new Set(['conflict']))
    for (const result of await Promise.all(during)) expect(['created', 'conflict']).toContain(result)
  })

  it('cost a link no statement whose code has no slash', async () => {
    const asked = vi.spyOn(ctx.db, 'rows')
    await createLink(ctx, eve, { ...TO, code: freshCode() })
    const upper = () => asked.mock.calls.filter(([sql]) => sql.includes('UNION ALL')).length
    expect(upper()).toBe(0)
    await createLink(ctx, eve, { ...TO, code: `${freshCode()}/a/b/c` })
    expect(upper()).toBe(1)
    asked.mockRestore()
  })
})
