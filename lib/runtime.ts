import { AsyncLocalStorage } from 'node:async_hooks'
import type { AccountContext } from '@/lib/accounts/context'
import { cookieName } from '@/lib/accounts/cookies'
import { Credentials } from '@/lib/accounts/credentials'
import { HashTurns } from '@/lib/accounts/hash-turns'
import { AccountSweeper } from '@/lib/accounts/sweep'
import { Blocklist } from '@/lib/blocklist/blocklist'
import { CodeGenerator } from '@/lib/codes/generate'
import { filterSettings } from '@/lib/codes/rebuild'
import { type Config, readConfig } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { NodeLease } from '@/lib/db/node-lease'
import { Favicons } from '@/lib/favicons/favicons'
import type { SentForm } from '@/lib/forms/sent'
import { createIds } from '@/lib/ids/ids'
import { IdReconciler } from '@/lib/ids/reconciler'
import { JobRunner } from '@/lib/jobs/runner'
import { insertsTogether } from '@/lib/links/insert'
import { Sweeper } from '@/lib/links/sweep'
import { Mailer } from '@/lib/mail/mailer'
import type { Client } from '@/lib/net/clients'
import { OfflinePages } from '@/lib/offline/offline'
import { Overviews } from '@/lib/overview/account'
import { AdminOverviews } from '@/lib/overview/deployment'
import { System } from '@/lib/overview/system'
import { CodeReconciler } from '@/lib/redirect/code-reconciler'
import { OutboxReplay } from '@/lib/redirect/outbox-replay'
import { SearchIndexer } from '@/lib/search/indexer'
import { LiveHub } from '@/lib/stats/live'
import { once } from '@/lib/tools/once'
import { JOB_KINDS } from './job-kinds'
import { buildRedirects, countInThisThread, type RedirectRuntime } from './redirect-runtime'

/** Facts of a request that only the socket's owner knows. */
export interface RequestScope {
  client: Client
  /** A form that was sent to the page without scripts, and what came of it. */
  sent?: SentForm
  /** What the page is answered with in place of 200. */
  status?: number
}

/** What the application needs on top: everything with a state, made once for a process. */
export interface Runtime extends RedirectRuntime, AccountContext {
  db: DatabaseGateway
  overviews: Overviews
  adminOverviews: AdminOverviews
  system: System
  /** The front page for browsers without a network. */
  offline: OfflinePages
  /** Watchers of clicks. Closed first when the process stops: their connections would never end by themselves. */
  live: LiveHub
  /** Brings links into the tables by which they are found. */
  searchIndexer: SearchIndexer
  /** Icons of the sites that links lead to. */
  favicons: Favicons
  /** Does what takes longer than a request. */
  jobs: JobRunner<Runtime>
  /** Set by server.ts around Next.js's handler. */
  scope: AsyncLocalStorage<RequestScope>
}

/**
 * The runtime of a process with the application, at work. Needs neither Redis nor MySQL to be up.
 * @param counting server.ts counts in a thread of its own
 */
export async function createRuntime(config: Config, counting = countInThisThread): Promise<Runtime> {
  const db = new DatabaseGateway(config.DATABASE_URL, config.DATABASE_POOL)
  const { start, close, ...redirects } = await buildRedirects(config, db, counting)
  const { brand, log, metrics, redis, registry, domains, outbox, lookup, limits, clicks } = redirects
  const ids = createIds(config, redis, db)
  const mailer = new Mailer(config, brand, log)
  const auth = once(async () => {
    const { createAuth } = await import('@/lib/accounts/auth')
    return createAuth({ config, db, log, mailer, limits, handles: ids.handles })
  })
  const live = new LiveHub(db)
  const runtime: Runtime = {
    ...redirects,
    ids,
    mailer,
    auth,
    hashTurns: new HashTurns(),
    credentials: new Credentials(auth, db, cookieName(config, 'session_token')),
    blocklist: new Blocklist(db, log),
    codes: new CodeGenerator(config.APP_SECRET, config.CODE_LENGTH),
    inserts: insertsTogether(db),
    overviews: new Overviews(db, domains),
    adminOverviews: new AdminOverviews(db, domains),
    system: new System({ config, db, ids, lookup, metrics, redis, outbox, clicks }),
    offline: new OfflinePages(brand),
    live,
    searchIndexer: new SearchIndexer(db, redis, log),
    favicons: new Favicons(config, db, log),
    jobs: new JobRunner<Runtime>(() => runtime, JOB_KINDS),
    scope: new AsyncLocalStorage(),
    async close() {
      live.close()
      runtime.favicons.close()
      await close()
      mailer.close()
    },
  }
  metrics.gauge('live_watchers', 'Connections that watch the clicks of a link', () => live.watching)
  await start([
    new NodeLease(db),
    new OutboxReplay(db, registry, outbox, log),
    new CodeReconciler({ redis, db, registry, settings: filterSettings(config), log }),
    new IdReconciler(redis, ids, log),
    runtime.blocklist,
    runtime.searchIndexer,
    new Sweeper(runtime),
    new AccountSweeper(runtime),
    runtime.jobs,
  ])
  return runtime
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
