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
  private closed = false
  private reading: Promise<void> = Promise.resolve()

  constructor(
    private readonly db: DatabaseGateway,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    await this.refresh().catch((error: unknown) => this.log.debug({ err: error }, 'the blocklist is not known yet'))
    if (this.closed) return
    this.timer = setTimeout(() => void this.start(), INTERVAL)
    this.timer.unref()
  }

  /** Reads the rules again if there are others: for whoever has just changed them. @throws TerseError 'unavailable' */
  refresh(): Promise<void> {
    // One after the other: what was read before a change must not come to hold after it.
    const read = this.reading.then(() => this.read())
    this.reading = read.catch(() => {})
    return read
  }

  private async read(): Promise<void> {
    // A rule that was added has a greater id than all others, and one that was removed is missed in the count.
    const [found] = await this.db.rows<{ rules: bigint; latest: bigint | null }>(
      'SELECT COUNT(*) AS rules, MAX(id) AS latest FROM BlockRule',
    )
    const version = `${found?.rules} ${found?.latest}`
    if (version === this.version) return
    this.rules = new BlockRules(await this.db.rows<BlockRule>('SELECT id, kind, value, reason FROM BlockRule'))
    this.version = version
  }

  /** Whether a rule forbids it. */
  isBlocked(link: LinkFacts): boolean {
    return this.rules.broken(link) !== null
  }

  /**
   * Refuses a link that breaks a rule.
   * @param path how the caller calls the field, where not by its name
   * @throws TerseError 'validation_failed'
   */
  require(link: LinkFacts, path?: string): void {
    const broken = this.rules.broken(link)
    if (!broken) return
    const { field, rule } = broken
    const message = `This ${FIELD_NAMES[field]} is blocked here.${rule.reason ? ` ${rule.reason}` : ''}`
    throw new TerseError('validation_failed', message, { errors: [{ path: path ?? field, message }] })
  }

  /** Refuses a client that may not make links; null: not known. @throws TerseError 'forbidden' */
  requireClient(address: string | null): void {
    const rule = address === null ? null : this.rules.ofClient(address)
    if (rule)
      throw new TerseError(
        'forbidden',
        `No links can be made or changed from your address.${rule.reason ? ` ${rule.reason}` : ''}`,
      )
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
  }
}
