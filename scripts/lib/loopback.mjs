/** TCP on this machine: a free port, and one exchange with a server. */

import { randomInt } from 'node:crypto'
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

const HOST = '127.0.0.1'

/**
 * Below the range from which the system takes ports for outgoing connections (32768 up on Linux, 49152
 * on macOS): a port from there could be taken while a server is down, and a client that keeps trying to
 * reach it could even connect to itself.
 */
const FROM = 20_000
const TO = 30_000

/** How long a port belongs to the one that asked for it, in ms: it may listen later, or not for a while. */
const KEPT = 3_600_000
/** Names the folder of the ports, where a run of tests has a folder of its own for temporary files. */
export const PORTS_VARIABLE = 'TERSE_PORTS_FOLDER'

/** Holds a file for each port that somebody asked for, on the whole machine. */
export function portsFolder() {
  return process.env[PORTS_VARIABLE] || path.join(os.tmpdir(), `terse-ports-${os.userInfo().uid}`)
}

/** @returns {Promise<number>} a port on which nothing listens, and that is given to no one else for an hour */
export async function freePort() {
  for (;;) {
    const port = randomInt(FROM, TO)
    if (!reserve(port)) continue
    const free = await new Promise((resolve) => {
      const server = net.createServer()
      server.once('error', () => resolve(false))
      server.listen(port, HOST, () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}

/** @param {number} port @returns {boolean} whether it is ours now */
function reserve(port) {
  const file = path.join(portsFolder(), String(port))
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '', { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    if (statSync(file).mtimeMs > Date.now() - KEPT) return false
    utimesSync(file, new Date(), new Date())
  }
  return true
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
