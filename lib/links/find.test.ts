import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, anonymous } from '@/lib/actor'
import { getLink, patchLink, postRestore, removeLink } from '@/lib/api/links'
import { getClicks, getClicksCsv, getLinkStats, getLive, getStatsCsv } from '@/lib/api/stats'
import { setRuntime } from '@/lib/runtime'
import { testDatabase } from '@/lib/testing/database'
import { freshCode, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { deleteLink } from './delete'
import { findManaged, isOfAccount } from './find'
import { insertLinks } from './insert'

const { url } = await testDatabase()
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
setRuntime(ctx)

const alice = owner('alice')
const destination = 'https://example.com/'
/** One code of each kind there is, by what became of it. */
const codes: Record<string, string> = {}

beforeAll(async () => {
  await settled(ctx)
  const make = async (actor: Actor) => (await createLink(ctx, actor, { url: destination })).link.code
  codes.owned = await make(alice)
  codes.anonymous = await make(anonymous())
  codes.deleted = await make(alice)
  await deleteLink(ctx, alice, { code: codes.deleted })
  codes.spoken = '4821'
  codes.banned = freshCode()
  await insertLinks(ctx.db.client, [
    linkRow({ code: '4821', expiresAt: new Date(Date.now() + 3_600_000) }),
    linkRow({ code: codes.banned, ownerId: 'alice', state: 'banned' }),
  ])
})

it('tells strangers that a link is an account’s, but of none that can be guessed digit by digit', async () => {
  await insertLinks(ctx.db.client, [linkRow({ code: '4822', ownerId: 'alice', expiresAt: new Date(Date.now() + 3_600_000) })])
  const of = (code: string | undefined) => isOfAccount(ctx, { code: code ?? '' })
  expect(await Promise.all([codes.owned, codes.anonymous, '4822', 'never-made'].map(of))).toEqual([true, false, false, false])
})

const ROUTES = {
  GET: getLink,
  PATCH: patchLink,
  DELETE: removeLink,
  'POST restore': postRestore,
  'GET stats': getLinkStats,
  'GET stats.csv': getStatsCsv,
  'GET clicks': getClicks,
  'GET clicks.csv': getClicksCsv,
  'HEAD live': getLive,
}

/** The whole answer: status, headers and body. */
async function ask(name: keyof typeof ROUTES, code: string, headers: Record<string, string>) {
  const method = name.split(' ')[0] ?? ''
  const body = method === 'PATCH' ? { body: JSON.stringify({ title: 'x' }) } : {}
  const request = new Request(`http://terse.test/api/v1/links/${code}`, {
    method,
    headers: { ...headers, ...(method === 'PATCH' ? { 'Content-Type': 'application/json' } : {}) },
    ...body,
  })
  const answer = await ROUTES[name](request, { params: Promise.resolve({ code }) })
  return { status: answer.status, headers: [...answer.headers], body: await answer.text() }
}

describe('who may not manage a link', () => {
  const strangers = { 'without credentials': {}, 'with the token of another link': { Authorization: 'Bearer some-other-token' } }

  it.each(
    Object.keys(ROUTES).flatMap((name) => Object.entries(strangers).map(([who, headers]) => [name, who, headers] as const)),
  )('learns nothing of any code by %s, %s', async (name, _, headers) => {
    const unknown = await ask(name as keyof typeof ROUTES, '4822', headers)
    expect(unknown.status).toBe('Authorization' in headers ? 404 : 401)
    for (const [kind, code] of Object.entries(codes)) {
      expect(await ask(name as keyof typeof ROUTES, code, headers), kind).toEqual(unknown)
    }
  })

  it('learns nothing by another account, or by what MySQL is asked', async () => {
    for (const actor of [owner('bob'), anonymous('some-other-token')]) {
      const refusals = []
      for (const code of [...Object.values(codes), 'nothing-there']) {
        const error = await findManaged(ctx, actor, { code }, 'write').catch((reason: unknown) => reason)
        refusals.push(error)
      }
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ code: 'not_found', message: (refusals[0] as Error).message })
    }
  })

  it('as an admin looks at every link, and is told why none can be changed', async () => {
    const admin = owner('carol', 'admin')
    expect(await findManaged(ctx, admin, { code: codes.owned ?? '' }, 'read')).toMatchObject({ code: codes.owned })
    await expect(findManaged(ctx, admin, { code: codes.owned ?? '' }, 'write')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(findManaged(ctx, admin, { code: codes.deleted ?? '' }, 'read')).rejects.toMatchObject({ code: 'gone' })
  })

  it('and who may is told of a deletion', async () => {
    await expect(findManaged(ctx, alice, { code: codes.deleted ?? '' }, 'read')).rejects.toMatchObject({ code: 'gone' })
  })
})
