import { beforeAll, expect, it } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { createLink } from './create'
import { healthHash } from './health-hash'
import { KnownThreats } from './known-threats'
import { CreateLink, UpdateLink } from './schemas'
import { updateLink } from './update'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))
const alice = owner('alice')

it('visitors are told of a destination that is surely on the list of threats, as long as the link leads there', async () => {
  const other = { rules: [{ when: [{ of: 'os' as const, in: ['iOS'] }], url: 'https://bad.example/x' }] }
  const code = freshCode()
  const { link } = await createLink(ctx, alice, CreateLink.parse({ url: 'https://to.example/', code, routing: other }))
  const found = (state: number, reason: string, destination: string | null) =>
    connection.query(
      `REPLACE INTO LinkHealth (linkId, ownerId, urlHash, state, reason, failures, since, checkedAt, dueAt, destination)
       VALUES (?, 'alice', ?, ?, ?, 1, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), ?)`,
      [link.id, healthHash(link), state, reason, destination],
    )
  const told = ({ id, version } = link) => new KnownThreats(ctx.db).find({ id: String(id), version: String(version) })
  expect(await told()).toBeNull()
  await found(3, 'maybe', null)
  expect(await told()).toBeNull()
  await found(1, 'status', null)
  expect(await told()).toBeNull()
  await found(3, 'threat', null)
  expect(await told()).toBe('https://to.example/')
  await found(3, 'threat', 'https://bad.example/x')
  expect(await told()).toBe('https://bad.example/x')
  expect(await told(await updateLink(ctx, alice, { code }, UpdateLink.parse({ routing: null })))).toBeNull()
})

it('a preview that is asked for again and again costs one query, and none that fails is remembered', async () => {
  let queries = 0
  let isAway = true
  const rows = async () => {
    queries += 1
    if (isAway) throw new Error('MySQL is away')
    return [{ found: 'https://bad.example/' }]
  }
  const threats = new KnownThreats({ rows: rows as never })
  const link = { id: '1', version: '1' }
  expect(await threats.find(link)).toBeNull()
  isAway = false
  for (let i = 0; i < 10; i++) expect(await threats.find(link)).toBe('https://bad.example/')
  expect(queries).toBe(2)
})
