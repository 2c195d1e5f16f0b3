/** TCP on this machine: a free port, and one exchange with a server. */

import { randomInt } from 'node:crypto'
import net from 'node:net'

const HOST = '127.0.0.1'

/**
 * Below the range from which the system takes ports for outgoing connections (32768 up on Linux, 49152
 * on macOS): a port from there could be taken while a server is down, and a client that keeps trying to
 * reach it could even connect to itself.
 */
const FROM = 20_000
const TO = 30_000

/** @returns {Promise<number>} a port on which nothing listens */
export async function freePort() {
  for (;;) {
    const port = randomInt(FROM, TO)
    const free = await new Promise((resolve) => {
      const server = net.createServer()
      server.once('error', () => resolve(false))
      server.listen(port, HOST, () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/**
 * Connects, sends `message` and reads until `isEnough`.
 *
 * @param {number} port
 * @param {string} message
 * @param {(received: Buffer) => boolean} isEnough
 * @returns {Promise<Buffer>} what was received; less than enough when the server closed, refused, or was
 *   silent for a second
 */
export function exchange(port, message, isEnough) {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0)
    const socket = net.connect(port, HOST, () => socket.write(message))
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      if (isEnough(received)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}
