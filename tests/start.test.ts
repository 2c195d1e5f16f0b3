import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTING_NAMES } from '@/lib/config'
import { launch, privateServers, type Servers } from './harness'

let servers: Servers
let env: Record<string, string>

beforeAll(async () => {
  servers = await privateServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, PORT: '0' }
})

afterAll(() => servers?.stop())

/** Runs the server until it ends by itself: its exit code and its lines. */
async function run(overrides: Record<string, string>, args: string[] = []): Promise<{ code: number | null; lines: string[] }> {
  const { child, output } = launch({ ...env, ...overrides }, args)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, lines: output.join('').trim().split('\n') }
}

describe('a start that cannot succeed ends with one clear line and code 1', () => {
  test('port taken', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const address = squatter.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { code, lines } = await run({ PORT: String(port) })
    expect(code).toBe(1)
    expect(lines.filter((line) => line.startsWith('terse: '))).toEqual([
      `terse: port ${port} is in use; stop what uses it or set PORT to another`,
    ])
    await new Promise((resolve) => squatter.close(resolve))
  })

  test.each([
    ['refused', 'mysql://terse:pw@127.0.0.1:1/terse', /DATABASE_URL.*(refused|connect)/i],
    ['no such host', 'mysql://terse:pw@no-such-host.invalid/terse', /DATABASE_URL/],
    ['no URL at all', 'nonsense', /DATABASE_URL: must begin with mysql/],
  ])('DATABASE_URL: %s', async (_name, url, message) => {
    const { code, lines } = await run({ DATABASE_URL: url })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(message)
  })

  test('DATABASE_URL: wrong password, which is not shown', async () => {
    const { code, lines } = await run({ DATABASE_URL: servers.databaseUrl.replace(/:[^:@]+@/, ':wrong-password@') })
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/DATABASE_URL.*Access denied/)
    expect(lines[0]).not.toContain('wrong-password')
  })

  test.each([
    [{ APP_SECRET: '' }, /APP_SECRET: required/],
    [{ APP_SECRET: 'short' }, /APP_SECRET: /],
    [{ PORT: 'http' }, /PORT: /],
    [{ CODE_LENGTH: '3' }, /CODE_LENGTH: /],
    [{ CODE_REUSE_AFTER: 'soon' }, /CODE_REUSE_AFTER: /],
    [{ BASE_URL: 'example.com' }, /BASE_URL: /],
    [{ TRUSTED_PROXIES: 'everyone' }, /TRUSTED_PROXIES: /],
    [{ REDIS_URL: 'localhost' }, /REDIS_URL: /],
    [{ ROLE: 'all', RATE_LIMIT: 'maybe', CODE_LENGTH: '99' }, /CODE_LENGTH: .*RATE_LIMIT: |RATE_LIMIT: .*CODE_LENGTH: /],
  ] as [Record<string, string>, RegExp][])('%j', async (wrong, message) => {
    const { code, lines } = await run(wrong)
    expect(code).toBe(1)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(message)
  })

  test('the launcher, with a data folder that cannot be made', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], {
      env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '', DATA_DIR: '/proc/terse' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(1)
    expect(
      errors
        .trim()
        .split('\n')
        .filter((line) => line.includes('/proc/terse')),
    ).toHaveLength(1)
  })
})

test('--help names every setting and needs nothing to be set', async () => {
  const { code, lines } = await run({ DATABASE_URL: '', REDIS_URL: '', APP_SECRET: '' }, ['--help'])
  expect(code).toBe(0)
  for (const name of SETTING_NAMES) expect(lines.some((line) => line.trim().startsWith(`${name} `))).toBe(true)
})
