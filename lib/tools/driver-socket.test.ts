import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { greeting } from '@/lib/testing/impostor'
import { scriptedDatabase } from '@/lib/testing/scripted-database'
import { testCertificates } from '@/lib/testing/tls'
import { uncaughtErrors } from '@/lib/testing/uncaught'
import { openSocket } from './driver-socket'
import { unverified } from './driver-tls'

const { own } = await testCertificates()

async function serverOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return (server.address() as AddressInfo).port
}

const fail = () => {
  throw new Error('what the driver throws')
}

describe('what the driver throws ends the connection, and no process', () => {
  it.each(['connect', 'data', 'end', 'error', 'close'])('when it hears of %s', async (event) => {
    const uncaught = uncaughtErrors()
    const port = await serverOf(
      createServer((client) => {
        client.on('error', () => {})
        if (event === 'error') client.resetAndDestroy()
        else client.end(greeting('8.4.0', 'mysql_native_password'))
      }),
    )
    const socket = openSocket('127.0.0.1', port, false)
    const heard = new Promise((resolve) => socket.on(event, resolve))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    if (event !== 'error') socket.on('error', () => {})
    socket.on(event, fail).resume()
    await Promise.all([heard, closed])
    expect([socket.destroyed, uncaught]).toEqual([true, []])
  })

  it('once the connection is encrypted', async () => {
    const uncaught = uncaughtErrors()
    const { port } = await scriptedDatabase({ certificates: own })
    const plain = openSocket('127.0.0.1', port, true)
    await once(plain, 'data')
    plain.write(Buffer.alloc(36))
    const options = unverified({ socket: plain })
    const secure = tls.connect(options, fail)
    const [error] = await once(secure, 'error')
    expect([error, secure.destroyed, uncaught]).toEqual([new Error('what the driver throws'), true, []])
  })
})
