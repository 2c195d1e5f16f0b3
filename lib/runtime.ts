import { AsyncLocalStorage } from 'node:async_hooks'
import type { Auth, createAuth } from '@/lib/accounts/auth'
import type { AccountContext } from '@/lib/accounts/context'
import { cookieName } from '@/lib/accounts/cookies'
import { Credentials } from '@/lib/accounts/credentials'
import { HashTurns } from '@/lib/accounts/hash-turns'
import { AccountSweeper } from '@/lib/accounts/sweep'
import { Blocklist } from '@/lib/blocklist/blocklist'
import type { Counting } from '@/lib/clicks/counting'
import { ClickLimit } from '@/lib/clicks/limit'
import { type ClickMetrics, createClickMetrics } from '@/lib/clicks/metrics'
import { ClickPipeline } from '@/lib/clicks/pipeline'
import { Visits } from '@/lib/clicks/visit'
import { filterSettings } from '@/lib/codes/rebuild'
import { CHANGES_CHANNEL, FORMER_CHANGES_CHANNEL, Registry } from '@/lib/codes/registry'
import { type Config, nearbyRedisUrl, readConfig } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { NodeLease } from '@/lib/db/node-lease'
import { SqlGateway } from '@/lib/db/sql-gateway'
import { Domains } from '@/lib/domains/domains'
import type { SentForm } from '@/lib/forms/sent'
import { createIds } from '@/lib/ids/ids'
import { IdReconciler } from '@/lib/ids/reconciler'
import { type JobKinds, JobRunner } from '@/lib/jobs/runner'
import { Sweeper } from '@/lib/links/sweep'
import { createLog } from '@/lib/log'
import { Mailer } from '@/lib/mail/mailer'
import { createMetrics } from '@/lib/metrics'
import { parseRanges } from '@/lib/net/address'
import { type Client, Clients } from '@/lib/net/clients'
import { Limits } from '@/lib/net/limits'
import { Overviews } from '@/lib/overview/account'
import { AdminOverviews } from '@/lib/overview/deployment'
import { System } from '@/lib/overview/system'
import { Feeds } from '@/lib/redirect/feeds'
import { Guesses } from '@/lib/redirect/guesses'
import { Lookup } from '@/lib/redirect/lookup'
import { Nearby } from '@/lib/redirect/nearby'
import { Outbox } from '@/lib/redirect/outbox'
import { OutboxReplay } from '@/lib/redirect/outbox-replay'
import { PasswordTries } from '@/lib/redirect/password-tries'
import { CodeReconciler } from '@/lib/redirect/reconciler'
import { RedisGateway } from '@/lib/redis/gateway'
import { Subscriber } from '@/lib/redis/subscriber'
import { LiveHub } from '@/lib/stats/live'

/** Facts of a request that only the socket's owner knows. */
export interface RequestScope {
  client: Client
  /** A form that was sent to the page without scripts, and what came of it. */
  sent?: SentForm
  /** What the page is answered with in place of 200. */
  status?: number
}

/** Everything with a state, made once for a process. */
export interface Runtime extends AccountContext {
  redis: RedisGateway
  /** What each client was told of spoken codes. */
  guesses: Guesses
  passwordTries: PasswordTries
  overviews: Overviews
  adminOverviews: AdminOverviews
  system: System
  /** Watchers of clicks. Closed first when the process stops: their connections would never end by themselves. */
  live: LiveHub
  outbox: Outbox
  clients: Clients
  visits: Visits
  clicks: ClickPipeline
  clickLimit: ClickLimit
  /** Does what takes longer than a request; started only where ROLE=all. */
  jobs: JobRunner<Runtime>
  /** Set by server.ts around Next.js's handler. */
  scope: AsyncLocalStorage<RequestScope>
  close(): Promise<void>
}

/** How the clicks of this process, and of others, come to be counted in it. */
export type StartCounting = (parts: Pick<Runtime, 'config' | 'db' | 'log'> & { metrics: ClickMetrics }) => Promise<Counting>

/** What understands user agents and places is loaded only where clicks are counted. */
const inThisThread: StartCounting = async (parts) => {
  const { countHere } = await import('@/lib/clicks/counting')
  return countHere({ ...parts, laneLoad: () => 0 })
}

/**
 * Builds a runtime and starts what works in the background. Needs neither Redis nor MySQL to be up.
 * @param counting server.ts counts in a thread of its own
 */
export async function createRuntime(config: Config, counting = inThisThread): Promise<Runtime> {
  const log = createLog(config.LOG_LEVEL)
  const metrics = createMetrics()
  const clickMetrics = createClickMetrics(metrics.registry)
  const clients = new Clients(parseRanges(config.TRUSTED_PROXIES, 'TRUSTED_PROXIES: '))
  const redis = new RedisGateway(config.REDIS_URL)
  const db = await openGateway(config)
  const registry = new Registry(redis, config.CODE_REUSE_AFTER)
  const ids = createIds(config, redis, db)
  const domains = new Domains(db, config.BASE_URL)
  const outbox = new Outbox(db, log, (full) => lookup.invalidate(full))
  const feeds = new Feeds(redis)
  const subscriber = new Subscriber(config.REDIS_URL, [CHANGES_CHANNEL, FORMER_CHANGES_CHANNEL], (text) => feeds.receive(text))
  const nearbyUrl = nearbyRedisUrl(config)
  const nearby = nearbyUrl === null ? null : new Nearby(new RedisGateway(nearbyUrl), feeds)
  const lookup: Lookup = new Lookup({ db, registry, outbox, feeds, nearby, capacity: config.CACHE_ENTRIES })
  feeds.listen({ gap: () => subscriber.renew() })
  const clicks = new ClickPipeline({
    config,
    metrics: clickMetrics,
    log,
    counting: config.ROLE === 'edge' ? null : await counting({ config, db, metrics: clickMetrics, log }),
  })
  const mailer = new Mailer(config, log)
  const jobs: JobRunner<Runtime> = new JobRunner(() => runtime, await openJobKinds(config))
  const limits = new Limits(redis, config.RATE_LIMIT, config.LINKS_PER_MINUTE)
  const auth = await openAuth({ config, db, log, mailer, limits, handles: ids.handles })
  const runtime: Runtime = {
    config,
    log,
    metrics,
    redis,
    mailer,
    auth,
    hashTurns: new HashTurns(),
    credentials: new Credentials(auth, db, cookieName(config, 'session_token')),
    db,
    registry,
    domains,
    blocklist: new Blocklist(db, log),
    outbox,
    lookup,
    ids,
    limits,
    guesses: new Guesses(limits),
    passwordTries: new PasswordTries(limits),
    overviews: new Overviews(db, domains),
    adminOverviews: new AdminOverviews(db, domains),
    system: new System({ config, db, ids, lookup, metrics, redis, outbox, clicks }),
    clients,
    visits: new Visits({ secret: config.APP_SECRET, honourOptOut: config.DO_NOT_TRACK }),
    clicks,
    clickLimit: new ClickLimit(db),
    live: new LiveHub(db),
    jobs,
    scope: new AsyncLocalStorage(),
    close,
  }
  const background: { start(): Promise<void>; close(): void }[] = [domains, outbox, feeds]
  if (config.ROLE === 'all') {
    background.push(
      new NodeLease(db),
      new OutboxReplay(db, registry, outbox, log),
      new CodeReconciler({ redis, db, registry, settings: filterSettings(config), log }),
      new IdReconciler(redis, ids, log),
      runtime.blocklist,
      new Sweeper(runtime),
      new AccountSweeper(runtime),
      jobs,
    )
  }
  await Promise.all([redis.connected(1_000), nearby?.redis.connected(1_000)])
  for (const part of background) await part.start()
  await runtime.clicks.start()
  defineGauges(runtime)
  return runtime

  async function close(): Promise<void> {
    runtime.live.close()
    for (const part of background) part.close()
    await runtime.clicks.close()
    subscriber.close()
    redis.close()
    nearby?.redis.close()
    mailer.close()
    await db.close()
  }
}

/** Prisma is loaded only where there are links to be made and changed. What needs it is not started, nor asked, elsewhere. */
async function openGateway({ ROLE, DATABASE_URL, DATABASE_POOL }: Config): Promise<DatabaseGateway> {
  if (ROLE !== 'all') return new SqlGateway(DATABASE_URL, DATABASE_POOL) as DatabaseGateway
  const { DatabaseGateway } = await import('@/lib/db/gateway')
  return new DatabaseGateway(DATABASE_URL, DATABASE_POOL)
}

/** As Prisma: loaded only where there are accounts. */
async function openAuth(parts: Parameters<typeof createAuth>[0]): Promise<Auth> {
  if (parts.config.ROLE !== 'all') return null as unknown as Auth
  const { createAuth } = await import('@/lib/accounts/auth')
  return createAuth(parts)
}

/** As Prisma, which they need. */
async function openJobKinds({ ROLE }: Config): Promise<JobKinds<Runtime>> {
  return ROLE === 'all' ? (await import('./job-kinds')).JOB_KINDS : {}
}

function defineGauges({ metrics, redis, db, lookup, outbox, live, clicks: { backlog } }: Runtime): void {
  const open = { closed: 0, 'half-open': 0.5, open: 1 } as const
  metrics.gauge(
    'breaker_redis',
    'State of the breaker around Redis: 0 closed, 0.5 half-open, 1 open',
    () => open[redis.breakerState],
  )
  metrics.gauge(
    'breaker_mysql',
    'State of the breaker around MySQL: 0 closed, 0.5 half-open, 1 open',
    () => open[db.breakerState],
  )
  metrics.gauge('mysql_in_use', 'MySQL operations under way in this process', () => db.inUse)
  metrics.gauge('cache_entries', 'Links kept in memory', () => lookup.size)
  metrics.gauge('click_backlog_batches', 'Batches of clicks that wait in Redis to be counted', () => backlog.entries)
  metrics.gauge('click_backlog_bytes', 'What they take there', () => backlog.bytes)
  metrics.gauge('click_backlog_age_seconds', 'How long the oldest of them has waited', () => backlog.age() ?? 0)
  metrics.gauge('click_backlog_full', '1 while new clicks go to the spool since too many wait', () => Number(backlog.isFull))
  metrics.gauge('click_dead_letters', 'Batches that could not be counted and were put aside', () => backlog.deadLetters)
  metrics.gauge('live_watchers', 'Connections that watch the clicks of a link', () => live.watching)
  metrics.gauge('outbox_rows', 'Changes that Redis has not heard', () => outbox.size)
}

const KEY = Symbol.for('terse.runtime')
const store = globalThis as { [KEY]?: Promise<Runtime> }

/**
 * The process's runtime. It hangs on the global object because the server bundle and Next.js's bundle each
 * hold a copy of this module, and there must be one of it. server.ts makes it at start; under `next dev`
 * and `next start` the first request does.
 */
export function runtime(): Promise<Runtime> {
  store[KEY] ??= createRuntime(readConfig())
  return store[KEY]
}

/** Makes `made` the process's runtime. */
export function setRuntime(made: Runtime): void {
  store[KEY] = Promise.resolve(made)
}
