import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { inTurn } from './in-turn'

/** A server that answers in its own time, with what it saw; none before it works on `atOnce` together. */
async function serve(atOnce = 1) {
  const seen = { arrived: 0, working: 0, most: 0, waiting: 0 }
  const handle = inTurn(async (request: IncomingMessage, response: ServerResponse) => {
    seen.working += 1
    seen.most = Math.max(seen.most, seen.working)
    let body = ''
    for await (const chunk of request) body += chunk
    do await new Promise<void>((resolve) => setImmediate(resolve))
    while (seen.most < atOnce)
    seen.working -= 1
    response.end(`<${request.url}${body}>`)
    seen.arrived -= 1
  })
  const server = createServer((request, response) => {
    seen.arrived += 1
    seen.waiting = Math.max(seen.waiting, seen.arrived)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, port: (server.address() as AddressInfo).port }
}

/** Sends all this at once on one connection and gives what comes back, until `end` was in it. */
function send(port: number, text: string, end: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: string[] = []
    let tail = ''
    socket.on('data', (chunk) => {
      chunks.push(chunk.toString())
      tail = (tail + chunk.toString()).slice(-2 * end.length)
      if (tail.includes(end)) resolve(chunks.join(''))
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('closed')))
    socket.write(text)
  })
}

const get = (i: number) => `GET /${i} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (i: number) => `POST /${i} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n:body`
const answersIn = (text: string) => [...text.matchAll(/<([^>]*)>/g)].map(([, answer]) => answer)

describe('requests sent at once on one connection', () => {
  it('are worked on one at a time and answered in order, with their bodies', async () => {
    const { seen, port } = await serve()
    const texts = Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? post(i) : get(i)))
    const received = await send(port, texts.join(''), '</499>')
    expect(answersIn(received)).toEqual(texts.map((_, i) => (i % 3 === 0 ? `/${i}:body` : `/${i}`)))
    expect(seen.most).toBe(1)
  })

  it('wait in the sender, but for those of one piece', async () => {
    const { seen, port } = await serve()
    const count = 20_000
    const received = await send(port, Array.from({ length: count }, (_, i) => get(i)).join(''), `</${count - 1}>`)
    expect(answersIn(received)).toHaveLength(count)
    // 64 kB of the shortest of them, and what follows them before the socket pauses.
    expect(seen.waiting).toBeLessThan(65_536 / get(0).length + 64)
  })

  it('do not wait for those of another connection', async () => {
    const { seen, port } = await serve(20)
    await Promise.all(Array.from({ length: 20 }, (_, i) => send(port, get(i), `</${i}>`)))
    expect(seen.most).toBe(20)
  })
})
