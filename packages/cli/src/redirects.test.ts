import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createClient } from './client.js'

interface Seen {
  method: string | undefined
  path: string | undefined
  key: string | undefined
  body: string
}

/** A server that redirects `/api/v1/links/<status>` to another place, and what it was sent. */
class Server {
  readonly seen: Seen[] = []
  to = ''
  private readonly server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    this.seen.push({ method: request.method, path: request.url, key: request.headers.authorization, body })
    if (request.url?.startsWith('/here/')) response.setHeader('content-type', 'application/json').end('{"code":"found"}')
    else response.writeHead(this.status, this.to === '' ? {} : { location: this.to }).end()
  })
  status = 307

  async start() {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return this
  }
  get url() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }
  stop() {
    this.server.closeAllConnections()
    this.server.close()
  }
}

let ours: Server
let other: Server
beforeAll(async () => {
  ours = await new Server().start()
  other = await new Server().start()
})
beforeEach(() => {
  for (const server of [ours, other]) server.seen.length = 0
})
afterAll(() => {
  ours.stop()
  other.stop()
})

const client = () => createClient({ url: ours.url, key: 'terse_secret', retries: 0 })

it.each([301, 302, 303, 307, 308])('%i to another server is told and not followed, with or without a body', async (status) => {
  Object.assign(ours, { status, to: `${other.url}/here/x` })
  const told = { code: 'redirected', status, message: expect.stringContaining(other.url) }
  await expect(client().links.get('x')).rejects.toMatchObject(told)
  await expect(client().links.edit('x', { password: 'secret' })).rejects.toMatchObject(told)
  await expect(client().links.move({ from: 'kutt', key: 'secret', address: 'https://kutt.example' })).rejects.toMatchObject(told)
  expect(other.seen).toEqual([])
  expect(ours.seen).toHaveLength(3)
})

it('a GET is followed on the same server, with its key; what has a body is not', async () => {
  Object.assign(ours, { status: 308, to: '/here/x' })
  expect(await client().links.get('x')).toMatchObject({ code: 'found' })
  expect(ours.seen.map(({ path, key }) => [path, key])).toEqual([
    ['/api/v1/links/x', 'Bearer terse_secret'],
    ['/here/x', 'Bearer terse_secret'],
  ])
  await expect(client().links.edit('x', { title: 'new' })).rejects.toMatchObject({ code: 'redirected' })
  expect(ours.seen).toHaveLength(3)
})

it('redirects that have no end, or lead nowhere, end', async () => {
  for (const to of ['/api/v1/links/x', '', 'http://']) {
    Object.assign(ours, { status: 302, to })
    ours.seen.length = 0
    await expect(client().links.get('x')).rejects.toMatchObject({ code: 'redirected' })
    expect(ours.seen.length).toBeLessThanOrEqual(6)
  }
})
