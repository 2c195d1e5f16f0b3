import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { App, eventually, ownServers, request, type Servers } from './harness'
import { compareAll, compareApp, type Expected, listening, runExport, seedLinks, start } from './static-sets'

let servers: Servers
let env: Record<string, string>
let expected: Expected[]
const folder = mkdtempSync(join(tmpdir(), 'terse-leaving-'))

beforeAll(async () => {
  servers = await ownServers()
  env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, BASE_URL: 'http://localhost' }
  expected = await seedLinks(servers.databaseUrl)
})

afterAll(async () => {
  await servers?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the app answers these links so', async () => {
  const app = await App.start({ ...env, BASE_URL: 'http://localhost' })
  await compareApp(app, expected)
  expect(await app.stop()).toBe(0)
})

test('the server of one file answers every link as the app does, and nothing else', async () => {
  const { code, output } = await runExport(env, [`--folder=${folder}`, '--to=node', 'node'])
  expect([code, output]).toEqual([0, expect.stringContaining(' links are in this set.')])
  const program = join(folder, 'node', 'terse-redirects.mjs')
  expect(readFileSync(program, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  const port = await freePort()
  const server = start(process.execPath, [program], { PORT: String(port) })
  try {
    await listening(server, port)
    expect(await compareAll(port, expected)).toBeGreaterThan(200)
    expect((await request(port, '/aB', { method: 'POST', headers: { host: 'go.example' } })).status).toBe(405)
    // Who asks for a host that is none of ours is answered as for BASE_URL's own, as in the app.
    expect((await request(port, '/aB', { headers: { host: 'other.example' } })).status).toBe(404)
  } finally {
    server.child.kill()
  }
})

test('the server of one file reads a gzipped set, and refuses one that is cut off', async () => {
  const { code } = await runExport(env, [`--folder=${folder}`, '--to=gz', '--gzip', '--domain=go.example', 'node'])
  expect(code).toBe(0)
  const [program, data] = ['terse-redirects.mjs', 'terse-redirects.jsonl.gz'].map((name) => join(folder, 'gz', name))
  const port = await freePort()
  const args = [program ?? '', data ?? '']
  const server = start(process.execPath, args, { PORT: String(port) })
  await listening(server, port)
  const answer = await request(port, '/aB', { headers: { host: 'whatever.example' } })
  expect(answer.status).toBe(301)
  server.child.kill()
  truncateSync(data ?? '', 300)
  const cut = start(process.execPath, args, { PORT: String(port) })
  await eventually(
    () => cut.child.exitCode,
    (exit) => exit === 1,
  )
})

test('without a format, all of them are written, whole and for the owner of the files alone', async () => {
  const { code, output } = await runExport(env, [`--folder=${folder}`, '--to=all', '--gzip'])
  expect([code, output]).toEqual([0, expect.stringContaining('Left out: 1 with a click limit.')])
  const files = readdirSync(join(folder, 'all')).sort()
  expect(files).toEqual([
    '_redirects.gz',
    'terse-apache.txt.gz',
    'terse-links.csv.gz',
    'terse-links.json.gz',
    'terse-links.jsonl.gz',
    'terse-nginx.conf.gz',
    'terse-redirects.jsonl.gz',
    'terse-redirects.mjs',
    'terse-s3-objects.sh.gz',
    'terse-s3-rules.xml.gz',
  ])
  expect(statSync(join(folder, 'all', 'terse-links.json.gz')).mode & 0o077).toBe(0)
  const { links } = JSON.parse(gunzipSync(readFileSync(join(folder, 'all', 'terse-links.json.gz'))).toString())
  expect(links.some((link: { owner: string; passwordHash: string | null }) => link.owner === '' && link.passwordHash)).toBe(true)
})

test('what is wrong is said', async () => {
  const run = async (...args: string[]) => (await runExport(env, [`--folder=${folder}`, '--to=none', ...args])).output
  expect(await run('htaccess')).toContain('unknown format: htaccess. Use any of: csv, json')
  expect(await run('--domain=no.example', 'csv')).toContain('no such domain: no.example. There are: ')
  expect(await run('--owner=nobody@example.com', 'csv')).toContain('no account with the email or ID nobody@example.com')
})
