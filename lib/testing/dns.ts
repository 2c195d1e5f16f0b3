import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { atEnd } from './cleanup'

/** What is asked for: 1 for IPv4, 28 for IPv6. */
const TYPES = { 4: 1, 6: 28 } as const

/**
 * A DNS server of this machine.
 * @param addresses what it answers, by name and family; null: nothing. What it does not know does not exist
 * @returns its address, and the names that it was asked for
 */
export async function dnsServer(addresses: (name: string, family: 4 | 6) => number[][] | null) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    // RFC 1035, 4.1: a header of 12 bytes, then the labels of the name, each behind its length, then type and class.
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.')
    asked.push(name)
    const family = query.readUInt16BE(at + 1) === TYPES[4] ? 4 : 6
    const found = addresses(name, family)
    if (found === null) return
    const head = Buffer.from(query.subarray(0, at + 5))
    // An answer to one question, with so many addresses and nothing else.
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(found.length, 6)
    head.fill(0, 8, 12)
    const answers = found.map((bytes) => Buffer.from([0xc0, 12, 0, TYPES[family], 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]))
    socket.send(Buffer.concat([head, ...answers]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(() => socket.close())
  return { server: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked }
}
