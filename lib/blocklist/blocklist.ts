import type { Logger } from 'pino'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { TerseError } from '@/lib/errors'
import { type BlockRule, BlockRules, type LinkFacts } from './rules'

/** How often every process asks whether the rules have changed, in ms. */
const INTERVAL = 2_000

const FIELD_NAMES = { url: 'destination', expiredUrl: 'destination', code: 'code', title: 'title' } as const

/**
 * The rules of this deployment, kept in memory: every new link is held against them. While MySQL is away the last known
 * ones hold.
 */
export class Blocklist {
  private rules = new BlockRules([])
  private version = ''
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly db: DatabaseGateway,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    await this.refresh().catch((error: unknown) => this.log.debug({ err: error }, 'the blocklist is not known yet'))
    this.timer = setTimeout(() => void this.start(), INTERVAL)
    this.timer.unref()
  }

  /** Reads the rules again if there are others: for whoever has just changed them. @throws TerseError 'unavailable' */
  async refresh(): Promise<void> {
    // A rule that was added has a greater id than all others, and one that was removed is missed in the count.
    const [found] = await this.db.rows<{ rules: bigint; latest: bigint | null }>(
      'SELECT COUNT(*) AS rules, MAX(id) AS latest FROM BlockRule',
    )
    const version = `${found?.rules} ${found?.latest}`
    if (version === this.version) return
    this.rules = new BlockRules(await this.db.rows<BlockRule>('SELECT id, kind, value, reason FROM BlockRule'))
    this.version = version
  }

  /** Refuses a link that breaks a rule. @throws TerseError 'validation_failed' */
  require(link: LinkFacts): void {
    const broken = this.rules.broken(link)
    if (!broken) return
    const { field, rule } = broken
    const message = `This ${FIELD_NAMES[field]} is blocked here.${rule.reason ? ` ${rule.reason}` : ''}`
    throw new TerseError('validation_failed', message, { errors: [{ path: field, message }] })
  }

  /** Refuses a client that may not make links. @throws TerseError 'forbidden' */
  requireClient(address: string): void {
    const rule = this.rules.ofClient(address)
    if (rule) throw new TerseError('forbidden', `No links can be made from your address.${rule.reason ? ` ${rule.reason}` : ''}`)
  }

  close(): void {
    clearTimeout(this.timer)
  }
}
