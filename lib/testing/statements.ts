import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { atEnd } from './cleanup'

const COM_QUERY = 3

/** Connections with this attribute are not listened to: what tests ask by themselves says nothing about the app. */
export const UNRECORDED = { program_name: 'terse-test-unrecorded' }

/** One statement of each shape that this process has sent since it began to note them. Files of tests share a process. */
const samples = new Map<string, string>()
let isRecording = false

/**
 * Notes every statement that this process sends to the server at `url` from now on, by whatever it is sent: one of each shape, in
 * a file in `folder`, written when the tests under way are done.
 */
export function recordStatements(url: string, folder: string): void {
  if (!isRecording) listenToSockets(Number(new URL(url).port), () => queriesOf((sql) => keep(samples, sql)))
  isRecording = true
  atEnd(() => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify([...samples.values()]))
  })
}

/** Hears what is written to each connection to this port. A proxy in between would slow down what races. */
function listenToSockets(port: number, listener: () => (bytes: Buffer) => void): void {
  const listeners = new WeakMap<Socket, (bytes: Buffer) => void>()
  const write = Socket.prototype.write
  Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
    if (this.remotePort === port && Buffer.isBuffer(args[0])) {
      const listen = listeners.get(this) ?? listener()
      listeners.set(this, listen)
      // The driver writes its buffer over again.
      listen(Buffer.from(args[0]))
    }
    return Reflect.apply(write, this, args)
  }
}

/** @returns the statements that were noted in `folder`, one of each shape */
export function recordedStatements(folder: string): string[] {
  const samples = new Map<string, string>()
  for (const name of readdirSync(folder).sort()) {
    for (const sql of JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[]) keep(samples, sql)
  }
  return [...samples.values()]
}

/**
 * Keeps, of each shape, the statement that asks for the most rows: for few an optimizer goes along an index, for many it may not.
 */
function keep(samples: Map<string, string>, sql: string): void {
  const shape = shapeOf(sql)
  const held = samples.get(shape)
  if (held === undefined || limitOf(sql) > limitOf(held)) samples.set(shape, sql)
}

const limitOf = (sql: string) => Number(/\bLIMIT (\d+)/i.exec(sql)?.[1] ?? 0)

/** A statement without its values: the same for all that differ in these, and in how many stand in a list. */
export function shapeOf(sql: string): string {
  return sql
    .replace(/'(?:[^'\\]|\\.|'')*'/gs, '?')
    .replace(/\b(?:0x[\da-f]+|x\?|\d+(?:\.\d+)?(?:e[+-]?\d+)?)\b/gi, '?')
    .replace(/\?(?:\s*,\s*\?)+/g, '?')
    .replace(/(\((?:[^()]|\([^()]*\))*\))(?:\s*,\s*\1)+/g, '$1')
    .replace(/(\((?:[^()]|\([^()]*\))*\))(?: OR \1)+/g, '$1')
    .replace(/(\bSELECT \?(?: AS \w+)?)(?: UNION ALL SELECT \?)+/g, '$1')
    .replace(/(?:\(\?\s*(?:OR|AND)\s*)+/g, '(? OR ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Hears what a client sends to a MySQL or MariaDB server, and gives each statement of it. */
function queriesOf(note: (sql: string) => void): (bytes: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  let isHeard = true
  return (bytes) => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    while (held.length >= 4) {
      const end = 4 + held.readUIntLE(0, 3)
      if (held.length < end) return
      // A packet numbered 0 begins a command; others belong to the handshake, or go on with a long one.
      if (held[3] === 0 && held[4] === COM_QUERY && isHeard) note(held.toString('utf8', 5, end))
      else if (held.includes(UNRECORDED.program_name)) isHeard = false
      held = held.subarray(end)
    }
  }
}
