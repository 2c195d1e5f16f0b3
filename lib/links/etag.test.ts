import { expect, it } from 'vitest'
import { getLink, patchLink, postLink, removeLink } from '@/lib/api/links'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)
const ada = new Visitor(ctx)
await ada.signUp()

async function make(by = ada) {
  const { body: link } = await by.ask(postLink, 'POST', '/api/v1/links', { url: 'https://example.com/' })
  const path = `/api/v1/links/${link.code}`
  const sign: Record<string, string> = link.manageToken ? { authorization: `Bearer ${link.manageToken}` } : {}
  const read = () => by.ask(getLink, 'GET', path, undefined, sign, { code: link.code })
  const etag = async () => (await read()).headers.get('etag') ?? ''
  const given = (ifMatch?: string) => ({ ...sign, ...(ifMatch !== undefined && { 'if-match': ifMatch }) })
  const edit = (body: object, ifMatch?: string) => by.ask(patchLink, 'PATCH', path, body, given(ifMatch), { code: link.code })
  const remove = (ifMatch?: string) => by.ask(removeLink, 'DELETE', path, undefined, given(ifMatch), { code: link.code })
  return { id: BigInt(link.id), read, etag, edit, remove }
}

it('a link is edited as the version that someone saw, or not at all', async () => {
  const link = await make()
  const seen = await link.etag()
  expect(seen).toMatch(/^"\d+-[\w-]{11}"$/)
  const first = await link.edit({ title: 'mine' }, seen)
  expect([first.status, first.headers.get('etag')]).toEqual([200, await link.etag()])
  const second = await link.edit({ title: 'theirs' }, seen)
  expect([second.status, second.body.code]).toEqual([412, 'precondition_failed'])
  expect((await link.read()).body.title).toBe('mine')
  // One of several, whatever there is, and an edit without a condition.
  expect((await link.edit({ title: 'a' }, `"1-x", ${await link.etag()}`)).status).toBe(200)
  expect((await link.edit({ title: 'b' }, '*')).status).toBe(200)
  expect((await link.edit({ title: 'c' })).status).toBe(200)
})

it('tags and comments are part of the version for their owner, and clicks are not', async () => {
  const link = await make()
  const seen = await link.etag()
  await ctx.db.change('UPDATE Link SET clicks = clicks + 5 WHERE id = ?', link.id)
  expect(await link.etag()).toBe(seen)
  expect((await link.edit({ tags: ['spring'] }, seen)).status).toBe(200)
  expect((await link.edit({ comment: 'late' }, seen)).status).toBe(412)
  expect((await link.read()).body).toMatchObject({ tags: ['spring'], comment: '' })
})

it('a link is deleted as the version that someone saw, with a manage token too', async () => {
  const link = await make(new Visitor(ctx))
  const seen = await link.etag()
  expect((await link.edit({ title: 'new' })).status).toBe(200)
  expect((await link.remove(seen)).status).toBe(412)
  expect((await link.remove(await link.etag())).status).toBe(204)
})

it('who edits a link while another does loses to the one that was first', async () => {
  const link = await make()
  const seen = await link.etag()
  const edits = await Promise.all(Array.from({ length: 8 }, (_, i) => link.edit({ title: `edit ${i}` }, seen)))
  expect(edits.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)])
})
