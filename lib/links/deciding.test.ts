import { beforeAll, describe, expect, it } from 'vitest'
import type { Link } from '@/lib/db/generated/client'
import { isTerseError } from '@/lib/errors'
import type { RoutingFields } from '@/lib/routing/routing'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { CreateLink, UpdateLink } from './schemas'
import { updateLink } from './update'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))
const alice = owner('alice')

const to = 'https://there.example/'
const OVER = { when: [{ of: 'date' as const, to: '2020-01-01T00:00:00.000Z' }], url: to }
const GERMAN = { when: [{ of: 'language' as const, in: ['de'] }], url: to }
const CONFLICT = {
  when: [
    { of: 'os' as const, in: ['iOS'] },
    { of: 'os' as const, in: ['Android'] },
  ],
  url: to,
}
const SPLIT = {
  variants: [
    { url: `${to}a`, weight: 50 },
    { url: `${to}b`, weight: 50 },
  ],
  endsAt: '2020-01-01T00:00:00.000Z',
}

async function pathsOf(done: Promise<unknown>): Promise<string[]> {
  const error = await done.then(
    () => null,
    (refused: unknown) => refused,
  )
  if (error !== null && !isTerseError(error)) throw error
  return error?.errors?.map(({ path }) => path) ?? []
}

const make = async (routing: RoutingFields, isTakenOver = false) =>
  (await createLink(ctx, alice, CreateLink.parse({ url: to, code: freshCode(), routing }), null, { isTakenOver })).link
const edit = ({ code }: Link, routing: RoutingFields) => updateLink(ctx, alice, { code }, UpdateLink.parse({ routing }))

describe('a routing whose time is over', () => {
  it('is refused for a new link', async () => {
    expect(await pathsOf(make({ rules: [GERMAN, OVER] }))).toEqual(['routing.rules.1.when.0'])
    expect(await pathsOf(make({ split: SPLIT }))).toEqual(['routing.split.endsAt'])
  })

  it('is taken over from elsewhere, where it worked', async () => {
    expect((await make({ rules: [GERMAN, OVER], split: SPLIT }, true)).routing).toContain('2020-01-01')
    expect(await pathsOf(make({ rules: [CONFLICT] }, true))).toEqual(['routing.rules.0.when.1'])
  })

  it('is edited around, and neither added nor begun again', async () => {
    const link = await make({ rules: [OVER] }, true)
    expect((await edit(link, { rules: [GERMAN, OVER] })).routing).toContain('"de"')
    const late = { when: [{ of: 'date' as const, to: '2021-01-01T00:00:00.000Z' }], url: to }
    expect(await pathsOf(edit(link, { rules: [late, OVER] }))).toEqual(['routing.rules.0.when.0'])
    expect(await pathsOf(edit(link, { rules: [OVER], split: SPLIT }))).toEqual(['routing.split.endsAt'])
    const decided = await make({ split: { ...SPLIT, winner: `${to}a` } })
    expect(await pathsOf(edit(decided, { split: SPLIT }))).toEqual(['routing.split.endsAt'])
  })

  it('is not refused in what a link had before such rules were', async () => {
    const link = await make({ rules: [GERMAN] })
    await connection.query('UPDATE Link SET routing = ? WHERE id = ?', [JSON.stringify({ rules: [CONFLICT] }), link.id])
    expect((await edit(link, { rules: [GERMAN, CONFLICT] })).routing).toContain('"de"')
    expect(await pathsOf(edit(await make({ rules: [GERMAN] }), { rules: [CONFLICT] }))).toEqual(['routing.rules.0.when.1'])
  })
})

describe('a split that names a destination twice', () => {
  const twice = { split: { variants: [...SPLIT.variants.map((one) => ({ ...one, weight: 25 })), { url: `${to}a`, weight: 50 }] } }

  it('is refused at the second of them, unless the link has it, or had it elsewhere', async () => {
    expect(await pathsOf(make(twice))).toEqual(['routing.split.variants.2.url'])
    const link = await make(twice, true)
    expect((await edit(link, { ...twice, query: 'forward' })).routing).toContain('forward')
    expect(await pathsOf(edit(await make({ query: 'forward' }), twice))).toEqual(['routing.split.variants.2.url'])
  })
})
