import type { Logger } from 'pino'
import type { Blocklist } from '@/lib/blocklist/blocklist'
import type { CodeGenerator } from '@/lib/codes/generate'
import type { Registry } from '@/lib/codes/registry'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import type { Listeners } from '@/lib/events/listeners'
import type { Ids } from '@/lib/ids/ids'
import type { Turn } from '@/lib/jobs/running-job'
import type { Metrics } from '@/lib/metrics'
import type { Limits } from '@/lib/net/limits'
import type { Lookup } from '@/lib/redirect/lookup'
import type { Together } from '@/lib/tools/together'
import type { Turns } from '@/lib/tools/turns'
import type { ImportMemories } from './import-memory'
import type { Permitted } from './permit'
import type { Rehearsed } from './rehearsal'

/** What every use case on links stands on. */
export interface LinkContext extends Turn {
  config: Config
  log: Logger
  db: DatabaseGateway
  registry: Registry
  codes: CodeGenerator
  lookup: Lookup
  domains: Domains
  blocklist: Blocklist
  ids: Ids
  /** Whose webhooks want to be told of what. */
  listeners: Listeners
  limits: Limits
  metrics: Metrics
  /** What imports under way remember of their rows. */
  imports: ImportMemories
  /** Files that are being imported while they come, by account. */
  uploads: Turns
  /** Set while nothing may be written (./rehearsal.ts). */
  rehearsed?: Rehearsed
  /** New links, gathered to be inserted by one statement. */
  inserts: Together<Permitted<Link>>
}
