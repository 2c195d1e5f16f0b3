import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { atEnd } from './cleanup'
import { greeting, loggedIn, packet } from './impostor'
import type { Certificates } from './tls'

/** What a database says; what is left out is said as a real one would. */
export interface Script {
  /** Encrypts, if the client asks for it. */
  certificates?: Certificates
  greeting?: Buffer
  login?: Buffer
  /** @returns what is said to a statement, null for nothing, undefined for what is usual */
  answer?: (sql: string, socket: Socket) => Buffer | null | undefined
}

export interface ScriptedDatabase {
  port: number
  connections: () => number
  /** How many of them are still there. */
  open: () => number
  /** All statements so far. */
  statements: readonly string[]
}

/** Bytes of the packet by which a client asks for TLS. */
const SSL_REQUEST = 36
const HEADER = 4
const QUIT = 1

/** A database that takes every login and says what a test has it say. It ends with the file's tests. */
export async function scriptedDatabase(script: Script = {}): Promise<ScriptedDatabase> {
  let connections = 0
  let open = 0
  const statements: string[] = []
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1
    open += 1
    socket
      .on('error', () => {})
      .on('close', () => {
        open -= 1
      })
    socket.write(script.greeting ?? greeting('8.4.0', 'mysql_native_password'))
    const { certificates } = script
    if (!certificates) return converse(socket)
    socket.once('data', (bytes) => {
      socket.pause()
      socket.unshift(bytes.subarray(SSL_REQUEST))
      const [key, cert] = [readFileSync(certificates.key), readFileSync(certificates.cert)]
      const secure = new TLSSocket(socket, { isServer: true, key, cert })
      secure.on('error', () => {})
      converse(secure)
    })
  })
  const converse = (socket: Socket) => {
    let isLoggedIn = false
    eachPacket(socket, (body) => {
      if (!isLoggedIn) socket.write(script.login ?? loggedIn())
      else if (body[0] === QUIT) socket.end()
      else {
        const sql = body.subarray(1).toString()
        statements.push(sql)
        const said = script.answer?.(sql, socket)
        if (said !== null) socket.write(said ?? (/^(SELECT|SHOW)/i.test(sql) ? oneRow('1') : done()))
      }
      isLoggedIn = true
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections, open: () => open, statements }
}

function eachPacket(socket: Socket, hear: (body: Buffer) => void): void {
  let heard: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    heard = Buffer.concat([heard, bytes])
    while (heard.length >= HEADER && heard.length >= HEADER + heard.readUIntLE(0, 3)) {
      const end = HEADER + heard.readUIntLE(0, 3)
      const body = heard.subarray(HEADER, end)
      heard = heard.subarray(end)
      hear(body)
    }
  })
}

/** A statement that was done. @param more status bits and what stands behind them */
export const done = (status = 2, more: Buffer = Buffer.alloc(0)) =>
  packet(1, Buffer.concat([Buffer.from([0, 0, 0, status & 0xff, status >>> 8, 0, 0]), more]))

/** An error. @param sequence 0 for one that nobody asked for */
export const refused = (number: number, sqlState: string, text: string, sequence = 1) =>
  packet(sequence, Buffer.concat([Buffer.from([0xff, number & 0xff, number >>> 8]), Buffer.from(`#${sqlState}${text}`)]))

const text = (value: string) => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)])
const END = Buffer.from([0xfe, 0, 0, 2, 0])

/** A result of one column, without its end: count, column, the end of the columns. */
export function header(name = 'ok'): Buffer {
  const kind = Buffer.from([0x0c, 45, 0, 255, 0, 0, 0, 0xfd, 0, 0, 0, 0, 0])
  const column = Buffer.concat([text('def'), text(''), text(''), text(''), text(name), text(''), kind])
  return Buffer.concat([packet(1, Buffer.from([1])), packet(2, column), packet(3, END)])
}

/** A result of one row and column. */
export const oneRow = (value: string, name = 'ok') => Buffer.concat([header(name), row(value), packet(5, END)])

/** A row of one column. */
export const row = (value: string) => packet(4, text(value))
