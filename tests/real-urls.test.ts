import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { App, eventually, privateServers, type Servers } from './harness'

let servers: Servers
let env: Record<string, string>
let app: App

beforeAll(async () => {
  servers = await privateServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

const lines = readFileSync(join(import.meta.dirname, 'fixtures/urls.txt'), 'utf8')
  .split('\n')
  .filter(Boolean)

test('300 real destinations come back byte for byte, and no code twice', async () => {
  const codes = new Set<string>()
  for (const line of lines) {
    const link = await app.create({ url: line })
    codes.add(link.code)
    expect((await app.get(`/${link.code}`)).headers.location).toBe(new URL(line).href)
  }
  expect(lines).toHaveLength(300)
  expect(codes.size).toBe(300)
})

test('codes:rebuild while links are being made loses none of them', async () => {
  const before = await Promise.all(lines.slice(0, 50).map((url) => app.create({ url })))
  const script = join(import.meta.dirname, '../dist/cli/codes-rebuild.js')
  const rebuilding = promisify(execFile)(process.execPath, [script], {
    cwd: join(import.meta.dirname, '..'),
    env: { NODE_ENV: 'production', ...env, PATH: process.env.PATH ?? '', APP_SECRET: 'a secret only for tests, 32 bytes' },
  })
  const during = await Promise.all(lines.slice(50, 150).map((url) => app.create({ url })))
  const { stdout } = await rebuilding
  expect(stdout).toMatch(/codes are in the filter/)
  const cold = await App.start({ ...env, CACHE_ENTRIES: '0' })
  const filtered = async () =>
    Number(/_count\{outcome="not-found",tier="filter"\} (\d+)/.exec((await cold.get('/metrics')).body)?.[1] ?? 0)
  await eventually(
    async () => {
      await cold.get('/surely-unknown')
      return filtered()
    },
    (count) => count > 0,
  )
  for (const link of [...before, ...during]) expect((await cold.get(`/${link.code}`)).headers.location).toBe(link.url)
  await cold.stop()
})
