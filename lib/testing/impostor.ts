import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { atEnd } from './cleanup'
import type { Certificates } from './tls'

export interface Impostor {
  port: number
  /** How many clients agreed to encrypt. */
  asked: () => number
  /** What clients told it after that. */
  heard: () => string
}

const SEED = 'abcdefghijklmnopqrst'
/** Long password, database, protocol 4.1, TLS, SECURE_CONNECTION, plugins, attributes of the connection. */
const CAPABILITIES = 0x1 | 0x8 | 0x200 | 0x800 | 0x8000 | 0x80000 | 0x200000
const TLS = 0x800

/** Bytes of the packet by which a client asks for TLS. */
const SSL_REQUEST = 36

/**
 * Somebody who sits between: greets as a database, with a certificate of its own, and listens. It ends with the file's tests.
 * @param version what it says it is
 * @param plugin how it asks for the password
 * @param answer what it says to the first thing it hears; else it ends the connection
 */
export async function impostor(certificates: Certificates, version: string, plugin: string, answer?: Buffer): Promise<Impostor> {
  const [key, cert] = [readFileSync(certificates.key), readFileSync(certificates.cert)]
  let asked = 0
  let heard = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(greeting(version, plugin))
    socket.once('data', (bytes) => {
      asked += 1
      // What comes with it is of TLS already.
      socket.pause()
      socket.unshift(bytes.subarray(SSL_REQUEST))
      const secure = new TLSSocket(socket, { isServer: true, key, cert })
      secure.on('error', () => {})
      secure.on('data', (bytes) => {
        heard += bytes.toString('latin1')
        if (answer) secure.write(answer)
        else socket.destroy()
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return { port: (server.address() as AddressInfo).port, asked: () => asked, heard: () => heard }
}

/** One that says it has no TLS. @returns its port, and what clients told it all the same */
export async function stripper(version: string, plugin: string): Promise<Pick<Impostor, 'port' | 'heard'>> {
  let heard = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(greeting(version, plugin, CAPABILITIES & ~TLS))
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
      socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return { port: (server.address() as AddressInfo).port, heard: () => heard }
}

export interface RawServer {
  port: number
  connections: () => number
  /** What all clients told it. */
  heard: () => string
}

/**
 * A server that says what it is told to. It ends with the file's tests.
 * @param writes said at once, one after the other
 * @param answer said when a client speaks for the first time
 */
export async function rawServer(writes: readonly Buffer[], answer: Buffer = Buffer.alloc(0)): Promise<RawServer> {
  let connections = 0
  let heard = ''
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1
    const say = ([first, ...others]: readonly Buffer[]) => {
      if (first) socket.write(first, () => say(others))
    }
    socket.on('error', () => {})
    socket.once('data', () => socket.write(answer))
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
    })
    say(writes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections, heard: () => heard }
}

/** A packet of the protocol. */
export function packet(sequence: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([body.length & 0xff, body.length >>> 8, 0, sequence]), body])
}

/** A login that succeeded. @param redirect where the client is to go instead */
export function loggedIn(redirect = ''): Buffer {
  const text = (value: string) => Buffer.from(`${String.fromCharCode(value.length)}${value}`, 'latin1')
  if (redirect === '') return packet(2, Buffer.from([0, 0, 0, 2, 0, 0, 0]))
  const variable = text(`${text('redirect_url')}${text(redirect)}`)
  // SESSION_STATE_CHANGED, no warnings, no text, and what changed: a variable (0).
  return packet(2, Buffer.concat([Buffer.from([0, 0, 0, 2, 0x40, 0, 0, 0]), text(`\0${variable}`)]))
}

/**
 * The first packet of the protocol: HandshakeV10.
 * @param collation the server's own, by its number; utf8mb4_general_ci if not given
 */
export function greeting(version: string, plugin: string, capabilities = CAPABILITIES, collation = 45): Buffer {
  const [low, high] = [Buffer.alloc(2), Buffer.alloc(2)]
  low.writeUInt16LE(capabilities & 0xffff)
  high.writeUInt16LE(capabilities >>> 16)
  const body = Buffer.concat([
    Buffer.from(`\x0a${version}\0\x01\0\0\0${SEED.slice(0, 8)}\0`, 'latin1'),
    low,
    Buffer.from([collation, 2, 0]),
    high,
    Buffer.from([21]),
    Buffer.alloc(10),
    Buffer.from(`${SEED.slice(8)}\0${plugin}\0`),
  ])
  return packet(0, body)
}
