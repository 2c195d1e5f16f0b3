import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './cleanup'

export interface OldRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
}

/** A shortener that is moved away from, on this machine. */
export class OldShortener {
  readonly asked: OldRequest[] = []
  /** The same of codes that nobody has: what it does with these is asked now and then. */
  readonly probed: OldRequest[] = []
  /** Codes, with where they lead: an address, or a status with one. */
  readonly links = new Map<string, string>()
  /** In place of its own answers; returns false for what it leaves to these. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false

  private constructor(
    readonly url: string,
    private readonly stop: () => void,
  ) {}

  static async open(): Promise<OldShortener> {
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      const list = /^\/terse[0-9a-z]{20}$/.test(url) ? old.probed : old.asked
      list.push({ method, path: url, headers })
      if (old.answer(request, response)) return
      const to = old.links.get(decodeURIComponent(url.slice(1)))
      if (to === undefined) response.writeHead(404).end()
      else response.writeHead(301, { Location: to, 'Set-Cookie': 'old=1' }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const stop = () => {
      server.closeAllConnections()
      server.close()
    }
    atEnd(stop)
    const old = new OldShortener(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop)
    return old
  }

  /** How often it was asked for a code. */
  times(code: string): number {
    return this.asked.filter(({ path }) => path === `/${code}`).length
  }

  /** Takes no connections any more. */
  close(): void {
    this.stop()
  }
}
