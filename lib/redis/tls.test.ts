import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { eventually } from '@/lib/testing/eventually'
import { connectRedis } from './gateway'
import { Subscriber } from './subscriber'

/** The first byte of a record of TLS that begins a handshake (RFC 8446, 5.1). */
const HANDSHAKE = 0x16

/** A server that listens in plain. @returns what each connection said */
async function plainListener(): Promise<{ port: number; heard: Buffer[] }> {
  const heard: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // Says nothing back: with an error, the client would connect again at once, and again.
    socket.on('error', () => {}).on('data', (bytes) => heard.push(bytes))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

const listeners = await Promise.all([plainListener(), plainListener()])
const [one, two] = listeners.map(({ port }) => `127.0.0.1:${port}`)

it.each([
  ['one server', `rediss://:secret@${one}`],
  ['a cluster', `rediss://me:secret@${one},rediss://me:secret@${two}`],
  ['Sentinels', `rediss+sentinel://me:secret@${one},${two}/main?sentinel_user=me&sentinel_password=secret`],
])('with rediss, %s hears nothing but TLS from commands and from the subscriber', async (_, url) => {
  for (const { heard } of listeners) heard.length = 0
  const client = connectRedis(url, { enableOfflineQueue: true })
  atEnd(() => client.disconnect())
  client.get('secret').catch(() => {})
  const subscriber = new Subscriber(url, 'secret', () => {})
  atEnd(() => subscriber.close())
  const heard = () => listeners.flatMap((listener) => listener.heard)
  await eventually(() => expect(heard().length).toBeGreaterThanOrEqual(2))
  expect(heard().map(([first]) => first)).toEqual(heard().map(() => HANDSHAKE))
  expect(String(Buffer.concat(heard()))).not.toMatch(/secret|auth|hello|get|sentinel|cluster/i)
})
