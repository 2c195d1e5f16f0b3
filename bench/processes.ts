import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** How long a server may take to answer first, in ms. */
const START_TIME = 60_000

/** A server under test, in a process of its own. */
export interface ServerProcess {
  /** Without a trailing slash. */
  origin: string
  pid: number
  /** Resident memory in MB (10^6 bytes). */
  memory(): number
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

/** Kills all servers but one, so that a case that hangs on them fails. */
export function killOthers({ pid }: ServerProcess): void {
  for (const child of running) if (child.pid !== pid) child.kill('SIGKILL')
}

/** Notes a child that must not outlive the benchmark. */
export function keepTrack(child: ChildProcess): ChildProcess {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Starts the bare redirect server of control.mjs. */
export async function startControl(dir: string): Promise<ServerProcess> {
  const port = await freePort()
  const started = start([process.execPath, 'bench/control.mjs', String(port)], {}, port, join(dir, 'control.log'))
  await firstAnswer(started, '/')
  return started
}

/** Starts nginx with one process that answers everything with a 302; null where it is not installed. */
export async function startNginx(dir: string): Promise<ServerProcess | null> {
  if (spawnSync('nginx', ['-v']).error) return null
  const port = await freePort()
  const config = join(dir, 'nginx.conf')
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')
  writeFileSync(
    config,
    `daemon off; master_process off; worker_processes 1; pid ${dir}/nginx.pid; error_log ${dir}/nginx.log;
     events { }
     http { access_log off; keepalive_requests 1000000000; ${files}
       server { listen 127.0.0.1:${port}; return 302 https://example.com/; } }`,
  )
  const started = start(['nginx', '-c', config, '-e', join(dir, 'nginx.log')], {}, port, join(dir, 'nginx.log'))
  await firstAnswer(started, '/')
  return started
}

/** Serves what `next build` made of a folder. @param next its program */
export async function startNext(dir: string, next: string, folder: string): Promise<ServerProcess> {
  const port = await freePort()
  const args = [process.execPath, next, 'start', folder, '--hostname', '127.0.0.1', '--port', String(port)]
  const started = start(args, {}, port, join(dir, 'next.log'))
  await firstAnswer(started, '/', 200)
  return started
}

/**
 * Starts the app as `npm start` does, with the settings of this process and `settings`.
 * @param path asked for until it is answered with `status`
 */
export async function startApp(
  dir: string,
  settings: Record<string, string>,
  { nodeOptions = [] as string[], path = '/readyz', status = 200 } = {},
): Promise<ServerProcess & { startTime: number }> {
  const port = await freePort()
  const begun = performance.now()
  const args = [process.execPath, ...nodeOptions, '--enable-source-maps', 'dist/server.js']
  const started = start(args, { ...settings, PORT: String(port) }, port, join(dir, `app-${port}.log`))
  await firstAnswer(started, path, status)
  return Object.assign(started, { startTime: performance.now() - begun })
}

/** Runs `npm start` as on a fresh shell: on servers of its own, whose data lie in `dataDir`. */
export async function startByNpm(dir: string, dataDir: string): Promise<ServerProcess & { startTime: number }> {
  const port = await freePort()
  // Not what scripts/bench.mjs has set for the app.
  const unset = { DATABASE_URL: undefined, REDIS_URL: undefined, APP_SECRET: undefined, NODE_ENV: undefined }
  const begun = performance.now()
  const settings = { ...unset, DATA_DIR: dataDir, PORT: String(port) }
  const started = start(['npm', 'start'], settings, port, join(dir, 'npm-start.log'))
  await firstAnswer(started, '/readyz', 200)
  const startTime = performance.now() - begun
  const stop = async () => {
    await started.stop()
    // npm is gone before what it ran, which still stops its servers.
    while (existsSync(join(dataDir, 'lock'))) await delay(20)
  }
  return { ...started, stop, startTime }
}

interface Started extends ServerProcess {
  child: ChildProcess
  log: string
}

function start(
  [program = '', ...args]: string[],
  settings: Record<string, string | undefined>,
  port: number,
  log: string,
): Started {
  const file = openSync(log, 'a')
  const child = keepTrack(spawn(program, args, { env: { ...process.env, ...settings }, stdio: ['ignore', file, file] }))
  closeSync(file)
  return {
    child,
    log,
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    memory: () => residentMemory(child.pid ?? 0),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(kill)
    },
  }
}

async function firstAnswer({ child, origin, log, stop }: Started, path: string, status?: number): Promise<void> {
  const deadline = performance.now() + START_TIME
  while (performance.now() < deadline) {
    if (child.exitCode !== null) break
    const response = await fetch(origin + path, { redirect: 'manual' }).catch(() => null)
    await response?.body?.cancel()
    if (response && (status === undefined || response.status === status)) return
    await delay(5)
  }
  await stop()
  throw new Error(`a server did not start; its last words:\n${readFileSync(log, 'utf8').slice(-2_000)}`)
}

/** VmRSS of a process in MB (10^6 bytes). */
function residentMemory(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kibibytes) * 1024) / 1e6
}
