import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { App, destination, eventually, ownServers, type Servers, unknownCode } from './harness'

let servers: Servers
let app: App
/** Without limits, to create links by. */
let free: App

beforeAll(async () => {
  servers = await ownServers()
  const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }
  free = await App.start({ ...env, RATE_LIMIT: 'off' })
  app = await App.start({ ...env, RATE_LIMIT: 'on' })
  await Promise.all([free.trusted(), app.trusted()])
})

afterAll(async () => {
  await Promise.all([app?.stop(), free?.stop()])
  await servers?.stop()
})

const opened = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject)
  })

/** One request as its bytes. */
const line = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

interface Reply {
  status: number
  location: string | null
}

/** Sends all requests at once on one connection, and gives the answers in their order. */
async function pipelined(port: number, requests: string[]): Promise<Reply[]> {
  const socket = await opened(port)
  const replies: Reply[] = []
  let rest = ''
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString('latin1')).split(/(?=HTTP\/1\.1 \d{3} )/)
      // The last one may have more to come; its head is whole once the empty line is there.
      rest = parts.pop() ?? ''
      for (const part of parts) replies.push(replyOf(part))
      if (replies.length === requests.length - 1 && rest.includes('\r\n\r\n')) {
        replies.push(replyOf(rest))
        resolve()
      }
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`closed after ${replies.length} answers`)))
    socket.write(requests.join(''))
  })
  socket.removeAllListeners('close').destroy()
  return replies
}

const replyOf = (text: string): Reply => ({
  status: Number(text.slice(9, 12)),
  location: /\r\nLocation: ([^\r]*)/i.exec(text)?.[1] ?? null,
})

const megabytes = ({ child }: App) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

describe('requests that are sent before the answers to others', () => {
  it('get all their answers, each its own, in order', async () => {
    const links = await Promise.all(Array.from({ length: 5 }, () => free.create({ url: destination() })))
    const asked = Array.from({ length: 3_000 }, (_, i) => links[i % 7])
    const replies = await pipelined(
      free.port,
      asked.map((link) => line(link ? `/${link.code}` : `/${unknownCode()}`)),
    )
    expect(replies).toEqual(asked.map((link) => (link ? { status: 302, location: link.url } : { status: 404, location: null })))
  })

  it('hold no more memory than one piece of what was sent, though the answers are never read', async () => {
    await pipelined(free.port, Array(2_000).fill(line('/nothing')))
    const before = megabytes(free)
    const socket = await opened(free.port)
    socket.pause()
    let sent = 0
    const piece = line(`/${unknownCode()}`).repeat(1_000)
    while (sent < 124_000 && socket.write(piece)) sent += 1_000
    await eventually(
      () => megabytes(free),
      (now) => now - before < 100,
    )
    socket.destroy()
  })

  it('hold no more memory than one piece of what was sent, though they are sent without end', async () => {
    const before = megabytes(free)
    const socket = await opened(free.port)
    let most = 0
    let answered = 0
    let rest = ''
    socket.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString('latin1')).split('HTTP/1.1 404')
      answered += parts.length - 1
      // The next one may be cut in two.
      rest = (parts.at(-1) ?? '').slice(-11)
      most = Math.max(most, megabytes(free) - before)
    })
    // So many that what is not given back shows beside what V8 lets gather before it collects it: up to 270 MB here.
    const requests = 372_000
    socket.write(line(`/${unknownCode()}`).repeat(requests))
    await eventually(
      () => answered,
      (count) => count >= requests,
      60_000,
    )
    socket.destroy()
    expect(most).toBeLessThan(350)
  }, 90_000)

  it('do not let a client find the spoken codes that there are', async () => {
    const alive = new Set<string>()
    for (let i = 0; i < 7; i++) {
      const { body } = await free.api('POST', '/spoken', { url: destination(), digits: 4, ttl: 3600 })
      alive.add((JSON.parse(body) as { digits: string }).digits)
    }
    const numbers = Array.from({ length: 9_000 }, (_, i) => String(1_000 + i))
    const replies = await pipelined(
      app.port,
      numbers.map((number) => line(`/${number}`)),
    )
    const told = numbers.filter((_, i) => replies[i]?.status !== 429)
    expect(told.filter((number) => !alive.has(number)).length).toBeLessThanOrEqual(20)
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(numbers.length - 27)
  })
})

describe('a request that offers another protocol', () => {
  /** What a client may offer that speaks HTTP/2, and what only a page in development takes. */
  const offers = ['h2c', 'websocket']
  const offering = (path: string, protocol: string) =>
    line(path).replace('\r\n\r\n', `\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)

  it.each(offers)('is answered as any other, and bounded as any other: %s', async (protocol) => {
    const { code, url } = await free.create({ url: destination() })
    // The pages take hold of the server with the first one.
    const [page] = await pipelined(free.port, [line('/sign-in')])
    expect(page?.status).toBe(200)
    const names = Array.from({ length: 200 }, (_, i) => `n${i}=1`).join('&')
    const paths = [`/${code}`, '/sign-in', '/api/v1/links', '/healthz', `/sign-in?${names}`, '/dashboard/%E0', '//x']
    const asked = await pipelined(
      free.port,
      paths.map((path) => line(path)),
    )
    expect(asked.slice(0, 6).map(({ status }) => status)).toEqual([302, 200, 401, 200, 400, 400])
    expect(asked[0]?.location).toBe(url)
    for (const [i, path] of paths.entries())
      expect(await pipelined(free.port, [offering(path, protocol)]), path).toEqual([asked[i]])
  })

  it('says nothing of its own in the log', () => expect(free.log).not.toMatch(/upgrade/i))
})
