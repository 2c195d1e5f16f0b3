import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { Runtime } from '@/lib/runtime'
import { sendForm } from './node'

it.each(['ended', 'reset'] as const)(
  'a form whose connection is %s behind its head is no error, and no page is written for it',
  async (how) => {
    let settle = (_: string) => {}
    const outcome = new Promise<string>((resolve) => {
      settle = resolve
    })
    const page = async () => settle('a page was written')
    const server = createServer((request, response) => {
      sendForm({} as Runtime, request, response, page).then(
        () => settle(response.destroyed ? 'nothing' : 'still open'),
        (error) => settle(String(error)),
      )
      if (how === 'reset') client.resetAndDestroy()
      else client.destroy()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => {})
    client.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nform=',
    )
    expect(await outcome).toBe('nothing')
  },
)
