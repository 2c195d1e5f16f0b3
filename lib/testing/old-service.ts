import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './cleanup'

/** What an old service was asked. */
export interface OldRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  /** Fields of a form that was sent. */
  form: URLSearchParams
}

export interface OldReply {
  /** 0: the connection is closed without an answer. */
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is. */
  body?: string | Buffer
}

/** A server that answers as another shortener does, on this machine. */
export class OldService {
  readonly asked: OldRequest[] = []
  answer: (request: OldRequest) => OldReply | Promise<OldReply> = () => ({ status: 404 })

  private constructor(readonly address: string) {}

  static async open(): Promise<OldService> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://old.test')
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const asked = { method: request.method ?? '', path, query, headers: request.headers, form }
      service.asked.push(asked)
      const { status = 200, headers = {}, json, body } = await service.answer(asked)
      if (status === 0) return request.socket.destroy()
      response.writeHead(status, { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers })
      response.end(json === undefined ? body : JSON.stringify(json))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd(() => {
      server.closeAllConnections()
      server.close()
    })
    const service = new OldService(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return service
  }
}
