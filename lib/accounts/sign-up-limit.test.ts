import { expect, it } from 'vitest'
import { postSetup } from '@/lib/api/account'
import { freshEmail, PASSWORD, Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { setupToken } from './setup-url'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, RATE_LIMIT: 'on' })

const apply = (visitor: Visitor, given: Record<string, unknown> = {}) =>
  visitor.auth('/sign-up/email', { email: freshEmail(), name: 'Someone', password: PASSWORD, ...given })
/** Applies from one address until no more is taken; how many were. */
async function useUp(address: string, given: Record<string, unknown> = {}): Promise<number> {
  for (let taken = 0; ; taken++) if ((await apply(new Visitor(ctx, address), given)).status === 429) return taken
}

it('a sign-up that is refused for what was typed uses up none of those that a client has', async () => {
  for (const given of [{ password: 'password123' }, { password: 'short' }, { email: 'nobody' }, { name: ' ' }]) {
    for (let i = 0; i < 4; i++) expect((await apply(new Visitor(ctx, '203.0.113.1'), given)).status).toBe(400)
  }
  expect(await useUp('203.0.113.1')).toBe(10)
})

it('a sign-up that tells that an address has an account is counted', async () => {
  const { email } = await new Visitor(ctx, '203.0.113.2').signUp()
  expect(await useUp('203.0.113.3', { email })).toBe(10)
})

it('who holds the link that was printed at start gets in, however many sign-ups were refused or made from there', async () => {
  const visitor = new Visitor(ctx, '203.0.113.4')
  await useUp('203.0.113.4')
  const setUp = (password: string, token = setupToken(ctx.config)) =>
    visitor.ask(postSetup, 'POST', '/api/v1/setup', { name: 'Root', email: 'root@example.com', password, token })
  for (let i = 0; i < 11; i++) expect((await setUp(PASSWORD, 'guessed')).status).toBe(403)
  for (let i = 0; i < 11; i++) expect((await setUp('password123')).status).toBe(422)
  expect((await setUp(PASSWORD)).status).toBe(201)
})
