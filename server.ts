import cluster from 'node:cluster'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, Server, type ServerResponse } from 'node:http'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { setupUrl } from '@/lib/accounts/setup-url'
import { problem } from '@/lib/api/problem'
import { countInThread } from '@/lib/clicks/thread'
import { isForeignPath } from '@/lib/codes/foreign-paths'
import { isLanePath, isLanePathElsewhere } from '@/lib/codes/reserved'
import { type Config, ConfigError, describeSettings, readConfig } from '@/lib/config'
import { migrate, requireFitIfUp } from '@/lib/db/migrate'
import { SqlGateway } from '@/lib/db/sql-gateway'
import { type AppFileName, AppFiles } from '@/lib/domains/app-files'
import { isTerseError, TerseError } from '@/lib/errors'
import { negotiate } from '@/lib/i18n/languages'
import { type Message, say } from '@/lib/i18n/message'
import { errorWords, outliveFullDisks } from '@/lib/log'
import { collectProcessMetrics } from '@/lib/metrics'
import { parseRanges } from '@/lib/net/address'
import { excessOf } from '@/lib/net/bounds'
import type { Client } from '@/lib/net/clients'
import { HSTS, isHttps } from '@/lib/net/host'
import { inTurn } from '@/lib/net/in-turn'
import { isInsider } from '@/lib/net/insider'
import { REQUEST_ID, requestIdOf } from '@/lib/net/request-id'
import { PROBES } from '@/lib/probes'
import { createLane } from '@/lib/redirect/lane'
import { countInThisThread, createRedirectRuntime, type RedirectRuntime } from '@/lib/redirect-runtime'
import type { Runtime } from '@/lib/runtime'
import { LONGEST_REQUEST } from '@/lib/tools/list-size'
import { Loop } from '@/lib/tools/loop'
import { once } from '@/lib/tools/once'

/** How long requests under way may take to end once the process is told to stop, in ms. */
const DRAIN_TIME = 10_000

type Handler = (request: IncomingMessage, response: ServerResponse) => void
type Page = (request: IncomingMessage, response: ServerResponse) => Promise<void>

if (process.argv.includes('--help')) {
  console.log(`Terse, a URL shortener. Settings, all from the environment:\n\n${describeSettings()}`)
} else {
  main().catch((error: unknown) => {
    const line = `terse: ${startError(error)}`
    if (cluster.isWorker) return void process.send?.({ type: 'failed', line }, () => process.exit(1))
    console.error(line)
    process.exit(1)
  })
}

async function main(): Promise<void> {
  outliveFullDisks()
  // What a request leaves behind is soon looked through: threads that help with it cost more than they save.
  setFlagsFromString('--no-parallel-scavenge')
  const config = readConfig()
  if (cluster.isPrimary) {
    if (config.ROLE !== 'edge') await migrate(config.DATABASE_URL)
    else await requireFitIfUp(config.DATABASE_URL)
    if (config.WEB_CONCURRENCY > 1) return supervise(config)
  }
  await serve(config)
}

/** Runs as many processes as asked for, and replaces those that die. */
function supervise(config: Config): void {
  let stopping = false
  let listening = 0
  for (let i = 0; i < config.WEB_CONCURRENCY; i++) cluster.fork()
  cluster.on('listening', () => {
    listening += 1
    if (listening === config.WEB_CONCURRENCY) void announce(config)
  })
  // One that never listened would only fail again, and the others alike: the first to say why is enough.
  const giveUp = (code: number) => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
    process.exit(code || 1)
  }
  cluster.on('message', (_worker, message: { type?: string; line?: string }) => {
    if (message.type !== 'failed') return
    console.error(message.line)
    if (listening < config.WEB_CONCURRENCY) giveUp(1)
  })
  cluster.on('exit', (worker, code) => {
    if (stopping) return
    if (listening < config.WEB_CONCURRENCY) giveUp(code)
    console.error(`terse: process ${worker.process.pid} ended with ${code}; starting another`)
    cluster.fork()
  })
  const stop = () => {
    stopping = true
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function serve(config: Config): Promise<void> {
  const app = config.ROLE === 'all' ? await openApp(config) : null
  // A worker has nothing else to do than to count.
  const runtime = app ?? (await createRedirectRuntime(config, config.ROLE === 'worker' ? countInThisThread : null))
  runtime.qr.drawInThread(new URL('./qr-thread.js', import.meta.url))
  collectProcessMetrics(runtime.metrics)
  const clientOf = (request: IncomingMessage) =>
    runtime.clients.of(request.socket.remoteAddress, () => request.headersDistinct['x-forwarded-for']?.join(','))
  const lane = createLane({
    ...runtime.answering,
    clientOf,
    onFault(error, request) {
      const requestId = requestIdOf(clientOf(request), request.headers['x-request-id'])
      runtime.log.error({ err: error, requestId }, 'a request for a code failed')
      return requestId
    },
  })
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: LONGEST_REQUEST })
  const redirects = config.ROLE !== 'worker'
  const hsts = isHttps(config.BASE_URL)
  const pages = app && (await appHandler(app, server, clientOf))
  // With none turned on, or without the application, nothing is asked.
  const foreign = app ? config.FOREIGN_APIS : []
  const isForeign = (url: string, { headers }: IncomingMessage) =>
    foreign.length > 0 && isForeignPath(url.split('?', 1)[0] ?? '', foreign) && runtime.domains.isBase(headers.host)
  // At other domains, words of the application are codes too; those that no link has lead on to it.
  const isForCode = (url: string, request: IncomingMessage) =>
    isLanePath(url) ? !isForeign(url, request) : isLanePathElsewhere(url) && !runtime.domains.isBase(request.headers.host)
  const answer: Handler = (request, response) => {
    const url = request.url ?? '/'
    if (redirects) {
      if (lane.tryHot(request, response)) return
      if (isForCode(url, request)) return lane.handle(request, response)
    }
    if (hsts) response.setHeader(...HSTS)
    const probe = PROBES[url.split('?', 1)[0] ?? '']
    if (probe) return void answerProbe(runtime, probe, request, response, clientOf(request))
    const file = redirects ? AppFiles.named(url) : null
    if (file) return void sendAppFile(runtime, file, request, response)
    const elsewhere = url.startsWith('/.well-known/') ? null : runtime.domains.elsewhere(request.headers.host, url)
    if (elsewhere) return void sendElsewhere(request, response, elsewhere)
    // The rest lives at the base address.
    if (!pages) return void response.writeHead(302, { Location: config.BASE_URL + url, 'Cache-Control': 'no-store' }).end()
    // Next.js answers 500 to these.
    if (!isDecodable(url)) return void refuse(runtime, request, response, say('api.request.percent'))
    const excess = excessOf(request)
    if (excess) return void refuse(runtime, request, response, excess)
    pages(request, response)
  }
  server.on('request', inTurn(answer))
  await listen(server, config)
  stopOnSignal(server, runtime, () => app?.live.close())
  if (!cluster.isWorker) await announce(config)
}

/** The application, with Prisma and better-auth: loaded only where links are made and changed. */
async function openApp(config: Config): Promise<Runtime> {
  const { createRuntime, setRuntime } = await import('@/lib/runtime')
  const runtime = await createRuntime(config, async (parts) =>
    countInThread(new URL('./clicks-thread.js', import.meta.url), parts),
  )
  setRuntime(runtime)
  await firstAdmin(runtime)
  return runtime
}

/** The API and the pages, loaded only where they are used: an edge process does without. */
async function appHandler(runtime: Runtime, server: Server, clientOf: (request: IncomingMessage) => Client): Promise<Handler> {
  const { isSentForm, sendForm, withScopeStatus } = await import('@/lib/api/forms/node')
  const { isApiPath, nodeApi } = await import('@/lib/api/node')
  const { config, scope } = runtime
  // Better no start than one whose pages all fail.
  if (config.NODE_ENV !== 'development' && !existsSync('.next/BUILD_ID'))
    throw new Error('the pages are not built; run npm run build')
  const api = nodeApi(runtime)
  const pages = once(() => loadPages(config, server))
  // Loaded later, they would hold up redirects at a moment that a visitor chooses.
  if (config.PRELOAD_PAGES) await Promise.all([pages(), runtime.auth()])
  const page: Page = async (request, response) => {
    const handle = await pages()
    withScopeStatus(runtime, response)
    await handle(request, response)
  }
  return (request, response) => {
    const failed = (error: unknown) => {
      runtime.log.error({ err: error }, 'a page failed')
      response.destroy()
    }
    const answer = () => {
      if (isApiPath(request.url ?? '/', config.FOREIGN_APIS)) return api(request, response)
      if (isSentForm(request)) return void sendForm(runtime, request, response, page).catch(failed)
      page(request, response).catch(failed)
    }
    const client = clientOf(request)
    const requestId = requestIdOf(client, request.headers['x-request-id'])
    response.setHeader(REQUEST_ID, requestId)
    scope.run({ client, requestId }, answer)
  }
}

/** Next.js, which takes longer to load than all else. */
async function loadPages({ NODE_ENV, HOST, PORT }: Config, server: Server): Promise<Page> {
  const { default: next } = await import('next')
  const dev = NODE_ENV === 'development'
  // Next.js takes every request that offers another protocol from the server that it knows, and answers only those of its own
  // tools for development. Node answers the others as what they are without the offer, if nobody takes them.
  const app = next({ dev, hostname: HOST, port: PORT, httpServer: dev ? server : new Server() })
  await app.prepare()
  return app.getRequestHandler()
}

/** The method stays: a request to the API is sent again as it was. */
function sendElsewhere({ method }: IncomingMessage, response: ServerResponse, location: string): void {
  const reads = method === 'GET' || method === 'HEAD'
  response.writeHead(reads ? 302 : 307, { Location: location, 'Cache-Control': 'no-store' }).end()
}

/** At whatever domain they are asked for: who asks for them follows no redirect. */
async function sendAppFile({ appFiles }: RedirectRuntime, name: AppFileName, request: IncomingMessage, response: ServerResponse) {
  const { status, headers, body } = await appFiles.answer(request.method ?? 'GET', request.headers.host, name)
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
}

async function answerProbe(
  runtime: RedirectRuntime,
  probe: (typeof PROBES)[string],
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
): Promise<void> {
  const { config } = runtime
  const { httpVersion, socket } = request
  const headers = {
    get: (name: string) => request.headersDistinct[name]?.join(',') ?? null,
    has: (name: string) => request.headersDistinct[name] !== undefined,
  }
  const asking = { socket: socket.remoteAddress, client, headers, httpVersion }
  const inside = isInsider(asking, parseRanges(config.TRUSTED_PROXIES), config.METRICS_TOKEN)
  const { status, contentType, body } = await probe(runtime, inside)
  response.writeHead(status, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(body)
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** Of a request that is not looked at: neither is who sent it. Its path is not logged: a page's can hold a token. */
async function refuse(
  { log }: RedirectRuntime,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  why: Message,
): Promise<void> {
  const id = requestIdOf({ viaProxy: false }, undefined)
  log.info({ method, reason: why.key, status: 400, requestId: id }, 'refused')
  const refusal = problem(new TerseError('bad_request', why), negotiate(headers['accept-language'] ?? ''), { requestId: id })
  response.writeHead(refusal.status, { ...Object.fromEntries(refusal.headers), [REQUEST_ID]: id }).end(await refusal.text())
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(config.PORT, config.HOST, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function announce(config: Config): Promise<void> {
  console.log(`Terse listens on ${config.BASE_URL}`)
  process.send?.({ type: 'ready', url: config.BASE_URL })
  if (config.ROLE !== 'all' || config.ADMIN_EMAIL) return
  // A connection of its own: a process that supervises others has no runtime.
  const db = new SqlGateway(config.DATABASE_URL, 1)
  try {
    const url = await setupUrl(config, db)
    if (url) console.log(`Create the first admin: ${url}`)
  } catch {
    // Said again at the next start, when MySQL answers.
  } finally {
    await db.close()
  }
}

/** Makes the admin of ADMIN_EMAIL. A process that starts while MySQL is away serves what it can without. */
async function firstAdmin(runtime: Runtime): Promise<void> {
  try {
    const { ensureAdmin } = await import('@/lib/accounts/setup')
    await ensureAdmin(runtime)
  } catch (error) {
    if (!isTerseError(error) || error.code !== 'unavailable') throw error
    runtime.log.warn({ err: error }, 'the admin of ADMIN_EMAIL is made at the next start, since MySQL does not answer')
  }
}

/**
 * Stops taking connections, lets requests under way end, then lets go of everything else.
 * @param endStreams ends those that would never end by themselves
 */
function stopOnSignal(server: Server, runtime: RedirectRuntime, endStreams: () => void): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(0), DRAIN_TIME).unref()
    endStreams()
    void takeWaiting(server).then(() => {
      server.close(() => {
        runtime.close().finally(() => process.exit(0))
      })
      server.closeIdleConnections()
      // Connections that are kept alive become idle one by one.
      new Loop({ every: 100, run: () => server.closeIdleConnections() }).startLater()
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** How long a process that is one of several waits for connections that the first of them has taken, in ms. */
const HANDED_ON = 100
/** How long connections are taken after the signal at most, in ms. */
const TAKING = 2_000

/**
 * Takes the connections that clients have already made: the system resets those that wait when the server is closed, with the
 * requests in them. A turn of the event loop may bring a single one, so it ends with the first that brought none, and where that
 * never comes, after two seconds. Of several processes the first takes all, and hands them on: there, a turn is as long as that takes.
 */
async function takeWaiting(server: Server): Promise<void> {
  let taken = -1
  const count = () => {
    taken += 1
  }
  server.on('connection', count)
  for (const end = performance.now() + TAKING; taken !== 0 && performance.now() < end; ) {
    taken = 0
    if (cluster.isWorker) await delay(HANDED_ON)
    // The first may end the turn of the signal, in which nothing was taken.
    await nextTurn()
    await nextTurn()
  }
  server.off('connection', count)
}

/** One line that says what went wrong and what to do. */
function startError(error: unknown): string {
  if (error instanceof ConfigError) return errorWords(error)
  const { code } = error as { code?: string }
  const message = errorWords(error)
  if (code === 'EADDRINUSE') return `port ${process.env.PORT ?? 3000} is in use; stop what uses it or set PORT to another`
  if (code === 'EACCES') return `may not listen on port ${process.env.PORT ?? 3000}; set PORT to one above 1023`
  if (/GET_LOCK|migrat|a restore into/.test(message)) return message
  if (isDatabaseError(error)) return `cannot use the database of DATABASE_URL: ${message}`
  return message
}

function isDatabaseError(error: unknown): boolean {
  return (
    error instanceof Error &&
    ('sqlState' in error || /^(ER_|ECONNREFUSED|ENOTFOUND)/.test(String((error as { code?: string }).code)))
  )
}
