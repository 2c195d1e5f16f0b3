import type { Logger } from 'pino'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { Background, Loop } from '@/lib/tools/loop'
import { type BlockRule, BlockRules, destinationsOf, type LinkFacts } from './rules'
import { Threats } from './threats'

/** How often every process asks whether the rules have changed, in ms. */
const INTERVAL = 2_000

/** Rules that are read at a time: there may be very many, and reading them is work. */
const PAGE = 500
/** Less than any id. */
const NO_RULE = -1n

/** Tells two sets of rules apart: how many they are, the greatest id, and all ids by exclusive or. */
interface Mark {
  count: number
  latest: bigint
  mixed: bigint
}

const isSame = (one: Mark, other: Mark) => one.count === other.count && one.latest === other.latest && one.mixed === other.mixed

/** The mark of a set and of these, by rising id, which are all greater than its greatest. */
const markWith = (mark: Mark, rules: readonly BlockRule[]): Mark => ({
  count: mark.count + rules.length,
  latest: rules.at(-1)?.id ?? mark.latest,
  mixed: rules.reduce((mixed, { id }) => mixed ^ id, mark.mixed),
})

/**
 * The rules of this deployment, kept in memory: every new link is held against them. While MySQL is away the last known
 * ones hold.
 */
export class Blocklist extends Background {
  /** The list of threats, which is asked beside the rules. */
  readonly threats: Threats
  private rules = new BlockRules([])
  /** What tells the rules in memory from others. */
  private known: Mark = { count: 0, latest: NO_RULE, mixed: 0n }
  private reading: Promise<void> = Promise.resolve()
  protected readonly loop = new Loop({
    every: INTERVAL,
    run: () => this.refresh(),
    onFailure: (err) => this.log.debug({ err }, 'the blocklist is not read'),
  })

  constructor(
    private readonly db: Pick<DatabaseGateway, 'rows'>,
    private readonly log: Logger,
  ) {
    super()
    this.threats = new Threats(db, log)
  }

  override async start(): Promise<void> {
    await Promise.all([super.start(), this.threats.start()])
  }

  override close(): void {
    this.threats.close()
    super.close()
  }

  /** Reads the rules again if there are others: for a caller that has just changed them. @throws TerseError 'unavailable' */
  refresh(): Promise<void> {
    // One after the other: what was read before a change must not come to hold after it.
    const read = this.reading.then(() => this.read())
    this.reading = read.catch(() => {})
    return read
  }

  private async read(): Promise<void> {
    const [found] = await this.db.rows<{ rules: bigint | number; latest: bigint | null; mixed: bigint | number }>(
      'SELECT COUNT(*) AS rules, MAX(id) AS latest, BIT_XOR(id) AS mixed FROM BlockRule',
    )
    const there: Mark = {
      count: Number(found?.rules ?? 0),
      latest: found?.latest ?? NO_RULE,
      mixed: BigInt(found?.mixed ?? 0),
    }
    if (!isSame(there, this.known) && !(await this.readAdded(there))) await this.readAll()
  }

  /**
   * Reads only rules with greater ids than are known: most often these alone were added.
   * @returns false if that does not make it the rules that were counted
   */
  private async readAdded(there: Mark): Promise<boolean> {
    if (there.latest <= this.known.latest) return false
    const added = await this.readAfter(this.known.latest)
    // What has come since they were counted is welcome too, but may not stand in for one whose id came late.
    const counted = added.filter(({ id }) => id <= there.latest)
    if (added.length === PAGE || !isSame(there, markWith(this.known, counted))) return false
    this.rules.add(added)
    this.known = markWith(this.known, added)
    return true
  }

  private async readAll(): Promise<void> {
    const rules = new BlockRules([])
    let known: Mark = { count: 0, latest: NO_RULE, mixed: 0n }
    for (;;) {
      const page = await this.readAfter(known.latest)
      rules.add(page)
      known = markWith(known, page)
      if (page.length < PAGE) break
    }
    this.rules = rules
    this.known = known
  }

  private readAfter(id: bigint): Promise<BlockRule[]> {
    return this.db.rows<BlockRule>(`SELECT id, kind, value, reason FROM BlockRule WHERE id > ? ORDER BY id LIMIT ${PAGE}`, id)
  }

  /** Whether a rule forbids it. */
  isBlocked(link: LinkFacts): boolean {
    return this.rules.broken(link) !== null || this.threatIn(link) !== null
  }

  /**
   * Refuses a link that breaks a rule.
   * @param given how the caller calls the field, where not by its name
   * @throws TerseError 'validation_failed'
   */
  require(link: LinkFacts, given?: string): void {
    const broken = this.rules.broken(link)
    if (!broken) {
      this.requireNoThreat(link, given)
      return
    }
    const { field, path, rule } = broken
    const message = say('api.rule.blocked', { field, why: rule.reason ? 'given' : 'none', reason: rule.reason })
    throw new TerseError('validation_failed', message, { errors: [{ path: given ?? path, message }] })
  }

  /** Whether a link is to be paused, by the list of threats. */
  isPaused(link: LinkFacts): boolean {
    return this.threatIn(link) !== null
  }

  /** Where a link leads that the list of threats surely names, while links to such places are paused. */
  private threatIn(link: LinkFacts): string | null {
    if (!this.threats.pauses) return null
    return destinationsOf(link).find(({ url }) => this.threats.find(url) === 'sure')?.path ?? null
  }

  private requireNoThreat(link: LinkFacts, given?: string): void {
    const path = this.threatIn(link)
    if (path !== null) throw invalidField(given ?? path, say('api.threats.listed'))
  }

  /** Refuses a client that may not make links; null: not known. @throws TerseError 'forbidden' */
  requireClient(address: string | null): void {
    const rule = address === null ? null : this.rules.ofClient(address)
    if (rule)
      throw new TerseError(
        'forbidden',
        say('api.rule.clientBlocked', { why: rule.reason ? 'given' : 'none', reason: rule.reason }),
      )
  }
}
