import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { atEnd } from './cleanup'

export interface Proxy {
  /** The given URL, by way of the proxy. */
  url: string
  /** Ends every connection and refuses new ones: a real outage, for those who come by this way. */
  cut(): Promise<void>
  /** Lets connections through again, on the same port. */
  mend(): Promise<void>
  /** Keeps back what the server answers, until `release`; what it is asked still arrives. */
  hold(): void
  /** The same, from the moment on at which a client says this. */
  holdOnce(text: string): void
  release(): void
  /** From now on everything takes this much longer, in ms each way: a server that is far, or slow. */
  delay(ms: number): void
  /** How often `text` went towards the server. */
  carried(text: string): number
}

/** How much of what it carried is remembered, in characters. */
const KEPT = 1_000_000

/** Real time, where a test sets that of caches and breakers forward (`shiftableClock`). */
const now = performance.now.bind(performance)

/** A TCP proxy in front of a server, so that a test can cut off one client of it, or move it far away. */
export async function proxyTo(target: string): Promise<Proxy> {
  const url = new URL(target)
  const [host, port] = [url.hostname, Number(url.port)]
  const sockets = new Set<Socket>()
  /** The server's ends. */
  const answers = new Set<Socket>()
  let isHeld = false
  let trigger: string | null = null
  let server: Server | undefined
  let own = 0
  let each = 0
  let sent = ''
  const carry = (from: Socket, to: Socket, isClient: boolean) => {
    // Timers of one length end in the order in which they began; after a change of length, nothing may overtake.
    let free = 0
    from.on('data', (chunk: Buffer) => {
      if (isClient) sent = (sent + chunk.toString('latin1')).slice(-KEPT)
      free = Math.max(free, now() + each)
      const wait = free - now()
      if (wait <= 0) to.write(chunk)
      else setTimeout(() => to.destroyed || to.write(chunk), wait)
    })
  }
  const mend = async () => {
    if (server) return
    server = createServer((client) => {
      const upstream = connect(port, host)
      for (const socket of [client, upstream]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          answers.delete(socket)
          client.destroy()
          upstream.destroy()
        })
      }
      answers.add(upstream)
      client.on('data', (chunk: Buffer) => {
        if (trigger !== null && chunk.includes(trigger)) hold()
      })
      carry(client, upstream, true)
      carry(upstream, client, false)
      if (isHeld) upstream.pause()
    })
    server.listen(own, '127.0.0.1')
    await once(server, 'listening')
    own = (server.address() as AddressInfo).port
  }
  const cut = async () => {
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server = undefined
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const hold = () => {
    isHeld = true
    trigger = null
    for (const upstream of answers) upstream.pause()
  }
  const release = () => {
    isHeld = false
    for (const upstream of answers) upstream.resume()
  }
  const delay = (ms: number) => {
    each = ms
  }
  const holdOnce = (text: string) => {
    trigger = text
  }
  await mend()
  atEnd(cut)
  url.hostname = '127.0.0.1'
  url.port = String(own)
  return { url: url.href, cut, mend, hold, holdOnce, release, delay, carried: (text) => sent.split(text).length - 1 }
}

/** `target` with a port at which nobody listens. */
export async function closedPort(target: string): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = once(server, 'close')
  server.close()
  await closed
  const url = new URL(target)
  url.port = String(port)
  return url.href
}
