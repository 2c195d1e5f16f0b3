import type { Logger } from 'pino'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { TerseError } from '@/lib/errors'
import { type BlockRule, BlockRules, type LinkFacts } from './rules'

/** How often every process asks whether the rules have changed, in ms. */
const INTERVAL = 2_000

/** Rules that are read at a time: there may be very many, and reading them is work. */
const PAGE = 500
/** Less than any id. */
const NO_RULE = -1n

const FIELD_NAMES = { url: 'destination', expiredUrl: 'destination', code: 'code', title: 'title' } as const

/**
 * The rules of this deployment, kept in memory: every new link is held against them. While MySQL is away the last known
 * ones hold.
 */
export class Blocklist {
  private rules = new BlockRules([])
  private known = { count: 0, latest: NO_RULE, mark: '' }
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

  /** Where only rules with greater ids were added, as most often, these alone are read. */
  private async read(): Promise<void> {
    const [found] = await this.db.rows<{ rules: bigint | number; latest: bigint | null; mark: bigint | number }>(
      'SELECT COUNT(*) AS rules, MAX(id) AS latest, BIT_XOR(id) AS mark FROM BlockRule',
    )
    const [count, latest, mark] = [Number(found?.rules ?? 0), found?.latest ?? NO_RULE, String(found?.mark)]
    if (mark === this.known.mark) return
    const added = count > this.known.count ? await this.readAfter(this.known.latest) : []
    if (added.length > 0 && added.length < PAGE && added.length === count - this.known.count) {
      this.rules.add(added)
    } else {
      const rules = new BlockRules([])
      for (let after = NO_RULE; ; ) {
        const page = await this.readAfter(after)
        rules.add(page)
        if (page.length < PAGE) break
        after = page.at(-1)?.id ?? after
      }
      this.rules = rules
    }
    this.known = { count, latest, mark }
  }

  private readAfter(id: bigint): Promise<BlockRule[]> {
    return this.db.rows<BlockRule>(`SELECT id, kind, value, reason FROM BlockRule WHERE id > ? ORDER BY id LIMIT ${PAGE}`, id)
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
