import { describe, expect, it, vi } from 'vitest'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

const count = async (table: string) => Number((await connection.query(`SELECT COUNT(*) AS n FROM ${table}`))[0].n)

describe('a new account', () => {
  it('has a handle of the system, whatever handle was asked for', async () => {
    const visitor = new Visitor(ctx)
    const asked = { email: freshEmail(), name: ' Ada ', password: PASSWORD, username: '12345678' }
    const { status, body, headers } = await visitor.auth('/sign-up/email', asked)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(body.user.username).toMatch(/^[1-9]\d{7}$/)
    expect(body.user.username).not.toBe('12345678')
    expect(body.user.name).toBe('Ada')
    expect(await ctx.db.client.user.findUnique({ where: { id: body.user.id } })).toMatchObject({
      handle: body.user.username,
      role: 'user',
    })
  })

  it('gets another handle when the first was taken', async () => {
    const { handle } = await new Visitor(ctx).signUp()
    const before = await count('User')
    const issue = vi.spyOn(ctx.ids.handles, 'issue')
    for (const next of [handle, handle, '77777777']) issue.mockResolvedValueOnce({ handle: next, wrapped: false })
    expect((await new Visitor(ctx).signUp()).handle).toBe('77777777')
    expect(issue).toHaveBeenCalledTimes(3)
    expect(await count('User')).toBe(before + 1)
  })
})
