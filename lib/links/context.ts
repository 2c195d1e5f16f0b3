import type { Logger } from 'pino'
import type { Blocklist } from '@/lib/blocklist/blocklist'
import type { CodeGenerator } from '@/lib/codes/generate'
import type { Registry } from '@/lib/codes/registry'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import type { Ids } from '@/lib/ids/ids'
import type { Turn } from '@/lib/jobs/running-job'
import type { Metrics } from '@/lib/metrics'
import type { Limits } from '@/lib/net/limits'
import type { Lookup } from '@/lib/redirect/lookup'
import type { Together } from '@/lib/tools/together'
import type { Permitted } from './permit'

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
  limits: Limits
  metrics: Metrics
  /** New links, gathered to be inserted by one statement. */
  inserts: Together<Permitted<Link>>
}
