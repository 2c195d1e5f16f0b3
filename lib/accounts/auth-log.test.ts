import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '@/lib/log'
import { freshEmail } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { authLog } from './auth-log'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

/** What stands in the log once better-auth has said this. */
async function logged(...said: [message: unknown, ...rest: unknown[]]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'terse-unit-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  const { log } = authLog(createLog('debug', file))
  log?.('error', ...(said as [string, ...unknown[]]))
  return vi.waitFor(() => {
    const text = readFileSync(file, 'utf8')
    if (text === '') throw new Error('not written yet')
    return text
  })
}

it('an address that is taken stays out of the log, in whatever part of the database’s error it is', async () => {
  const email = freshEmail()
  const now = new Date()
  const insert = (id: string) => ctx.db.client.user.create({ data: { id, name: '', email, createdAt: now, updatedAt: now } })
  await insert('first')
  const error = await insert('second').catch((thrown: unknown) => thrown)
  const cause = await ctx.db
    .change('INSERT INTO User (id, name, email, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?)', 'third', '', email, now, now)
    .catch((thrown: unknown) => thrown)
  expect(JSON.stringify([error, (cause as Error).message])).toContain(email)
  const text = await logged('Failed to create user', error, cause, new Error('as one', { cause }))
  expect(text).toContain('Failed to create user')
  expect(text).toContain('P2002')
  // Whoever loses a race is no fault of the system.
  expect(JSON.parse(text)).toMatchObject({ level: 20 })
  expect(text).not.toContain(email)
})

it('what anyone can send in an address stays out of the log', async () => {
  expect(await logged('State not found', 'typed\u009b31m')).not.toContain('typed')
  expect(await logged('Provider not found', { provider: 'typed' })).not.toContain('typed')
  const fault = await logged('Failed', new Error('words of an error'))
  expect(JSON.parse(fault)).toMatchObject({ level: 50, errors: [{ message: 'words of an error' }] })
})
