import { connect, createServer, type Socket } from 'node:net'

/** A TCP way to a server that can be cut, or frozen so that it looks alive and carries nothing. */
export interface TcpProxy {
  port: number
  cut(): void
  freeze(): void
  heal(): void
  close(): Promise<void>
}

export function startProxy(targetPort: number): Promise<TcpProxy> {
  let state: 'open' | 'cut' | 'frozen' = 'open'
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(targetPort, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (state === 'open') to.write(chunk) // frozen: swallowed, as a network that drops packets does
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
        heal() {
          if (state === 'frozen') drop()
          state = 'open'
        },
        close: () =>
          new Promise((done) => {
            drop()
            server.close(() => done())
          }),
      })
    })
  })
}
