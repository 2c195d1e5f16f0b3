import { beforeAll, describe, expect, it } from 'vitest'
import { getTemplates, patchTemplate, postTemplate, removeTemplate } from '@/lib/api/utm'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { MOST_TEMPLATES } from './values'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const PATH = '/api/v1/utm-templates'

async function member() {
  const visitor = new Visitor(ctx)
  const { id } = await visitor.signUp()
  const list = async () => (await visitor.ask(getTemplates, 'GET', PATH)).body.templates
  const create = (body: object) => visitor.ask(postTemplate, 'POST', PATH, body)
  const edit = (template: string, body: object) => visitor.ask(patchTemplate, 'PATCH', PATH, body, {}, { id: template })
  const remove = (template: string) => visitor.ask(removeTemplate, 'DELETE', PATH, undefined, {}, { id: template })
  return { id, list, create, edit, remove }
}

describe('UTM templates of an account', () => {
  it('are created, edited, listed by name and deleted, and are nobody else’s', async () => {
    const [mine, other] = [await member(), await member()]
    const b = await mine.create({ name: ' b  Newsletter ', source: 'news', medium: 'email' })
    expect([b.status, b.body]).toEqual([
      201,
      { id: expect.any(String), name: 'b Newsletter', source: 'news', medium: 'email', campaign: '', term: '', content: '' },
    ])
    await mine.create({ name: 'A', campaign: 'spring' })
    expect((await mine.list()).map(({ name }: { name: string }) => name)).toEqual(['A', 'b Newsletter'])
    expect((await mine.edit(b.body.id, { medium: '', name: 'c' })).body).toMatchObject({ name: 'c', source: 'news', medium: '' })
    expect(await other.list()).toEqual([])
    expect((await other.edit(b.body.id, { source: 'x' })).status).toBe(404)
    expect((await other.remove(b.body.id)).status).toBe(404)
    expect((await mine.remove(b.body.id)).status).toBe(204)
    expect((await mine.remove('x')).status).toBe(404)
    expect(await mine.list()).toHaveLength(1)
  })

  it('have names of their own, whatever their case, even when two are created at once', async () => {
    const { create, edit, list } = await member()
    const tries = await Promise.all(['Spring', 'SPRING', 'spring'].map((name) => create({ name, source: 'a' })))
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const other = await create({ name: 'Summer', source: 'a' })
    const refused = await edit(other.body.id, { name: 'sPRING' })
    expect([refused.status, refused.body.errors]).toEqual([409, [expect.objectContaining({ path: 'name' })]])
    expect(await list()).toHaveLength(2)
  })

  it('have at least one value, and names and values of a bounded length', async () => {
    const { create, edit } = await member()
    expect((await create({ name: 'Empty' })).status).toBe(422)
    expect((await create({ name: '', source: 'a' })).status).toBe(422)
    expect((await create({ name: 'Long', source: 'a'.repeat(101) })).status).toBe(422)
    expect((await create({ name: 'n'.repeat(51), source: 'a' })).status).toBe(422)
    const { body } = await create({ name: 'Full', source: 'a'.repeat(100) })
    expect((await edit(body.id, { source: '' })).status).toBe(422)
    expect((await edit(body.id, {})).status).toBe(422)
  })

  it('are so many and no more, however many are created at once', async () => {
    const { create, id, list } = await member()
    const rest = { source: 'a', medium: '', campaign: '', term: '', content: '' }
    await ctx.db.client.utmTemplate.createMany({
      data: Array.from({ length: MOST_TEMPLATES - 1 }, (_, i) => ({
        ...{ id: BigInt(i + 1), ownerId: id, name: String(i), nameKey: String(i) },
        ...rest,
      })),
    })
    const tries = await Promise.all(['x', 'y', 'z'].map((name) => create({ name, source: 'a' })))
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await list()).toHaveLength(MOST_TEMPLATES)
  })
})
