import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LinkView } from '@/lib/links/schemas'
import { appDatabase, connectTo } from '@/lib/testing/database'
import { ownRedis } from '@/lib/testing/redis'
import { SHORT_LIVED } from '@/lib/testing/short-lived.mjs'
import type { Daemon } from '@/scripts/lib/daemon.mjs'
import { RUN_VARIABLE } from '@/scripts/lib/leftovers.mjs'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { startServers } from '@/scripts/servers.mjs'

export const ROOT = join(import.meta.dirname, '..')
/** Fit for APP_SECRET. */
export const SECRET = 'a secret only for tests, 32 bytes'
const START_PATIENCE = 30_000
/** What a process with an environment of its own is given all the same, so that it ends with the run. */
export const OF_THIS_RUN = {
  PATH: process.env.PATH ?? '',
  TMPDIR: tmpdir(),
  [RUN_VARIABLE]: process.env[RUN_VARIABLE] ?? '',
}

// Whatever way this worker ends, no app stays behind.
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A database and a Redis for one test file, and a folder that goes with them. */
export interface Servers {
  databaseUrl: string
  redis: Daemon
  redisUrl: string
  dir: string
  stop: () => Promise<void>
}

export type PrivateServers = Servers & { mariadb: Daemon }

/** A migrated database of this file's own on the server of the run, and a Redis of its own, which may be stopped. */
export async function ownServers(): Promise<Servers> {
  const [database, { redis, dir, stop }] = await Promise.all([appDatabase(), ownRedis()])
  const end = async () => void (await Promise.all([database.drop(), stop()]))
  return { databaseUrl: database.url, redis, redisUrl: redis.url, dir, stop: end }
}

/** The same with an empty database on a server of this file's own, which may be stopped too. */
export async function privateServers(): Promise<PrivateServers> {
  const dir = mkdtempSync(join(tmpdir(), 'terse-test-'))
  const removeFolder = () => rmSync(dir, { recursive: true, force: true })
  try {
    const servers = await startServers({ dir, debug: true, sync: false })
    return { ...servers, dir, stop: () => servers.stop().finally(removeFolder) }
  } catch (error) {
    removeFolder()
    throw error
  }
}

/** The rows that `sql` gives on a connection of its own. */
export async function query<T = Record<string, unknown>>(databaseUrl: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const connection = await connectTo(databaseUrl, { bigIntAsNumber: true })
  try {
    return await connection.query<T[]>(sql, values)
  } finally {
    await connection.end()
  }
}

export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** One request as it is: no redirect is followed, the path is sent as given. Fails after 10 s. */
export function request(port: number, path: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const call = http.request({ host: '127.0.0.1', port, path, method, agent: false, timeout: 10_000, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      )
    })
    call.on('timeout', () => call.destroy(new Error(`no answer to ${method} ${path} within 10 s`)))
    call.on('error', reject)
    // By itself, node gives a body to a DELETE and not its length.
    if (body !== undefined && method === 'DELETE') call.setHeader('Content-Length', Buffer.byteLength(body))
    call.end(body)
  })
}

/** A running app process. */
export class App {
  private constructor(
    readonly port: number,
    readonly child: ChildProcess,
    private readonly output: string[],
  ) {}

  /** Starts the built server and waits until it listens. @param root the folder of the project, which may be another release's */
  static async start(env: Record<string, string>, root = ROOT): Promise<App> {
    const port = Number(env.PORT ?? (await freePort()))
    const { child, output } = launch({ PORT: String(port), BASE_URL: `http://localhost:${port}`, ...env }, [], root)
    await new Promise<void>((resolve, reject) => {
      const fail = (how: string) => reject(new Error(`the app ${how}: ${output.join('')}`))
      const patience = setTimeout(() => {
        child.kill('SIGKILL')
        fail(`was not ready within ${START_PATIENCE} ms`)
      }, START_PATIENCE)
      child.once('message', () => resolve())
      child.once('exit', (code) => fail(`ended with ${code}`))
      child.once('message', () => clearTimeout(patience)).once('exit', () => clearTimeout(patience))
    })
    return new App(port, child, output)
  }

  get log(): string {
    return this.output.join('')
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return request(this.port, path, { headers })
  }

  /** A request with a JSON body, or none. */
  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return request(this.port, path, {
      method,
      headers: { ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call(method, `/api/v1${path}`, body, headers)
  }

  /** Makes a link. @throws when the answer is not 201 */
  async create(fields: Record<string, unknown>): Promise<LinkView & { manageToken: string }> {
    const answer = await this.api('POST', '/links', fields)
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`)
    return JSON.parse(answer.body) as LinkView & { manageToken: string }
  }

  manage(method: string, link: { code: string; manageToken: string }, body?: unknown, suffix = ''): Promise<Answer> {
    const path = `/links/${encodeURIComponent(link.code)}${suffix}`
    return this.api(method, path, body, { authorization: `Bearer ${link.manageToken}` })
  }

  /** What a metric with these labels stands at; 0 for one that nothing was counted in. */
  async metric(line: string): Promise<number> {
    const found = (await this.get('/metrics')).body.split('\n').find((candidate) => candidate.startsWith(`${line} `))
    return Number(found?.slice(line.length + 1) ?? 0)
  }

  /** How many requests for codes were answered so, and from there. */
  answered(outcome: string, tier: string): Promise<number> {
    return this.metric(`terse_redirect_duration_seconds_count{outcome="${outcome}",tier="${tier}"}`)
  }

  /** Waits until the filter alone denies an unknown code: everything is known to Redis, and believed. */
  async trusted(): Promise<void> {
    const denied = async () => {
      const before = await this.answered('not-found', 'filter')
      await this.get(`/${unknownCode()}`)
      return (await this.answered('not-found', 'filter')) - before
    }
    await eventually(denied, (grown) => grown === 1, 15_000)
  }

  /** Sends SIGTERM and gives the exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return new Promise((resolve) => {
      if (!this.alive) return resolve(this.child.exitCode)
      this.child.once('exit', (code) => resolve(code))
      this.child.kill(signal)
    })
  }
}

/** A code that no link has. */
export const unknownCode = () => `no-${Math.random().toString(36).slice(2)}`

/** A destination unlike all others. */
export const destination = () => `https://example.com/${Math.random().toString(36).slice(2)}`

/**
 * Spawns dist/server.js with nothing of the runner's settings but what is given. FILE_BLOCKS in `env` is the size in
 * blocks of 512 bytes beyond which the system refuses to let it write a file, as a full disk does.
 */
export function launch(
  { FILE_BLOCKS, ...env }: Record<string, string>,
  args: string[] = [],
  root = ROOT,
): { child: ChildProcess; output: string[]; errors: string[] } {
  // Without source maps, which take a sixth of the time of a start: the bundle is not minified.
  const command = [process.execPath, ...SHORT_LIVED, join(root, 'dist/server.js'), ...args]
  const limited = FILE_BLOCKS === undefined ? command : ['/bin/sh', '-c', `ulimit -f ${FILE_BLOCKS}; exec "$0" "$@"`, ...command]
  const child = spawn(limited[0] ?? '', limited.slice(1), {
    cwd: root,
    env: {
      ...OF_THIS_RUN,
      NODE_ENV: 'production',
      APP_SECRET: SECRET,
      RATE_LIMIT: 'off',
      // Most tests ask for no page: half of the processor time of a start.
      PRELOAD_PAGES: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const output: string[] = []
  const errors: string[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => {
    output.push(chunk.toString())
    errors.push(chunk.toString())
  })
  return { child, output, errors }
}

/** Waits until `check` holds, asking again and again; fails after `ms` with what it saw last. */
export async function eventually<T>(check: () => Promise<T> | T, holds: (value: T) => boolean, ms = 10_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const value = await check()
    if (holds(value)) return value
    if (Date.now() > end) throw new Error(`not within ${ms} ms; last seen: ${JSON.stringify(value)?.slice(0, 500)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Asks again and again from now on, and gives every wrong answer there was once told to stop. */
export function watch(
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
): { readonly asked: number; stop(): Promise<{ asked: number; wrong: string[] }> } {
  const wrong: string[] = []
  let asked = 0
  let stopped = false
  const loop = (async () => {
    while (!stopped) {
      const answer = await ask().catch((error: Error) => ({ status: 0, headers: {}, body: error.message }))
      asked += 1
      if (!isRight(answer)) wrong.push(`${answer.status} ${answer.body.slice(0, 100)}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  return {
    get asked() {
      return asked
    },
    async stop() {
      stopped = true
      await loop
      return { asked, wrong }
    },
  }
}
