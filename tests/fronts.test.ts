import { type ChildProcess, spawn } from 'node:child_process'
import http from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '@/lib/api/endpoints'
import { freePort } from '@/scripts/lib/loopback.mjs'
import {
  type Answer,
  App,
  destination,
  eventually,
  OF_THIS_RUN,
  ownServers,
  type RequestOptions,
  ROOT,
  request,
  SECRET,
  type Servers,
} from './harness'

/**
 * The API is mounted twice: server.ts answers it without Next.js, and app/api does under `next dev`, `next start` and on
 * serverless hosts. Both are asked the same here.
 */

let servers: Servers
let app: App
let next: ChildProcess
let nextPort: number
let manager: Record<string, string>
let code: string

beforeAll(async () => {
  servers = await ownServers()
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  app = await App.start(env)
  nextPort = await freePort()
  const own: Record<string, string> = { APP_SECRET: SECRET, RATE_LIMIT: 'off', LOG_LEVEL: 'warn', DATA_DIR: servers.dir }
  next = spawn(process.execPath, [join(ROOT, 'node_modules/next/dist/bin/next'), 'start', '-p', String(nextPort)], {
    cwd: ROOT,
    env: { NODE_ENV: 'production', ...OF_THIS_RUN, ...own, ...env, BASE_URL: `http://localhost:${app.port}` },
    stdio: 'ignore',
  })
  const ready = () => request(nextPort, '/healthz').catch(() => null)
  await eventually(ready, (answer) => answer?.status === 200, 30_000)
  const link = await app.create({ url: destination() })
  code = link.code
  manager = { authorization: `Bearer ${link.manageToken}` }
}, 60_000)

afterAll(async () => {
  next?.kill('SIGKILL')
  await app?.stop()
  await servers?.stop()
})

/** Headers of the connection, of the moment, of one request, and of how long a body is, which either front says in its own way. */
const OF_THE_WAY = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id'])

/** What must be the same, whichever front answers. */
function seen({ status, headers, body }: Answer) {
  const kept = Object.entries({ ...headers, location: codeless(headers.location) }).filter(([name]) => !OF_THE_WAY.has(name))
  // What else Next.js names there are headers of its own, of which no answer of the API depends.
  const varies = /accept-encoding/i.test(headers.vary ?? '')
  return { status, headers: { ...Object.fromEntries(kept), vary: varies }, body: shapeOf(body, headers['content-type']) }
}

/** Each front creates a link of its own. */
const codeless = (address = '') => address.replace(/^(https?:\/\/[^/]+\/)[\w-]+$/, '$1code')

function shapeOf(body: string, type = ''): unknown {
  if (body === '' || !type.includes('json')) return body
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shape)
    if (typeof value !== 'object' || value === null) return typeof value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]))
  }
  return shape(JSON.parse(body))
}

/** Asks both fronts. @returns what server.ts answered */
async function both(path: string, options: RequestOptions = {}): Promise<Answer> {
  const [own, nexts] = await Promise.all([request(app.port, path, options), request(nextPort, path, options)])
  expect(seen(nexts), `${options.method ?? 'GET'} ${path}`).toEqual(seen(own))
  return own
}

const JSON_TYPE = { 'content-type': 'application/json' }
const paths = [...new Set(ENDPOINTS.map(({ spec }) => spec.path.replace('*', 'get-session').replace(/\{\w+\}/g, '1')))]

describe('both fronts of the API', () => {
  test.each(ENDPOINTS.map(({ spec }) => [spec.method, spec.path]))('answer nobody alike: %s %s', async (method, path) => {
    const writes = method === 'PATCH' || method === 'POST'
    const url = path.replace('*', 'get-session').replace(/\{\w+\}/g, '1')
    const { status, headers } = await both(url, { method, ...(writes && { headers: JSON_TYPE, body: '{}' }) })
    expect(status).toBeLessThan(500)
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test.each(paths)('tell the methods of %s', async (path) => {
    const { status, headers } = await both(path, { method: 'OPTIONS' })
    expect(status).toBe(204)
    const missing = ['PUT', 'PATCH', 'POST', 'GET'].find((method) => !headers.allow?.includes(method)) ?? ''
    expect(await both(path, { method: missing })).toMatchObject({ status: 405, headers: { allow: headers.allow } })
    await both(path, { method: 'HEAD' })
  })

  test('say what there is not: paths, and methods of other protocols', async () => {
    expect((await both('/api/nothing')).status).toBe(404)
    expect((await both('/api/v1/links/a/b/c', { method: 'POST' })).status).toBe(404)
    expect((await both('/api/v1/links', { method: 'PROPFIND' })).status).toBe(400)
  })

  test('lead an address with a slash at its end or two in it to the one that is meant', async () => {
    for (const path of ['/api/v1/links/', '/api/v1//links', '/api/v1/links/?cursor=1']) {
      expect((await both(path)).status, path).toBe(308)
    }
  })

  test('refuse a body that is not JSON, is empty, is of another type or is too long', async () => {
    const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
      both('/api/v1/links', { method: 'POST', headers, body })
    expect((await post('{')).status).toBe(400)
    expect((await post('')).status).toBe(400)
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(`"${'a'.repeat(65_536)}"`)).status).toBe(413)
    expect((await post(`"${'a'.repeat(65_536)}"`, { ...JSON_TYPE, 'transfer-encoding': 'chunked' })).status).toBe(413)
    expect((await post('{"url":"https://example.com/"}', { ...JSON_TYPE, 'transfer-encoding': 'chunked' })).status).toBe(201)
  })

  test('decode what a path names', async () => {
    const made = await app.create({ url: destination(), code: 'two/words' })
    const headers = { authorization: `Bearer ${made.manageToken}` }
    expect((await both('/api/v1/links/two%2Fwords', { headers })).status).toBe(200)
    expect((await both('/api/v1/links/%E2%82%AC', { headers })).status).toBe(404)
    // Without server.ts, Next.js answers this before any of our code.
    expect((await request(app.port, '/api/v1/links/%zz')).status).toBe(400)
  })

  test('send files, packed where the client takes it', async () => {
    for (const name of ['stats.csv', 'clicks.csv']) {
      const { status, headers } = await both(`/api/v1/links/${code}/${name}`, { headers: manager })
      expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
      const packed = await both(`/api/v1/links/${code}/${name}`, {
        method: 'HEAD',
        headers: { ...manager, 'accept-encoding': 'gzip' },
      })
      expect(packed.headers['content-encoding']).toBeUndefined()
    }
    const taken = (port: number, path: string) =>
      request(port, path, { headers: { ...manager, 'accept-encoding': 'gzip' } }).then(
        ({ headers }) => headers['content-encoding'],
      )
    for (const path of [`/api/v1/links/${code}/stats.csv`, '/api/v1/openapi.json', `/api/v1/links/${code}`]) {
      expect(await taken(app.port, path), path).toBe(await taken(nextPort, path))
    }
    expect(await taken(app.port, '/api/v1/openapi.json')).toBe('gzip')
  })

  test('send events as they come', async () => {
    const path = `/api/v1/links/${code}/live`
    const [own, nexts] = await Promise.all([firstEvent(app.port, path), firstEvent(nextPort, path)])
    expect(seen(nexts)).toEqual(seen(own))
    expect(own.body).toBe('event: clicks\ndata: {"clicks":0}\n\n')
  })
})

/** The answer up to its first piece; then the client leaves. */
function firstEvent(port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = http.get({ host: '127.0.0.1', port, path, agent: false, headers: { ...manager, 'accept-encoding': 'gzip' } })
    call.on('error', reject)
    call.on('response', (response) => {
      response.once('data', (piece: Buffer) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: piece.toString() })
        response.destroy()
      })
    })
  })
}
