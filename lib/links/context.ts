import type { Logger } from 'pino'
import type { Blocklist } from '@/lib/blocklist/blocklist'
import type { Registry } from '@/lib/codes/registry'
import type { Config } from '@/lib/config'
import type { Transaction } from '@/lib/db/client'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Domains } from '@/lib/domains/domains'
import type { Ids } from '@/lib/ids/ids'
import type { Metrics } from '@/lib/metrics'
import type { Limits } from '@/lib/net/limits'
import type { Lookup } from '@/lib/redirect/lookup'

/** What every use case on links stands on. */
export interface LinkContext {
  config: Config
  log: Logger
  db: DatabaseGateway
  registry: Registry
  lookup: Lookup
  domains: Domains
  blocklist: Blocklist
  ids: Ids
  limits: Limits
  metrics: Metrics
  /**
   * Where a job asks: to be called first in each transaction that writes what it was asked for, and holds the job's turn until that
   * ends. Else not there.
   * @throws JobEnded when another has the turn, or the job was cancelled
   */
  requireTurn?: (tx: Pick<Transaction, '$queryRawUnsafe'>) => Promise<void>
}

/** An account, as far as what it asks for depends on it. */
export interface Account {
  id: string
  name: string
  email: string
  /** Its public number in 8 digits. */
  handle: string
  role: 'user' | 'admin'
}

/** Who asks. */
export interface Actor {
  /** null without an account. */
  account: Account | null
  /** The account that owns what the actor makes: `account.id`. */
  ownerId: string | null
  /** 'read' for a read-only API key. */
  scope: 'read' | 'write'
  /** The manage token sent along, if any. */
  manageToken: string | null
  origin: Origin
}

/** From where something is asked for. */
export interface Origin {
  /** The client's address. null: not known, or nobody's but this server's own. */
  address: string | null
  /** A job asks, which can wait, and leaves room to requests that cannot. */
  isJob: boolean
}

/** Where nothing is known of it. */
export const NOWHERE: Origin = { address: null, isJob: false }

/** Who asks, as its credentials tell. */
export type Identified = Omit<Actor, 'origin'>

/** Someone without an account, with or without a manage token. */
export const anonymous = (manageToken: string | null = null, origin: Origin = NOWHERE): Actor => ({
  account: null,
  ownerId: null,
  scope: 'write',
  manageToken,
  origin,
})
