import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { makeCertificates } from '@/scripts/lib/certificates.mjs'
import { App, type Servers } from './harness'

/** An app that speaks the APIs of other shorteners, and keys of accounts for them. */

/** Its BASE_URL: as these clients call it, on the port that each of them takes for granted. */
export const HOST = 'short.test'

export const startForeign = (servers: Servers, env: Record<string, string> = {}) =>
  startOnPort(servers, { BASE_URL: `http://${HOST}`, ...env })

/** The same on its own port, for clients that can be told one. */
export const startOnPort = (servers: Servers, env: Record<string, string> = {}) =>
  App.start({
    ...{ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl },
    ...{ FOREIGN_APIS: 'yourls,kutt,shlink,bitly,dub', RATE_LIMIT: 'off', ...env },
  })

/** Leads what clients in this process send to that host to the app, as a name server and a proxy would. @returns what ends it */
export function leadTo(app: App): () => void {
  const agent = http.globalAgent as unknown as { createConnection: (options: { host?: string }, made: () => void) => Socket }
  const { createConnection } = agent
  agent.createConnection = (options, made) =>
    options.host === HOST ? net.connect(app.port, '127.0.0.1', made) : createConnection.call(agent, options, made)
  return () => {
    agent.createConnection = createConnection
  }
}

/**
 * Leads what clients in this process send to that host by https to the app, as a proxy would: with a certificate that an authority
 * of this test’s own issued, which is all that these clients are told.
 * @returns what ends it
 */
export async function leadSecurely(app: App): Promise<() => void> {
  const dir = mkdtempSync(join(tmpdir(), 'terse-test-tls-'))
  const files = await makeCertificates(dir, undefined, [HOST])
  const [ca, cert, key] = [files.ca, files.cert, files.key].map((file) => readFileSync(file))
  rmSync(dir, { recursive: true })
  const proxy = tls.createServer({ cert, key }, (client) => {
    const server = net.connect(app.port, '127.0.0.1')
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      one.pipe(other)
      one.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as net.AddressInfo
  const agent = https.globalAgent as unknown as { createConnection: (options: tls.ConnectionOptions, made: () => void) => Socket }
  const { createConnection } = agent
  agent.createConnection = (options, made) =>
    options.host === HOST
      ? tls.connect({ host: '127.0.0.1', port, servername: HOST, ca }, made)
      : createConnection.call(agent, options, made)
  return () => {
    agent.createConnection = createConnection
    proxy.close()
  }
}

/** The cookies of a new account. */
export async function signUp(app: App, name: string): Promise<string> {
  const person = { name, email: `${name}@example.com`, password: 'a long enough password' }
  const signedUp = await app.call('POST', '/api/auth/sign-up/email', person)
  if (signedUp.status !== 200) throw new Error(`${signedUp.status} ${signedUp.body}`)
  return (signedUp.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ')
}

export interface Key {
  id: string
  key: string
  signature: string
}

/** A new API key of an account. */
export async function newKey(app: App, cookie: string, options: Record<string, unknown> = {}): Promise<Key> {
  const body = { name: 'script', scope: 'write', expiresInDays: null, ...options }
  const made = await app.call('POST', '/api/v1/account/keys', body, { cookie })
  if (made.status !== 201) throw new Error(`${made.status} ${made.body}`)
  return JSON.parse(made.body)
}
