import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createKey } from '@/lib/accounts/keys'
import { negotiate } from '@/lib/i18n/languages'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { postLink } from './links'
import { getLive } from './stats'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

const alice = new Visitor(ctx)
let aliceId = ''
beforeAll(async () => {
  aliceId = (await alice.signUp()).id
})
afterEach(async () => {
  vi.useRealTimers()
  await connection.query('UPDATE User SET banned = FALSE')
})

/** What ends it, of a stream that was opened by a key of alice's. */
const ENDS: Record<string, (keyId: string, code: string) => Promise<unknown>> = {
  'its key': (keyId) => connection.query('DELETE FROM ApiKey WHERE id = ?', [keyId]),
  'its account': () => connection.query('UPDATE User SET banned = TRUE WHERE id = ?', [aliceId]),
  'that the link was its account’s': (_, code) => connection.query("UPDATE Link SET ownerId = 'bob' WHERE code = ?", [code]),
}

describe('a live stream', () => {
  it.each(Object.keys(ENDS))('does not outlive %s by more than 30 s', async (what) => {
    const { body } = await alice.ask(postLink, 'POST', '/api/v1/links', { url: 'https://example.com/', code: freshCode() })
    const { code } = body as { code: string }
    const { key = '', id } = await createKey(ctx, aliceId, { name: 'script', scope: 'read', expiresInDays: null }, negotiate(''))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const request = new Request('http://terse.test/api/v1/links/x/live', { headers: { authorization: `Bearer ${key}` } })
    const response = await getLive(request, { params: Promise.resolve({ code }) })
    expect(response.status).toBe(200)
    expect(ctx.live.watching).toBe(1)
    await ENDS[what]?.(id, code)
    vi.advanceTimersByTime(30_000)
    // It has an end.
    expect(await response.text()).toContain('event: clicks')
    expect(ctx.live.watching).toBe(0)
  })
})
