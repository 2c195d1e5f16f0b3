import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { getAccount } from '@/lib/api/account'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

const DAY = 86_400_000

/** As if a session had begun so many days ago and had been used ever since. */
async function grown(days: number) {
  const visitor = new Visitor(ctx)
  const { id } = await visitor.signUp()
  await connection.query(
    'UPDATE Session SET createdAt = createdAt - INTERVAL ? DAY, expiresAt = expiresAt - INTERVAL 2 DAY WHERE userId = ?',
    [days, id],
  )
  return { visitor, id }
}
const rowOf = async (userId: string) => (await ctx.db.client.session.findFirst({ where: { userId } })) ?? null

describe('a session', () => {
  it('is prolonged while it is used, and never beyond 90 days after the sign-in', async () => {
    const { visitor, id } = await grown(80)
    expect((await visitor.auth('/get-session')).body.user.id).toBe(id)
    const row = await rowOf(id)
    expect(Number(row?.expiresAt) - Number(row?.createdAt)).toBeLessThanOrEqual(90 * DAY)
    expect(Number(row?.expiresAt)).toBeGreaterThan(Date.now() + 9 * DAY)
  })

  it('that was prolonged before there was an end gets one by the migration', async () => {
    const { visitor, id } = await grown(91)
    expect(Number((await rowOf(id))?.expiresAt)).toBeGreaterThan(Date.now())
    const sql = readFileSync('prisma/migrations/20261125005001_session_proof/migration.sql', 'utf8')
    await connection.query(/^UPDATE[^;]+/m.exec(sql)?.[0] ?? '')
    expect((await visitor.ask(getAccount, 'GET', '/api/v1/account')).status).toBe(401)
    expect((await visitor.auth('/get-session')).body).toBeNull()
    expect(await rowOf(id)).toBeNull()
  })
})
