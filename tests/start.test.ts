import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTING_NAMES } from '@/lib/config'
import { App, destination, launch, OF_THIS_RUN, ownServers, ROOT, type Servers, unknownCode } from './harness'

let servers: Servers
let env: Record<string, string>

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, PORT: '0' }
})

afterAll(() => servers?.stop())

interface Ended {
  code: number | null
  /** What it wrote, to stderr alone, line by line. */
  errors: string[]
  output: string
}

/** Runs the server until it ends by itself. */
async function run(overrides: Record<string, string>, args: string[] = []): Promise<Ended> {
  const { child, output, errors } = launch({ ...env, ...overrides }, args)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, errors: errors.join('').trim().split('\n'), output: output.join('') }
}

function expectOneLine({ code, errors }: Ended, line: RegExp | string): void {
  expect([code, errors]).toEqual([1, [typeof line === 'string' ? line : expect.stringMatching(line)]])
  expect(errors[0]).toMatch(/^terse: /)
}

describe('a start that cannot succeed ends with one clear line and code 1', () => {
  test.each(['1', '2'])('port taken, with %s processes', async (count) => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const address = squatter.address()
    const port = typeof address === 'object' && address ? address.port : 0
    expectOneLine(
      await run({ PORT: String(port), WEB_CONCURRENCY: count }),
      `terse: port ${port} is in use; stop what uses it or set PORT to another`,
    )
    await new Promise((resolve) => squatter.close(resolve))
  })

  test.each([
    ['refused', 'mysql://terse:pw@127.0.0.1:1/terse', /DATABASE_URL.*(refused|connect)/i],
    ['no such host', 'mysql://terse:pw@no-such-host.invalid/terse', /DATABASE_URL/],
    ['no such database', () => servers.databaseUrl.replace(/[^/]+$/, 'elsewhere'), /DATABASE_URL.*(denied|Unknown database)/],
    ['no URL at all', 'nonsense', /DATABASE_URL: must begin with mysql/],
  ] as [string, string | (() => string), RegExp][])('DATABASE_URL: %s', async (_name, url, message) => {
    expectOneLine(await run({ DATABASE_URL: typeof url === 'string' ? url : url() }), message)
  })

  test('DATABASE_URL: wrong password, which is not shown', async () => {
    const ended = await run({ DATABASE_URL: servers.databaseUrl.replace(/:[^:@]+@/, ':wrong-password@') })
    expectOneLine(ended, /DATABASE_URL.*Access denied/)
    expect(ended.output).not.toContain('wrong-password')
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
    expectOneLine(await run(wrong), message)
  })

  test('the launcher, with a data folder that cannot be made', async () => {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
      env: { NODE_ENV: 'production', ...OF_THIS_RUN, DATA_DIR: '/proc/terse' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, errors.trim().split('\n')]).toEqual([1, [expect.stringContaining('/proc/terse')]])
  })
})

test('Redis away is no reason not to start: links are made and redirect', async () => {
  const { PORT: _port, ...rest } = env
  const app = await App.start({ ...rest, REDIS_URL: 'redis://127.0.0.1:1' })
  const link = await app.create({ url: destination() })
  expect((await app.get(`/${link.code}`)).headers.location).toBe(link.url)
  expect((await app.get(`/${unknownCode()}`)).status).toBe(404)
  expect((await app.get('/readyz')).status).toBe(200)
  expect(await app.stop()).toBe(0)
})

test('--help names every setting and needs nothing to be set', async () => {
  const { code, output } = await run({ DATABASE_URL: '', REDIS_URL: '', APP_SECRET: '' }, ['--help'])
  expect(code).toBe(0)
  const shown = output.split('\n').map((line) => line.trim().split(' ')[0])
  expect(SETTING_NAMES.length).toBeGreaterThan(15)
  expect(shown).toEqual(expect.arrayContaining(SETTING_NAMES))
})
