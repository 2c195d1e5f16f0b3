import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { Card } from '@/lib/previews/values'
import { type BlockRule, BlockRules } from './rules'

/** How long words are remembered, in ms. */
const LIFETIME = 2_000

/**
 * The rules of words, for what others wrote and is shown long after it was read: a rule may have come since. They are read when
 * something is shown, since processes that only redirect keep no rules.
 */
export class WordRules {
  private known: Promise<BlockRules> | null = null
  private readAt = -Infinity

  /** @param lifetime how long they are remembered, in ms */
  constructor(
    private readonly db: Pick<SqlGateway, 'rows'>,
    private readonly lifetime = LIFETIME,
  ) {}

  /** Whether a card may say so. @throws TerseError 'unavailable' */
  async allow({ title, description }: Pick<Card, 'title' | 'description'>): Promise<boolean> {
    const rules = await this.rules()
    return rules.broken({ preview: { source: 'custom', title, description, image: null } }) === null
  }

  private rules(): Promise<BlockRules> {
    const now = performance.now()
    if (this.known && now - this.readAt < this.lifetime) return this.known
    this.readAt = now
    const reading = this.read()
    this.known = reading
    // What failed is read again.
    reading.catch(() => {
      if (this.known === reading) this.known = null
    })
    return reading
  }

  private async read(): Promise<BlockRules> {
    // Beside a few words there may be very many hosts.
    const sql = "SELECT id, kind, value, reason FROM BlockRule FORCE INDEX (BlockRule_kind_value_key) WHERE kind = 'word'"
    return new BlockRules(await this.db.rows<BlockRule>(sql))
  }
}
