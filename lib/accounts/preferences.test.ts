import { describe, expect, it } from 'vitest'
import { getPreferences, patchPreferences } from '@/lib/api/account'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { MOST_VIEWS } from './preferences'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

const PATH = '/api/v1/account/preferences'
const read = async (visitor: Visitor) => (await visitor.ask(getPreferences, 'GET', PATH)).body
const change = (visitor: Visitor, body: unknown) => visitor.ask(patchPreferences, 'PATCH', PATH, body)

async function someone() {
  const visitor = new Visitor(ctx)
  return { visitor, ...(await visitor.signUp()) }
}

describe('the preferences of an account', () => {
  it('are none at first, and in every browser of it what was chosen in one', async () => {
    const { visitor, email } = await someone()
    expect(await read(visitor)).toEqual({ look: null, singleKeys: null, views: [] })
    const look = { layout: 'cards', columns: ['clicks', 'state'] }
    expect(await change(visitor, { look })).toMatchObject({ status: 200, body: { look, singleKeys: null } })
    await change(visitor, { singleKeys: false })
    await change(visitor, { saveViews: [{ name: 'Old ones', query: 'sort=oldest&look=rows.clicks' }] })
    const other = new Visitor(ctx)
    await other.signIn(email)
    const views = [{ name: 'Old ones', query: 'sort=oldest&look=rows.clicks' }]
    expect(await read(other)).toEqual({ look, singleKeys: false, views })
    expect(await read((await someone()).visitor)).toEqual({ look: null, singleKeys: null, views: [] })
  })

  it('lose nothing when two browsers change them at once', async () => {
    const { visitor } = await someone()
    const view = { name: 'A view', query: 'q=a' }
    const told = await Promise.all([change(visitor, { singleKeys: false }), change(visitor, { saveViews: [view] })])
    expect(told.map(({ status }) => status)).toEqual([200, 200])
    expect(await read(visitor)).toEqual({ look: null, singleKeys: false, views: [view] })
  })

  it('hold one view for each name, in whatever letters, and so many of them', async () => {
    const { visitor } = await someone()
    await change(visitor, { saveViews: [{ name: 'Größe', query: 'q=a' }] })
    const renamed = [
      { name: 'GRÖSSE', query: 'q=b' },
      { name: 'gRÖßE', query: 'q=c' },
    ]
    expect((await change(visitor, { saveViews: renamed })).body.views).toEqual(renamed)
    expect((await change(visitor, { deleteViews: ['grösse', 'nothing'] })).body.views).toEqual([renamed[1]])
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `${i}`, query: '' }))
    expect((await change(visitor, { saveViews: many(MOST_VIEWS) })).body.errors).toMatchObject([{ path: 'saveViews' }])
    const full = await change(visitor, { saveViews: many(MOST_VIEWS), deleteViews: ['größe'] })
    expect(full.body.views).toHaveLength(MOST_VIEWS)
    expect(await read(visitor)).toEqual(full.body)
  })

  it.each([
    {},
    { look: { layout: 'piles', columns: [] } },
    { look: { layout: 'rows', columns: Array(6).fill('clicks') } },
    { singleKeys: 'off' },
    { saveViews: [{ name: '', query: 'q=a' }] },
    { saveViews: [{ name: 'a'.repeat(61), query: 'q=a' }] },
    { saveViews: [{ name: 'a', query: 'q=ä b' }] },
    { saveViews: [{ name: 'a', query: 'a'.repeat(2_401) }] },
    { saveViews: Array(51).fill({ name: 'a', query: '' }) },
  ])('are not %j', async (body) => {
    const { visitor, id } = await someone()
    expect((await change(visitor, body)).status).toBe(422)
    expect(await connection.query('SELECT * FROM Preferences WHERE userId = ?', [id])).toEqual([])
  })
})
