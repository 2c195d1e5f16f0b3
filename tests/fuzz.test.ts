import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '@/bench/random'
import type { Description, Handler } from '@/lib/api/endpoint'
import { ENDPOINTS } from '@/lib/api/endpoints'
import { answerApi } from '@/lib/api/router'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { createLane } from '@/lib/redirect/lane'
import { setRuntime } from '@/lib/runtime'
import { Visitor } from '@/lib/testing/accounts'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { HOSTILE, validShape } from '@/lib/testing/fuzz'
import { testRedis } from '@/lib/testing/redis'
import { BASE_URL, settled, testRuntime } from '@/lib/testing/runtime'

const SEED = 20_261_125
const CASES = 10_000
const LANE_CASES = 3_000
/** Requests of one process wait for each other: with more, a busy machine takes longer than a transaction may. */
const AT_ONCE = 3
/** Memory that may be in use after the last two thirds and was not before: caches fill, and jobs are under way. */
const GROWTH = 40e6

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
const admin = new Visitor(ctx)
let code = ''

/** A method at a path of the API, and what answers it. */
type Asked = Pick<Description, 'path' | 'body' | 'query'> & { method: string; handler: Handler }

const METHODS_OF_API = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const HANDLED: Asked[] = ENDPOINTS.filter(({ spec }) => spec.limit !== null).map((handler) => ({ ...handler.spec, handler }))
/** Methods that no endpoint of a path has, and paths that are none. */
const REFUSED: Asked[] = [...new Set([...ENDPOINTS.map(({ spec }) => spec.path), '/api/nothing' as const])].flatMap((path) =>
  METHODS_OF_API.filter((method) => !HANDLED.some((handled) => handled.path === path && handled.method === method)).map(
    (method) => ({
      path,
      method,
      handler: answerApi,
    }),
  ),
)

beforeAll(async () => {
  await settled(ctx)
  const { id } = await admin.signUp()
  await connection.query("UPDATE User SET role = 'admin', emailVerified = TRUE WHERE id = ?", [id])
  const links = await import('@/lib/api/links')
  const made = await admin.ask(links.postLink, 'POST', '/api/v1/links', { url: 'https://example.com/' })
  code = made.body.code
})

const ENDS_SESSION = /sessions|sign-out/
const draw = createRandom(SEED)
/** A random number in [0, n): the same for the same seed, so that a failure can be seen again. */
const random = (n: number) => Math.floor(draw() * n)
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T

/** One of the fields, wherever it stands, becomes hostile; or the whole. */
function spoil(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random(8) === 0) return pick(HOSTILE)
  const keys = Object.keys(value)
  if (keys.length === 0) return { [pick(['x', '__proto__', 'id'])]: pick(HOSTILE) }
  const key = pick(keys)
  return Array.isArray(value)
    ? value.map((item, i) => (String(i) === key ? spoil(item) : item))
    : { ...value, [key]: spoil((value as Record<string, unknown>)[key]) }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** What can be sent as UTF-8. */
const wellFormed = (text: string) => Buffer.from(text).toString()

/** A request with all that the endpoint takes, in which one thing is hostile. */
function makeRequest({ method, path, body: schema, query: querySchema }: Asked): {
  request: Request
  params: Record<string, string>
} {
  const part = pick(['params', 'query', 'body', 'headers', 'none'] as const)
  const params: Record<string, string> = {}
  for (const [, name] of path.matchAll(/\{(\w+)\}|\*/g)) {
    const plain = name === 'code' ? code : name === 'action' ? 'ban' : name === undefined ? 'nothing' : '1'
    params[name ?? '*'] = part === 'params' ? encodedHostile() : plain
  }
  const shape = querySchema ? (validShape(querySchema) as Record<string, unknown>) : {}
  const query = new URLSearchParams()
  const chosen = Object.entries(part === 'query' ? Object(spoil({ ...shape, limit: '10' }) ?? {}) : shape)
  for (const [name, value] of chosen) if (random(3) > 0) query.append(name, wellFormed(asText(value) ?? ''))
  const headers = new Headers({
    cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    origin: BASE_URL,
  })
  if (random(10) === 0) headers.delete('cookie')
  if (part === 'headers') {
    const name = pick([
      'authorization',
      'cookie',
      'origin',
      'idempotency-key',
      'content-type',
      'accept',
      'last-event-id',
      'range',
    ])
    headers.set(name, asText(pick(HOSTILE))?.replace(/[^\x20-\xff]/g, '?') ?? '')
  }
  const carries = method !== 'GET' && method !== 'HEAD'
  const body = schema ? validShape(schema) : { url: 'https://example.com/' }
  if (carries && part !== 'headers') headers.set('content-type', pick(['application/json', 'application/json', 'text/csv']))
  const filled = path.replace(/\{(\w+)\}|\*/g, (_, name = '*') => encodeURI(params[name] ?? '').replace(/[?#]/g, ''))
  const text = JSON.stringify(part === 'body' ? spoil(body) : body) ?? ''
  const cut = part === 'body' && random(10) === 0 ? text.slice(0, random(text.length + 1)) : text
  return { request: new Request(`${BASE_URL}${filled}?${query}`, { method, headers, body: carries ? cut : null }), params }
}

/** As a router hands it on: percent-encoded, or not decodable at all. */
function encodedHostile(): string {
  const text = wellFormed(asText(pick(HOSTILE)) ?? '')
  return random(4) === 0 ? text : encodeURIComponent(text)
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
function memory(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/** Runs `work` so many times, several at once. */
async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  let begun = 0
  const lane = async () => {
    while (begun++ < times) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

describe('hostile requests', () => {
  test('to every endpoint of the API are refused or answered, never with a fault, and leave nothing in memory', async () => {
    expect(HANDLED.length).toBeGreaterThan(60)
    setRuntime(ctx)
    const faults = new Set<string>()
    const unhandled: unknown[] = []
    const listener = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', listener)
    const answerTo = async (endpoint: Asked) => {
      const { request, params } = makeRequest(endpoint)
      return endpoint.handler(request, { params: Promise.resolve(params) })
    }
    const one = async () => {
      const endpoint = pick(random(10) === 0 ? REFUSED : HANDLED)
      // What ends the session that the others need.
      if (ENDS_SESSION.test(endpoint.path) && endpoint.method !== 'GET') return
      const { request, params } = makeRequest(endpoint)
      const asked = `${request.method} ${request.url.slice(0, 300)}`
      const asking = async () => endpoint.handler(request, { params: Promise.resolve(params) })
      const response = await asking().catch((error: unknown) => String(error))
      if (typeof response === 'string') return void faults.add(`${asked} threw ${response}`)
      if (response.status >= 500) {
        faults.add(`${asked} ${JSON.stringify(params).slice(0, 200)}: ${response.status} ${await response.text()}`)
        return
      }
      await response.body?.cancel()
    }
    // Each once, one after another: what is loaded at first use may take longer than a query may, on a busy machine.
    for (const endpoint of HANDLED.filter(({ method }) => method === 'GET')) await (await answerTo(endpoint)).body?.cancel()
    await repeat(
      200,
      async () => void (await (await answerTo(pick(HANDLED.filter(({ path }) => !ENDS_SESSION.test(path))))).body?.cancel()),
    )
    await repeat(CASES / 3, one)
    const before = memory()
    await repeat((CASES * 2) / 3, one)
    expect([...faults].slice(0, 20)).toEqual([])
    expect(unhandled).toEqual([])
    expect(memory() - before).toBeLessThan(GROWTH)
    process.off('unhandledRejection', listener)
  }, 120_000)

  test('for codes, by request lines and headers as no client writes them, are refused or answered, never with a fault', async () => {
    const faults: unknown[] = []
    const lane = createLane({ ...ctx.answering, clientOf: () => UNKNOWN_CLIENT, onFault: (error) => String(faults.push(error)) })
    const server = createServer((request, response) => {
      if (!lane.tryHot(request, response)) lane.handle(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(() => server.close())
    const { port } = server.address() as AddressInfo
    const wrong = new Set<string>()
    await repeat(LANE_CASES, async () => {
      const text = rawRequest()
      const answer = await exchange(port, text)
      const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
      if ((statuses.length === 0 && !/content-length/i.test(text)) || statuses.some((status) => status >= 500))
        wrong.add(`${JSON.stringify(text.slice(0, 200))}: ${statuses}`)
    })
    expect([...wrong].slice(0, 20)).toEqual([])
    expect(faults).toEqual([])
  }, 60_000)
})

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'get', 'PURGE', 'G\0T', '']
const TARGETS = [
  '/',
  '//',
  '/%',
  '/%00',
  '/%ff',
  '/..',
  '/../x',
  '*',
  'http://evil.example/',
  'evil.example:443',
  '/?',
  '/#',
  '/a?b=%',
  '/ﷺ',
]
const NAMES = [
  'Host',
  'Cookie',
  'Referer',
  'User-Agent',
  'X-Forwarded-For',
  'Accept-Language',
  'Content-Length',
  'Range',
  'DNT',
  'Purpose',
]

function rawRequest(): string {
  const hostile = () => (asText(pick(HOSTILE)) ?? '').slice(0, pick([50, 500, 20_000]))
  const target = pick([`/${code}`, `/${code}+`, `/${code}?${hostile()}`, `/${hostile()}`, ...TARGETS])
  const headers = Array.from({ length: random(4) }, () => `${pick(NAMES)}: ${hostile()}`)
  const host = random(8) === 0 ? '' : `Host: ${pick(['terse.test', 'terse.test:80', 'other', '[::1', hostile()])}`
  const method = random(3) === 0 ? pick(METHODS) : 'GET'
  return `${[`${method} ${target} HTTP/1.${random(8) === 0 ? '0' : '1'}`, host, ...headers, 'Connection: close'].filter((line) => line !== '').join('\r\n')}\r\n\r\n`
}

/** All that is answered until the server closes. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    // A body that was announced and never comes: the client gives up.
    socket.setTimeout(/content-length/i.test(text) ? 300 : 20_000, () => socket.destroy())
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}
