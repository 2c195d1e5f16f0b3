import { LRUCache } from 'lru-cache'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { SingleFlight } from '@/lib/tools/single-flight'
import { MINUTE } from '@/lib/tools/time'
import { type Card, type PreviewSource, previewIn } from './values'

/** Links whose card is remembered: who asks for one again and again costs no look-up. */
const REMEMBERED = 500
/** How long: that of a destination may be fetched at any time. In ms. */
const LIFETIME = { some: MINUTE, none: 2_000 }

/** A card, and whose words it has. */
export interface ShownCard extends Card {
  source: PreviewSource
}

interface Row {
  preview: string | null
  title: string | null
  description: string | null
  image: string | null
}

/** What the words of a page are held against. */
export interface CardRules {
  /** Whether a card may say so. @throws TerseError 'unavailable' */
  allow(card: Pick<Card, 'title' | 'description'>): Promise<boolean>
}

/** What apps are shown of links, read when one of them asks. */
export class Cards {
  private readonly known = new LRUCache<string, { card: ShownCard | null }>({ max: REMEMBERED })
  private readonly flights = new SingleFlight<ShownCard | null>()

  /** @param rules what a page says of itself is held against them again whenever it is read: rules may have come since */
  constructor(
    private readonly db: Pick<SqlGateway, 'rows'>,
    private readonly rules: CardRules,
  ) {}

  /** null when there is none yet, or it cannot be read now. Never throws. @param link as the caches have it */
  find({ id, version }: { id: string; version: string }): Promise<ShownCard | null> {
    const key = `${id} ${version}`
    const known = this.known.get(key)
    return known ? Promise.resolve(known.card) : this.flights.run(key, () => this.remember(key, BigInt(id)))
  }

  private async remember(key: string, id: bigint): Promise<ShownCard | null> {
    try {
      const card = await this.read(id)
      this.known.set(key, { card }, { ttl: card ? LIFETIME.some : LIFETIME.none })
      return card
    } catch {
      // The link is what counts: whoever asks is redirected.
      return null
    }
  }
  /** The card of a link as it is now; null where it has none, or not yet. @throws TerseError 'unavailable' */
  async read(linkId: bigint): Promise<ShownCard | null> {
    const [row] = await this.db.rows<Row>(
      `SELECT Link.preview, fetched.title, fetched.description, fetched.image FROM Link
         LEFT JOIN LinkPreview AS fetched ON fetched.linkId = Link.id AND fetched.urlHash = Link.urlHash WHERE Link.id = ?`,
      linkId,
    )
    const setting = previewIn(row?.preview)
    if (setting?.source === 'custom') return setting
    if (!row || setting === null || !row.title) return null
    const card = { title: row.title, description: row.description ?? '', image: row.image }
    return (await this.rules.allow(card)) ? { source: 'destination', ...card } : null
  }
}
