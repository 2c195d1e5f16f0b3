import { WordRules } from '@/lib/blocklist/word-rules'
import { createBrand } from '@/lib/brand/brand'
import type { Counting, CountingParts } from '@/lib/clicks/counting'
import { ClickLimit } from '@/lib/clicks/limit'
import { createClickMetrics } from '@/lib/clicks/metrics'
import { ClickPipeline } from '@/lib/clicks/pipeline'
import { Visits } from '@/lib/clicks/visit'
import { CHANGES_CHANNEL, Registry } from '@/lib/codes/registry'
import { type Config, nearbyRedisUrl } from '@/lib/config'
import { SqlGateway } from '@/lib/db/sql-gateway'
import { AppFiles } from '@/lib/domains/app-files'
import { Domains } from '@/lib/domains/domains'
import { Pasts } from '@/lib/history/past'
import { KnownThreats } from '@/lib/links/known-threats'
import { createLog } from '@/lib/log'
import { createMetrics, type Metrics } from '@/lib/metrics'
import { parseRanges } from '@/lib/net/address'
import { Clients } from '@/lib/net/clients'
import { HSTS, isHttps } from '@/lib/net/host'
import { Limits } from '@/lib/net/limits'
import { Outbound } from '@/lib/net/outbound'
import { HOSTS_FILE } from '@/lib/net/resolve'
import { Cards } from '@/lib/previews/cards'
import { QrPrinter } from '@/lib/qr/printer'
import type { AnswerContext } from '@/lib/redirect/answer'
import { Feeds } from '@/lib/redirect/feeds'
import { Guesses } from '@/lib/redirect/guesses'
import { LinkPasswords } from '@/lib/redirect/link-passwords'
import { Lookup } from '@/lib/redirect/lookup'
import { Nearby } from '@/lib/redirect/nearby'
import { Outbox } from '@/lib/redirect/outbox'
import { VisitorPages } from '@/lib/redirect/pages'
import { PasswordTries } from '@/lib/redirect/password-tries'
import { Pictures } from '@/lib/redirect/pictures'
import { Visitors } from '@/lib/redirect/visitors'
import { RedisGateway } from '@/lib/redis/gateway'
import { Subscriber } from '@/lib/redis/subscriber'
import { ClickIds } from '@/lib/routing/click-ids'
import type { Background } from '@/lib/tools/loop'
import { once } from '@/lib/tools/once'
import { UpstreamCounts } from '@/lib/upstream/counts'
import { Upstreams } from '@/lib/upstream/upstreams'
import { Readiness } from './probes'

/** Everything with a state that redirects, counting and probes need, in every role. */
export type RedirectRuntime = Omit<Awaited<ReturnType<typeof buildRedirects<SqlGateway>>>, 'start'>

/** What works until the process stops. */
type Part = Pick<Background, 'start' | 'close'>

/** How the clicks of this process, and of others, come to be counted in it. */
export type StartCounting = (parts: Omit<CountingParts, 'strain'>) => Promise<Counting>

/** Loads what understands user agents and places, so only where clicks are counted. */
export const countInThisThread: StartCounting = async (parts) => {
  const { countHere } = await import('@/lib/clicks/counting')
  return countHere({ ...parts, strain: () => 0 })
}

/**
 * The runtime of a process without the application, at work. Needs neither Redis nor MySQL to be up.
 * @param counting null: other processes count
 */
export async function createRedirectRuntime(config: Config, counting: StartCounting | null): Promise<RedirectRuntime> {
  const { start, ...runtime } = await buildRedirects(config, new SqlGateway(config.DATABASE_URL, config.DATABASE_POOL), counting)
  await start()
  return runtime
}

/**
 * The same, built and not yet at work. `start` takes what is to work beside it, and `close` ends that too, and closes `db`.
 * @param logged what every line of the log says besides
 */
export async function buildRedirects<Db extends SqlGateway>(
  config: Config,
  db: Db,
  counting: StartCounting | null,
  logged?: () => object,
) {
  // First, while nothing is open: it may refuse to start.
  const brand = createBrand(config)
  const log = createLog(config.LOG_LEVEL, undefined, logged)
  const metrics = createMetrics()
  const clickMetrics = createClickMetrics(metrics.registry)
  const redis = new RedisGateway(config.REDIS_URL)
  const registry = new Registry(redis, config.CODE_REUSE_AFTER)
  const domains = new Domains(db, config.BASE_URL, config.PORT)
  const outbox = new Outbox(db, log, (full) => lookup.invalidate(full))
  const feeds = new Feeds(redis)
  const subscriber = new Subscriber(config.REDIS_URL, CHANGES_CHANNEL, (text) => feeds.receive(text))
  const nearbyUrl = nearbyRedisUrl(config)
  const nearby = nearbyUrl === null ? null : new Nearby(new RedisGateway(nearbyUrl), feeds)
  const lookup: Lookup = new Lookup({ db, registry, outbox, feeds, nearby, memory: config.CACHE_MB * 1024 * 1024 })
  feeds.listen({ gap: () => subscriber.renew() })
  const counted = counting && (await counting({ config, db, metrics: clickMetrics, log }))
  const clicks = new ClickPipeline({ config, metrics: clickMetrics, log, counting: counted })
  const limits = new Limits(redis, config.RATE_LIMIT, config.LINKS_PER_MINUTE)
  const guesses = new Guesses(limits, domains)
  const qr = new QrPrinter(brand)
  const clickIds = new ClickIds(config.APP_SECRET)
  const clients = new Clients(parseRanges(config.TRUSTED_PROXIES, 'TRUSTED_PROXIES: '))
  /** Loaded with the first link that comes over, where the application is not there already. */
  const alone = once(async () => {
    const { takeOverAlone } = await import('@/lib/links/take-over-alone')
    return takeOverAlone({ config, domains, limits, log, lookup, metrics, redis, registry })
  })
  let closeAlone = async () => {}
  const upstreamCounts = new UpstreamCounts(db)
  const upstreams = new Upstreams(
    {
      ...{ redis, log, counts: upstreamCounts, secret: config.APP_SECRET, baseUrl: config.BASE_URL },
      ...{ perSecond: config.UPSTREAM_PER_SECOND, limited: config.RATE_LIMIT, isOwn: (href) => domains.isOwn(href) },
      // An admin named it, so it may be a name of this network.
      outbound: new Outbound(
        [...parseRanges(config.UPSTREAM_ALLOW, 'UPSTREAM_ALLOW: '), ...parseRanges(config.FETCH_ALLOW, 'FETCH_ALLOW: ')],
        { hostsFile: HOSTS_FILE },
      ),
    },
    async (found) => {
      const { takeOver, close } = await alone()
      closeAlone = close
      return takeOver(found)
    },
  )
  /** What requests for codes are answered from, by the lane and by the route handler. */
  const answering: AnswerContext & { metrics: Metrics } = {
    lookup,
    domains,
    visits: new Visits({ secret: config.APP_SECRET, honourOptOut: config.DO_NOT_TRACK }),
    visitors: new Visitors({ geoDatabase: config.GEO_DATABASE, warn: (message, err) => log.warn({ err }, message) }, clickIds),
    capture: clicks.capture,
    clickLimit: new ClickLimit(db),
    countryHeader: config.COUNTRY_HEADER,
    guesses,
    passwordTries: new PasswordTries(limits),
    passwords: new LinkPasswords(db, log),
    metrics,
    pages: new VisitorPages({
      brand,
      baseUrl: config.BASE_URL,
      open: config.ANONYMOUS_LINKS || config.SIGN_UP === 'open',
    }),
    pictures: new Pictures(qr, limits),
    pasts: new Pasts(db),
    cards: new Cards(db, new WordRules(db)),
    threats: new KnownThreats(db),
    upstreams,
    baseUrl: config.BASE_URL,
    always: isHttps(config.BASE_URL) ? [...HSTS] : [],
    policy: {
      referrerPolicy: config.REFERRER_POLICY,
      cdnSeconds: config.CDN_CACHE_SECONDS,
      schemes: config.LINK_SCHEMES,
      quarantine: config.CODE_REUSE_AFTER,
    },
  }
  const background: Part[] = [domains, outbox, feeds, upstreamCounts]
  const state = {
    config,
    brand,
    log,
    metrics,
    redis,
    db,
    registry,
    domains,
    appFiles: new AppFiles(db, domains),
    outbox,
    lookup,
    limits,
    guesses,
    clients,
    clicks,
    clickIds,
    upstreams,
    qr,
    readiness: new Readiness({ db, redis, outbox, clicks }),
    answering,
  }
  defineGauges(state)
  return {
    ...state,
    async start(beside: readonly Part[] = []): Promise<void> {
      background.push(...beside)
      await Promise.all([redis.connected(1_000), nearby?.redis.connected(1_000)])
      for (const part of background) await part.start()
      await clicks.start()
    },
    async close(): Promise<void> {
      for (const part of background) part.close()
      await qr.close()
      await clicks.close()
      await upstreamCounts.end()
      await closeAlone()
      subscriber.close()
      redis.close()
      nearby?.redis.close()
      await db.close()
    },
  }
}

type Measured = Pick<RedirectRuntime, 'metrics' | 'redis' | 'db' | 'lookup' | 'outbox' | 'clicks'>

function defineGauges({ metrics, redis, db, lookup, outbox, clicks: { backlog } }: Measured): void {
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
  metrics.gauge('cache_entries', 'Links kept in memory', () => lookup.held.links)
  metrics.gauge('cache_bytes', 'Bytes in which links are kept in memory', () => lookup.held.bytes)
  metrics.gauge('click_backlog_batches', 'Batches of clicks that wait in Redis to be counted', () => backlog.entries)
  metrics.gauge('click_backlog_bytes', 'What they take there', () => backlog.bytes)
  metrics.gauge('click_backlog_age_seconds', 'How long the oldest of them has waited', () => backlog.age() ?? 0)
  metrics.gauge('click_backlog_full', '1 while new clicks go to the spool since too many wait', () => Number(backlog.isFull))
  metrics.gauge('click_dead_letters', 'Batches that could not be counted and were put aside', () => backlog.deadLetters)
  metrics.gauge('outbox_rows', 'Changes that Redis has not heard', () => outbox.size)
}
