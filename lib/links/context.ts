import type { Logger } from 'pino'
import type { Registry } from '@/lib/codes/registry'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Metrics } from '@/lib/metrics'
import type { Domains } from '@/lib/redirect/domains'
import type { Lookup } from '@/lib/redirect/lookup'

/** What every use case on links stands on. */
export interface LinkContext {
  config: Config
  log: Logger
  db: DatabaseGateway
  registry: Registry
  lookup: Lookup
  domains: Domains
  metrics: Metrics
}

/** Who asks. Accounts will be a second kind. */
export interface Actor {
  kind: 'anonymous'
  /** The account that owns what the actor makes; none without an account. */
  ownerId: string | null
  /** The manage token sent along, if any. */
  manageToken: string | null
}
