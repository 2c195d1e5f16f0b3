import { randomBytes, scryptSync } from 'node:crypto'
import { vi } from 'vitest'
import { type Actor, NOWHERE } from '@/lib/actor'
import { type Config, readConfig } from '@/lib/config'
import { createRuntime, type Runtime } from '@/lib/runtime'
import { atEnd } from './cleanup'

export const BASE_URL = 'http://terse.test'
export const SECRET = 'a secret of the tests, and of no one else'

/** Settings for a test; `given` as in the environment. */
export function testConfig(given: Record<string, string>): Config {
  return readConfig({
    NODE_ENV: 'test',
    APP_SECRET: SECRET,
    BASE_URL,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    BLOOM_CAPACITY: '100000',
    ...given,
  })
}

/** A whole process's state on real servers, closed when the file's tests are done. */
export async function testRuntime(given: Record<string, string>): Promise<Runtime> {
  const runtime = await createRuntime(testConfig(given))
  atEnd(() => runtime.close())
  await hashCheaply(runtime)
  return runtime
}

/**
 * Hashes passwords of accounts at a fraction of the cost, which is half of what many tests would take. The built app hashes as
 * always (tests/accounts.test.ts), and a hash that it made is checked as always.
 */
async function hashCheaply({ auth }: Runtime): Promise<void> {
  const { password } = await (await auth()).$context
  const { verify } = password
  const hash = (text: string, salt: string) =>
    `${salt}:${scryptSync(text.normalize('NFKC'), salt, 32, { cost: 16 }).toString('hex')}`
  password.hash = async (text) => hash(text, `cheap${randomBytes(8).toString('hex')}`)
  password.verify = async (given) =>
    given.hash.startsWith('cheap') ? hash(given.password, given.hash.split(':')[0] ?? '') === given.hash : verify(given)
}

/** Waits until Redis is believed: the filter is built, and the outbox was read and is empty. */
export async function settled(...runtimes: Runtime[]): Promise<void> {
  for (const runtime of runtimes) {
    await vi.waitFor(
      async () => {
        const { trusted } = await runtime.registry.lookup('terse.test/settled')
        if (!trusted || !runtime.outbox.isEmpty) throw new Error('not settled yet')
      },
      { timeout: 15_000, interval: 20 },
    )
  }
}

/** An account of its own. */
export const owner = (ownerId: string, role: 'user' | 'admin' = 'user'): Actor => ({
  account: { id: ownerId, name: 'Someone', email: `${ownerId}@example.com`, handle: '10000000', role },
  ownerId,
  scope: 'write',
  manageToken: null,
  origin: NOWHERE,
})
