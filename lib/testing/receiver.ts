import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './cleanup'

export interface ReceivedHook {
  id: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says by what it expects what there is
  body: any
}

/** A program that takes webhooks, on this machine. */
export class Receiver {
  readonly received: ReceivedHook[] = []
  /** What it answers. A function may wait, or answer by what it was sent. */
  answer: (hook: ReceivedHook) => number | Promise<number> = () => 200
  private constructor(readonly url: string) {}

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const text = Buffer.concat(chunks).toString()
        const id = String(request.headers['webhook-id'])
        const hook = { id, headers: request.headers, text, body: JSON.parse(text) }
        receiver.received.push(hook)
        response.writeHead(await receiver.answer(hook)).end('thanks')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(() => {
      server.closeAllConnections()
      server.close()
    })
    const receiver = new Receiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
    return receiver
  }

  /** Those of one kind. */
  of(type: string): ReceivedHook[] {
    return this.received.filter(({ body }) => body.type === type)
  }
}
