import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { Breaker, type BreakerState } from '@/lib/tools/breaker'
import { parseRedisUrl } from '@/lib/tools/redis-url'
import { withTimeout } from '@/lib/tools/timeout'
import { RoundTrip } from './round-trip'
import { runScript, type Script } from './scripts'
import { ServerId } from './server-id'

export type RedisClient = Redis | Cluster

/** How long a command may take, beyond its way there and back, before MySQL is asked instead, in ms. */
const COMMAND_TIMEOUT = 100
/** The way there and back varies, the more the longer it is. */
const WAY = 2
/** How long background work (rebuild, resync) waits for one batch, in ms. */
const BULK_TIMEOUT = 10_000

/** What may be set of a connection: not the shape of the answers. */
type Options = Omit<RedisOptions, 'replyMapping'>

const OPTIONS: Options = {
  // Fail at once while disconnected, so that nobody waits for a server that is not there.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1_000,
  // A connection that died without a word would else be kept for as long as TCP tries, a quarter of an hour.
  socketTimeout: 5_000,
  retryStrategy: (attempt) => Math.min(50 * attempt, 500),
}

/**
 * Writes the commands that follow from one event to the socket at once. ioredis's own auto-pipelining gathers those of a
 * turn of the event loop, but sends nothing while a batch is under way and hands out no answer before the last of it:
 * server and client then take turns.
 */
class BatchingRedis extends Redis {
  private corked: Redis['stream'] | null = null

  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    const { stream } = this
    if (stream && this.corked !== stream) {
      this.corked = stream
      stream.cork()
      process.nextTick(() => {
        this.corked = null
        stream.uncork()
      })
    }
    return super.sendCommand(...args)
  }
}

const AWAY = new Set(['TimeoutError', 'BreakerOpenError', 'MaxRetriesPerRequestError', 'ClusterAllFailedError'])

const CUT_OFF = /^Connection is closed|isn't writeable|ECONNREFUSED|ECONNRESET|EPIPE|^All sentinels are unreachable/

/** True when a server refuses what only a master does: it is a replica, is still loading, or lost its replicas. */
function isNotLeading(error: unknown): boolean {
  return error instanceof Error && /^(READONLY|LOADING|MASTERDOWN|NOREPLICAS)\b/.test(error.message)
}

/** True when Redis did not answer, or none that may, rather than refused. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return AWAY.has(error.name) || isNotLeading(error) || CUT_OFF.test(error.message)
}

/** Opens a connection to where `urls` says (lib/tools/redis-url.ts). */
export function connectRedis(urls: string, overrides: Options = {}): RedisClient {
  const client = open(urls, { ...OPTIONS, ...overrides })
  // Every command reports its own failure; without a listener the same would end the process.
  client.on('error', () => {})
  return client
}

function open(urls: string, options: Options): RedisClient {
  const address = parseRedisUrl(urls)
  if (address.kind === 'server') return new BatchingRedis(address.url, options)
  if (address.kind === 'sentinel') return new BatchingRedis({ ...address.options, ...options })
  const cluster = new Cluster(address.urls, {
    // ioredis 6 reads no `rediss` from the URLs of nodes.
    redisOptions: { ...address.options, ...options },
    enableOfflineQueue: options.enableOfflineQueue ?? false,
    // By itself, ioredis would connect to the address of a name, and hold the certificate against that.
    ...(address.options.tls && { dnsLookup: (name, found) => found(null, name) }),
  })
  return cluster.on('+node', catchAsking)
}

/**
 * Where a key moves to another node, ioredis 6 says ASKING there first, and holds no error of that: one that cannot be reached
 * would end the process. The command behind it fails as well, and is heard.
 */
function catchAsking(node: Redis): void {
  const asking = node.asking.bind(node)
  node.asking = async () => asking().catch(() => 'OK' as const)
}

/**
 * The way to Redis: a short timeout and a breaker around every command, for Redis is an accelerator and
 * may be gone at any moment. Callers must have an answer for that.
 */
export class RedisGateway {
  readonly client: RedisClient
  private readonly server: ServerId | null
  private readonly way: RoundTrip
  private readonly breaker = new Breaker({ failures: 5, cooldown: 500 })

  constructor(
    readonly urls: string,
    overrides: Options = {},
  ) {
    this.client = connectRedis(urls, overrides)
    this.server = this.client instanceof Redis ? new ServerId(this.client) : null
    this.way = new RoundTrip(this.client)
  }

  /**
   * The id of the server and its data, for scripts that must know whether both are still the same; '' while it is not known, of
   * a replica, and of a cluster, which has several.
   */
  get serverId(): string {
    return this.server?.current ?? ''
  }

  /** What only a master does was refused: there may be another by now. */
  private async led<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (isNotLeading(error)) void this.server?.ask()
      throw error
    }
  }

  /** Whether keys may lie on several servers, so that a script touches those of one hash tag only. */
  get isCluster(): boolean {
    return this.client instanceof Cluster
  }

  get breakerState(): BreakerState {
    return this.breaker.state
  }

  /** How long a command and its answer are on their way, in ms. */
  get roundTrip(): number {
    return this.way.ms
  }

  /**
   * @param patience how long the server may take, in ms; the way there and back comes on top
   * @throws whatever Redis answers, TimeoutError or BreakerOpenError
   */
  use<T>(work: (client: RedisClient) => Promise<T>, patience = COMMAND_TIMEOUT): Promise<T> {
    return this.breaker.run(() => this.led(withTimeout(work(this.client), patience + Math.ceil(WAY * this.way.ms), 'Redis')))
  }

  script<Reply>(script: Script<Reply>, keys: string[], args: (string | number)[]): Promise<Reply> {
    return this.use((client) => runScript(client, script, keys, args))
  }

  /** For background work: no breaker, a long timeout. */
  bulk<Reply>(script: Script<Reply>, keys: string[], args: (string | number | Buffer)[]): Promise<Reply> {
    return this.led(withTimeout(runScript(this.client, script, keys, args), BULK_TIMEOUT, 'Redis'))
  }

  /** Waits up to `ms` for the first connection; true when there is one. */
  async connected(ms: number): Promise<boolean> {
    if (this.client.status === 'ready') return true
    const ready = new Promise<void>((resolve) => this.client.once('ready', () => resolve()))
    return withTimeout(ready, ms, 'Redis').then(
      () => true,
      () => false,
    )
  }

  close(): void {
    this.way.close()
    this.client.disconnect()
  }
}
