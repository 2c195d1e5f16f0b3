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
}

/** A TCP proxy in front of a server, so that a test can cut off one client of it. */
export async function proxyTo(target: string): Promise<Proxy> {
  const url = new URL(target)
  const [host, port] = [url.hostname, Number(url.port)]
  const sockets = new Set<Socket>()
  /** The server's ends, and where their answers go. */
  const answers = new Map<Socket, Socket>()
  let isHeld = false
  let trigger: string | null = null
  let server: Server | undefined
  let own = 0
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
      answers.set(upstream, client)
      client.on('data', (chunk: Buffer) => {
        if (trigger !== null && chunk.includes(trigger)) hold()
      })
      client.pipe(upstream)
      if (!isHeld) upstream.pipe(client)
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
    for (const [upstream, client] of answers) upstream.unpipe(client).pause()
  }
  const release = () => {
    isHeld = false
    for (const [upstream, client] of answers) upstream.pipe(client)
  }
  const holdOnce = (text: string) => {
    trigger = text
  }
  await mend()
  atEnd(cut)
  url.hostname = '127.0.0.1'
  url.port = String(own)
  return { url: url.href, cut, mend, hold, holdOnce, release }
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
