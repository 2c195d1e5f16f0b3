import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { dnsServer } from '@/lib/testing/dns'
import { parseRanges } from './address'
import { failureOf, Outbound, type OutboundRequest } from './outbound'

const asked: string[] = []
const server: Server = createServer((request, response) => {
  const { url = '', method, headers } = request
  asked.push(`${method} ${url}`)
  const host = headers.host ?? ''
  if (url === '/hang') return
  if (url === '/trickle') {
    response.write('a')
    const timer = setInterval(() => response.write('a'), 20)
    response.on('close', () => clearInterval(timer))
    return
  }
  if (url.startsWith('/to?')) return void response.writeHead(302, { Location: decodeURIComponent(url.slice(4)) }).end()
  if (url === '/loop') return void response.writeHead(302, { Location: '/loop' }).end()
  if (url === '/gzip') return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('packed'))
  if (url === '/br') return void response.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync('packed'))
  if (url === '/bomb') return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB)
  if (url === '/odd') return void response.writeHead(200, { 'Content-Encoding': 'lzma' }).end('x')
  if (url === '/empty') return void response.writeHead(204, { 'Content-Encoding': 'gzip' }).end()
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk
  })
  request.on('end', () => response.writeHead(201, { 'X-Host': host }).end(`${method} ${body}`))
})
/** 64 MB of nothing in 64 KB. */
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
atEnd(() => {
  server.closeAllConnections()
  server.close()
})

const LOCAL = parseRanges(['127.0.0.0/8', '::1'])
const REQUEST: OutboundRequest = { timeout: 5_000, maxBytes: 1_000, ports: 'open' }
const here = (path: string, host = '127.0.0.1') => new URL(`http://${host}:${port}${path}`)
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => failureOf(error),
  )

/** A host that says what it likes once it is asked. */
async function rawHost(onAsked: (socket: Socket) => void): Promise<{ origin: string }> {
  const sockets = new Set<Socket>()
  const host = createTcp((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => onAsked(socket))
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    host.close()
  })
  return { origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}/` }
}

/** What a fetch fails with; `never`: it has not ended long after it should have. */
async function endOf(fetched: Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const never = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('never'), 5_000)
  })
  const end = await Promise.race([refusalOf(fetched), never])
  clearTimeout(timer)
  return end
}

describe('asking URLs that strangers named', () => {
  const open = new Outbound(LOCAL)

  it('sends a body, and gives status, headers and the body of the answer', async () => {
    const answer = await open.fetch(here('/'), { ...REQUEST, method: 'POST', body: 'ünïcode' })
    expect(answer).toMatchObject({ status: 201, isCut: false, headers: { 'x-host': `127.0.0.1:${port}` } })
    expect(answer.body.toString()).toBe('POST ünïcode')
  })

  it('unpacks answers, and reads no more of them than it may, however much they unpack to', async () => {
    for (const path of ['/gzip', '/br']) {
      expect((await open.fetch(here(path), REQUEST)).body.toString()).toBe('packed')
    }
    const before = process.memoryUsage().arrayBuffers
    const bomb = await open.fetch(here('/bomb'), { ...REQUEST, maxBytes: 100_000 })
    expect(bomb).toMatchObject({ isCut: true })
    expect(bomb.body).toHaveLength(100_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024)
    expect((await open.fetch(here('/empty'), REQUEST)).body).toHaveLength(0)
    expect(await refusalOf(open.fetch(here('/odd'), REQUEST))).toBe('encoding')
  })

  it.each(['/hang', '/trickle'])('gives up %s when its time is over', async (path) => {
    expect(await refusalOf(open.fetch(here(path), { ...REQUEST, timeout: 200 }))).toBe('timeout')
  })

  it.each(['/hang', '/trickle'])('gives up %s also after memory was collected meanwhile', async (path) => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const timer = setInterval(collect, 50)
    const end = await endOf(open.fetch(here(path), { ...REQUEST, timeout: 500 }))
    clearInterval(timer)
    expect(end).toBe('timeout')
  })

  it.each([
    ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', /connection/],
    // An answer like others, which has no success to tell.
    ['switches protocols to none', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', /none/],
    ['says that an answer comes, and gives none', 'HTTP/1.1 103 Early Hints\r\n\r\n', /timeout/],
  ])('gives up a host that %s', async (_, said, failure) => {
    const { origin } = await rawHost((socket) => socket.write(said))
    expect(await endOf(open.fetch(new URL(origin), { ...REQUEST, timeout: 500 }))).toMatch(failure)
  })

  it('gives up a host that goes on saying that an answer comes, and one that closes without any', async () => {
    const talking = await rawHost((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 1)
      socket.on('close', () => clearInterval(timer))
    })
    expect(await endOf(open.fetch(new URL(talking.origin), { ...REQUEST, timeout: 300 }))).toBe('timeout')
    const closing = await rawHost((socket) => socket.end())
    expect(await endOf(open.fetch(new URL(closing.origin), REQUEST))).toBe('connection')
  })

  it('ends early when its caller says so, and asks nothing after that', async () => {
    const stop = new AbortController()
    const fetched = refusalOf(open.fetch(here('/hang'), { ...REQUEST, signal: stop.signal }))
    stop.abort()
    expect(await fetched).toBe('timeout')
    const before = asked.length
    expect(await refusalOf(open.fetch(here('/'), { ...REQUEST, signal: stop.signal }))).toBe('timeout')
    expect(asked.length).toBe(before)
  })

  it('lets its caller look at each URL before it is asked', async () => {
    const seen: string[] = []
    const guard = (url: URL) => {
      seen.push(url.pathname)
      if (url.pathname === '/there') throw new Error('not there')
    }
    const before = asked.length
    const fetched = open.fetch(here(`/to?${encodeURIComponent('/there')}`), { ...REQUEST, redirects: 2, guard })
    await expect(fetched).rejects.toThrow('not there')
    expect(seen).toEqual(['/to', '/there'])
    expect(asked.length).toBe(before + 1)
  })

  it('follows redirects where it may, as many as it may, and of a POST none', async () => {
    const to = (url: string) => here(`/to?${encodeURIComponent(url)}`)
    const followed = await open.fetch(to('/there'), { ...REQUEST, redirects: 2 })
    expect(followed).toMatchObject({ status: 201, url: here('/there') })
    expect(await open.fetch(to('/there'), REQUEST)).toMatchObject({ status: 302 })
    expect(await open.fetch(to('/there'), { ...REQUEST, method: 'POST', redirects: 2 })).toMatchObject({ status: 302 })
    expect(await refusalOf(open.fetch(here('/loop'), { ...REQUEST, redirects: 3 }))).toBe('redirects')
  })

  it('checks each redirect as it checked the first URL', async () => {
    const to = (url: string) => open.fetch(here(`/to?${encodeURIComponent(url)}`), { ...REQUEST, redirects: 5 })
    for (const url of ['http://10.0.0.1/', 'http://[fd00::1]/', 'http://169.254.169.254/latest/meta-data']) {
      expect(await refusalOf(to(url)), url).toBe('private')
    }
    expect(await refusalOf(to('ftp://8.8.8.8/'))).toBe('scheme')
    expect(await refusalOf(to('http://8.8.8.8:25/'))).toBe('port')
    expect(await refusalOf(to('http://user@8.8.8.8/'))).toBe('credentials')
  })

  it('asks web ports alone, or also those above 1023, and any of a range that is allowed', async () => {
    const closed = new Outbound()
    const probe = (url: string, ports: 'open' | 'web') => refusalOf(closed.probe(new URL(url), ports, 1_000))
    for (const url of ['http://8.8.8.8/', 'https://8.8.8.8/', 'http://8.8.8.8:443/', 'https://8.8.8.8:80/']) {
      expect(await probe(url, 'web'), url).toBe('none')
    }
    expect(await probe('http://8.8.8.8:8080/', 'web')).toBe('port')
    expect(await probe('http://8.8.8.8:8080/', 'open')).toBe('none')
    expect(await probe('http://8.8.8.8:25/', 'open')).toBe('port')
    expect((await open.fetch(here('/'), { ...REQUEST, ports: 'web' })).status).toBe(201)
  })
})

describe('what cannot be reached', () => {
  const closed = new Outbound()

  it.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '0', '0.0.0.0', 'localhost', 'a.localhost', 'localhost.'],
    ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '192.0.0.1', '198.18.0.1', '224.0.0.1'],
    ...['240.0.0.1', '255.255.255.255', '[::]', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]'],
    ...['[::127.0.0.1]', '[::ffff:0:10.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[2001::1]'],
    ...['[fe80::1]', '[fec0::1]', '[fc00::1]', '[ff02::1]', '[100::1]', '[2001:db8::1]', '[3fff::1]', '[4000::1]', '[5f00::1]'],
  ])('is %s', async (host) => {
    const before = asked.length
    expect(await refusalOf(closed.fetch(here('/', host), REQUEST))).toBe('private')
    expect(await refusalOf(closed.probe(here('/', host), 'open', 1_000))).toBe('private')
    expect(asked.length).toBe(before)
  })

  it('is what is neither http nor https, or has a password', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://8.8.8.8/', 'gopher://8.8.8.8/', 'data:text/plain,x']) {
      expect(await refusalOf(closed.fetch(new URL(url), REQUEST)), url).toBe('scheme')
    }
    expect(await refusalOf(closed.fetch(new URL('http://a:b@8.8.8.8/'), REQUEST))).toBe('credentials')
  })

  it('is any notation of an address of this machine', async () => {
    const before = asked.length
    const numbers = fc.constantFrom(10, 8, 16).map((base) => (n: number) => {
      return base === 10 ? String(n) : base === 8 ? `0${n.toString(8)}` : `0x${n.toString(16)}`
    })
    const tail = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(numbers, tail, fc.integer({ min: 1, max: 4 }), async (write, [b, c, d], parts) => {
        const bytes = [127, b, c, d]
        const rest = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0)
        const host = [...bytes.slice(0, parts - 1), rest].map(write).join('.')
        expect(await refusalOf(closed.fetch(here('/', host), REQUEST)), host).toBe('private')
      }),
      { numRuns: 50 },
    )
    expect(asked.length).toBe(before)
  })

  it('is a name that leads there: at once, beside a good address, or only when it is asked for the second time', async () => {
    const before = asked.length
    const [own, good] = [
      [127, 0, 0, 1],
      [8, 8, 8, 8],
    ]
    let turn = 0
    const { server } = await dnsServer((name, family) => {
      if (family === 6) return name === 'six.example' ? [[...Array(15).fill(0), 1]] : []
      if (name === 'own.example') return [own]
      if (name === 'mixed.example') return [good, own]
      if (name === 'six.example') return [good]
      return [turn++ === 0 ? good : own]
    })
    const outbound = new Outbound([], { nameServers: [server] })
    for (const name of ['own.example', 'mixed.example', 'six.example']) {
      expect(await refusalOf(outbound.fetch(here('/', name), REQUEST)), name).toBe('private')
    }
    await outbound.probe(here('/', 'turns.example'), 'open', 1_000)
    expect(await refusalOf(outbound.fetch(here('/', 'turns.example'), REQUEST))).toBe('private')
    expect(asked.length).toBe(before)
  })

  it('is a name that nobody knows, which is told apart', async () => {
    const { server } = await dnsServer(() => [])
    const outbound = new Outbound([], { nameServers: [server] })
    expect(await refusalOf(outbound.fetch(here('/', 'none.example'), REQUEST))).toBe('name')
    expect(await refusalOf(outbound.probe(here('/', 'none.example'), 'open', 1_000))).toBe('name')
  })

  it('is told apart from a port where nobody listens', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port: free } = other.address() as AddressInfo
    await new Promise((resolve) => other.close(resolve))
    expect(await refusalOf(new Outbound(LOCAL).fetch(new URL(`http://127.0.0.1:${free}/`), REQUEST))).toBe('connection')
  })

  it('is reached where its range is allowed, and nothing beside it', async () => {
    const outbound = new Outbound(LOCAL)
    expect((await outbound.fetch(here('/', 'localhost'), REQUEST)).status).toBe(201)
    expect((await outbound.fetch(here('/', '[::ffff:127.0.0.1]'), REQUEST)).status).toBe(201)
    expect(await refusalOf(outbound.fetch(here('/', '10.0.0.1'), REQUEST))).toBe('private')
  })
})
