import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { App, ownServers, query, type Servers } from './harness'

let servers: Servers
let app: App

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

/** 300 taken evenly from 5,521 destinations collected from public documentation, as they were written there. */
const lines = readFileSync(join(import.meta.dirname, 'fixtures/urls.txt'), 'utf8')
  .split('\n')
  .filter(Boolean)

test('300 real destinations come back byte for byte, and no code twice', async () => {
  const codes = new Set<string>()
  for (const line of lines) {
    const { href } = new URL(line)
    const link = await app.create({ url: line })
    codes.add(link.code)
    expect(link.url).toBe(href)
    expect((await app.get(`/${link.code}`)).headers.location).toBe(href)
    expect(JSON.parse((await app.manage('GET', link)).body).url).toBe(href)
  }
  expect(lines).toHaveLength(300)
  expect(codes.size).toBe(300)
  const stored = await query<{ url: string }>(servers.databaseUrl, 'SELECT url FROM Link ORDER BY id')
  expect(stored.map(({ url }) => url)).toEqual(lines.map((line) => new URL(line).href))
})
