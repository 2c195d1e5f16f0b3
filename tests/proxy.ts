import { connect, createServer, type Socket } from 'node:net'

/** A TCP way to a server, for one client of it: it can be cut, frozen or made to forget, and remembers what it carried. */
export interface TcpProxy {
  port: number
  /** Every connection ends, and no new one is taken. */
  cut(): void
  /** Connections look alive and carry nothing, old and new ones. */
  freeze(): void
  /** As `freeze`, but only what is open now: a gateway in between lost its table, and nobody was told. */
  forget(): void
  heal(): void
  /** How often `text` went towards the server. */
  carried(text: string): number
  close(): Promise<void>
}

const KEPT = 4_000_000

export function startProxy(targetPort: number): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'frozen' = 'open'
  let sent = ''
  const sockets = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(targetPort, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (state !== 'open' || forgotten.has(from)) return // swallowed, as a network that drops packets does
        if (from === near) sent = (sent + chunk.toString('latin1')).slice(-KEPT)
        to.write(chunk)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        cut() {
          state = 'cut'
          drop()
        },
        freeze() {
          state = 'frozen'
        },
        forget() {
          for (const socket of sockets) forgotten.add(socket)
        },
        heal() {
          if (state === 'frozen') drop()
          state = 'open'
        },
        carried: (text) => sent.split(text).length - 1,
        close: () =>
          new Promise((done) => {
            drop()
            server.close(() => done())
          }),
      })
    })
  })
}
