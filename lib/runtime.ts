import { AsyncLocalStorage } from 'node:async_hooks'
import type { AccountContext } from '@/lib/accounts/context'
import { cookieName } from '@/lib/accounts/cookies'
import { Credentials } from '@/lib/accounts/credentials'
import { HashTurns } from '@/lib/accounts/hash-turns'
import { AccountSweeper } from '@/lib/accounts/sweep'
import { tellHealth } from '@/lib/accounts/tell-health'
import { Blocklist } from '@/lib/blocklist/blocklist'
import { AccountSettling } from '@/lib/clicks/account-settling'
import { CodeGenerator } from '@/lib/codes/generate'
import { filterSettings } from '@/lib/codes/rebuild'
import { type Config, readConfig } from '@/lib/config'
import { LinkCounter } from '@/lib/counts/counter'
import { DatabaseGateway } from '@/lib/db/gateway'
import { NodeLease } from '@/lib/db/node-lease'
import { HealthChecker } from '@/lib/destinations/checker'
import { ThreatSweep } from '@/lib/destinations/threat-sweep'
import { Listeners } from '@/lib/events/listeners'
import { Favicons } from '@/lib/favicons/favicons'
import type { SentForm } from '@/lib/forms/sent'
import { createIds } from '@/lib/ids/ids'
import { IdReconciler } from '@/lib/ids/reconciler'
import { JobRunner } from '@/lib/jobs/runner'
import { NightlyCopy } from '@/lib/leaving/nightly'
import { ImportMemories } from '@/lib/links/import-memory'
import { UPLOADS } from '@/lib/links/import-queue'
import { insertsTogether } from '@/lib/links/insert'
import { ListEnds } from '@/lib/links/offset'
import { SplitEnds } from '@/lib/links/split-ends'
import { Sweeper } from '@/lib/links/sweep'
import { takeOverBy } from '@/lib/links/take-over'
import { Mailer } from '@/lib/mail/mailer'
import { parseRanges } from '@/lib/net/address'
import type { Client } from '@/lib/net/clients'
import { Outbound } from '@/lib/net/outbound'
import { OfflinePages } from '@/lib/offline/offline'
import { Overviews } from '@/lib/overview/account'
import { AdminOverviews } from '@/lib/overview/deployment'
import { System } from '@/lib/overview/system'
import { PreviewFetcher } from '@/lib/previews/fetcher'
import { CodeReconciler } from '@/lib/redirect/code-reconciler'
import { OutboxReplay } from '@/lib/redirect/outbox-replay'
import { ScopeCounter } from '@/lib/scopes/counting'
import { openScopeLive } from '@/lib/scopes/live'
import { SearchIndexer } from '@/lib/search/indexer'
import { Engines } from '@/lib/series/engines'
import { SeriesSweeper } from '@/lib/series/sweep'
import { RecentClicks } from '@/lib/shares/embed'
import { countsOfLinks, LiveHub } from '@/lib/stats/live'
import { once } from '@/lib/tools/once'
import { RUNTIME_KEY } from '@/lib/tools/runtime-key'
import { Turns } from '@/lib/tools/turns'
import { WebhookDispatcher } from '@/lib/webhooks/dispatch'
import { tellTurnedOff } from '@/lib/webhooks/mails'
import { WebhookSender } from '@/lib/webhooks/sender'
import { WebhookSweeper } from '@/lib/webhooks/sweep'
import { JOB_KINDS } from './job-kinds'
import { buildRedirects, countInThisThread, type RedirectRuntime, type StartCounting } from './redirect-runtime'

/** Facts of a request that only the socket's owner knows. */
export interface RequestScope {
  client: Client
  /** By which its answer and its lines in the log are found together (lib/net/request-id.ts). */
  requestId?: string
  /** A form that was sent to the page without scripts, and what came of it. */
  sent?: SentForm
  /** What the page is answered with in place of 200. */
  status?: number
}

/** What the application needs on top: everything with a state, made once for a process. */
export interface Runtime extends RedirectRuntime, AccountContext {
  /** Where the numbers of series come from. */
  series: Engines
  db: DatabaseGateway
  overviews: Overviews
  /** Where lists that are read page after page go on. */
  listEnds: ListEnds
  adminOverviews: AdminOverviews
  system: System
  /** The front page for browsers without a network. */
  offline: OfflinePages
  /** Watchers of clicks. Closed first when the process stops: their connections would never end by themselves. */
  /** By the id of the link. */
  live: LiveHub<bigint>
  /** Of several links together, by the text of their scope. */
  scopeLive: LiveHub<string>
  /** Adds up the clicks of many links. */
  scopeCounting: ScopeCounter
  /** What badges and charts of shared statistics show. */
  recentClicks: RecentClicks
  /** Brings links into the tables by which they are found. */
  searchIndexer: SearchIndexer
  /** Icons of the sites that links lead to. */
  favicons: Favicons
  /** Asks URLs that strangers named. */
  outbound: Outbound
  /** Checks destinations. */
  health: HealthChecker
  /** Fetches what destinations say of themselves. */
  previews: PreviewFetcher
  /** Does what takes longer than a request. */
  jobs: JobRunner<Runtime>
  /** Set by server.ts around Next.js's handler. */
  scope: AsyncLocalStorage<RequestScope>
}

/**
 * The runtime of a process with the application, at work. Needs neither Redis nor MySQL to be up.
 * @param counting server.ts counts in a thread of its own; null: other processes count
 */
export async function createRuntime(config: Config, counting: StartCounting | null = countInThisThread): Promise<Runtime> {
  const db = new DatabaseGateway(config.DATABASE_URL, config.DATABASE_POOL)
  const scope = new AsyncLocalStorage<RequestScope>()
  const logged = () => ({ requestId: scope.getStore()?.requestId })
  const { start, close, ...redirects } = await buildRedirects(config, db, counting, logged)
  const { brand, log, metrics, redis, registry, domains, outbox, lookup, limits, clicks } = redirects
  const ids = createIds(config, redis, db)
  const mailer = new Mailer(config, brand, log)
  const auth = once(async () => {
    const { createAuth } = await import('@/lib/accounts/auth')
    return createAuth({ config, db, log, mailer, limits, handles: ids.handles })
  })
  const live = new LiveHub(countsOfLinks(db))
  const scopeLive = openScopeLive(db)
  const scopeCounting = new ScopeCounter(db, log)
  const blocklist = new Blocklist(db, log)
  const outbound = new Outbound(parseRanges(config.FETCH_ALLOW, 'FETCH_ALLOW: '))
  const listeners = new Listeners()
  const allows = (url: string) => !domains.isOwn(url) && !blocklist.isBlocked({ url })
  const runtime: Runtime = {
    ...redirects,
    ids,
    series: new Engines({ redis, db, secret: config.APP_SECRET }),
    mailer,
    auth,
    hashTurns: new HashTurns(),
    credentials: new Credentials(auth, db, cookieName(config, 'session_token')),
    blocklist,
    codes: new CodeGenerator(config.APP_SECRET, config.CODE_LENGTH),
    inserts: insertsTogether(db),
    imports: new ImportMemories(),
    uploads: new Turns(UPLOADS),
    listEnds: new ListEnds(),
    listeners,
    outbound,
    health: new HealthChecker({
      ...{ db, log, outbound, listeners, threats: blocklist.threats, agent: `Terse link check (+${config.BASE_URL})`, allows },
      tell: (ownerId) => tellHealth(runtime)(ownerId),
    }),
    previews: new PreviewFetcher({
      ...{ db, log, outbound, agent: `Terse link preview (+${config.BASE_URL})`, allows },
      allowsWords: ({ title, description }) =>
        !blocklist.isBlocked({ preview: { source: 'custom', title, description, image: null } }),
    }),
    overviews: new Overviews(db, domains),
    adminOverviews: new AdminOverviews(db, domains),
    system: new System({ config, db, ids, lookup, metrics, redis, outbox, clicks }),
    offline: new OfflinePages(brand),
    live,
    scopeLive,
    scopeCounting,
    recentClicks: new RecentClicks({ config, db, domains, scopeCounting }),
    searchIndexer: new SearchIndexer(db, redis, log),
    favicons: new Favicons(config, db, log),
    jobs: new JobRunner<Runtime>(() => runtime, JOB_KINDS),
    scope,
    async close() {
      live.close()
      scopeLive.close()
      runtime.favicons.close()
      await close()
      mailer.close()
    },
  }
  redirects.upstreams.setTakeOver(takeOverBy(runtime))
  metrics.gauge('live_watchers', 'Connections that watch clicks', () => live.watching + scopeLive.watching)
  await start([
    new NodeLease(db),
    new OutboxReplay(db, registry, outbox, log),
    new CodeReconciler({ redis, db, registry, settings: filterSettings(config), log }),
    new IdReconciler(redis, ids, log),
    runtime.blocklist,
    runtime.searchIndexer,
    new LinkCounter(db, log),
    new AccountSettling(db, log),
    runtime.scopeCounting,
    new Sweeper(runtime),
    new SplitEnds(runtime),
    new ThreatSweep(runtime),
    runtime.health,
    runtime.previews,
    new SeriesSweeper(runtime),
    new AccountSweeper(runtime),
    new WebhookDispatcher(runtime),
    new WebhookSender(runtime, tellTurnedOff(runtime)),
    new WebhookSweeper(db, log),
    new NightlyCopy(runtime),
    runtime.jobs,
  ])
  return runtime
}

const store = globalThis as { [RUNTIME_KEY]?: Promise<Runtime> }

/**
 * The process's runtime. It hangs on the global object because the server bundle and Next.js's bundle each
 * hold a copy of this module, and there must be one of it. server.ts makes it at start; under `next dev`
 * and `next start` the first request does.
 */
export function runtime(): Promise<Runtime> {
  store[RUNTIME_KEY] ??= createRuntime(readConfig())
  return store[RUNTIME_KEY]
}

/** Makes `made` the process's runtime. */
export function setRuntime(made: Runtime): void {
  store[RUNTIME_KEY] = Promise.resolve(made)
}
