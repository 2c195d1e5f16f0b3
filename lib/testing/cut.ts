import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './cleanup'

/** A way to the database of a URL that is cut when the client has spoken `times` times. @returns its URL */
export async function cutAfter(times: number, url: string): Promise<string> {
  const target = new URL(url)
  const port = Number(target.port)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, target.hostname)
    let spoken = 0
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', end)
    }
    client.on('data', (chunk) => {
      spoken += 1
      if (spoken >= times) end()
      else upstream.write(chunk)
    })
    upstream.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  target.port = String((server.address() as AddressInfo).port)
  return target.href
}
