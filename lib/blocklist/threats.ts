import type { Logger } from 'pino'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { Background, Loop } from '@/lib/tools/loop'
import { expressionsOf, hashOf } from './expressions'
import { valuesOf, WHOLE } from './threat-entries'

/** How often every process asks whether there is another list, in ms. */
const INTERVAL = 2_000

/** Sorted prefixes, of which so many bytes count. */
interface Part {
  bytes: number
  values: BigUint64Array
}

interface ListRow {
  version: bigint
  entries: number
  pauses: boolean | number
}

/**
 * Whether the list names a destination: `sure` by a host or by 8 bytes of a hash; `maybe` by a shorter prefix, which one of some
 * thousand harmless pages has too.
 */
export type Threat = 'maybe' | 'sure'

/** The list of threats, held in memory: 8 bytes an entry. While MySQL is away the last known one holds. */
export class Threats extends Background {
  private parts: readonly Part[] = []
  private lengths: readonly number[] = []
  /** Which list is held; 0: none. */
  version = 0n
  /** Whether links to what it surely names are refused, and paused. */
  pauses = false
  private reading: Promise<void> = Promise.resolve()
  protected readonly loop = new Loop({
    every: INTERVAL,
    run: () => this.refresh(),
    onFailure: (err) => this.log.debug({ err }, 'the list of threats is not read'),
  })

  constructor(
    private readonly db: Pick<DatabaseGateway, 'rows'>,
    private readonly log: Logger,
  ) {
    super()
  }

  /** Reads the list if there is another. @throws TerseError 'unavailable' */
  refresh(): Promise<void> {
    const read = this.reading.then(() => this.read())
    this.reading = read.catch(() => {})
    return read
  }

  private async read(): Promise<void> {
    const [row] = await this.db.rows<ListRow>('SELECT version, entries, pauses FROM ThreatList WHERE id = 1')
    if (!row) return
    if (row.version !== this.version) await this.load(row)
    this.pauses = Boolean(row.pauses)
  }

  /** A part at a time, so that nothing waits for long. */
  private async load({ version, entries }: ListRow): Promise<void> {
    const parts: Part[] = []
    let found = 0
    for (let after = -1; version !== 0n; ) {
      const [row] = await this.db.rows<{ part: number; bytes: number; content: Uint8Array }>(
        'SELECT part, bytes, content FROM ThreatPart WHERE version = ? AND part > ? ORDER BY part LIMIT 1',
        ...[version, after],
      )
      if (!row) break
      const values = valuesOf({ content: Buffer.from(row.content) })
      parts.push({ bytes: row.bytes, values })
      found += values.length
      after = row.part
    }
    // Another took its place meanwhile.
    if (found !== entries) throw new Error(`the list of threats has ${found} of ${entries} entries`)
    this.parts = parts
    this.lengths = [...new Set(parts.map(({ bytes }) => bytes))]
    this.version = version
  }

  /** Whether the list names a URL; null: it does not. */
  find(url: string): Threat | null {
    if (this.parts.length === 0) return null
    let found: Threat | null = null
    for (const expression of expressionsOf(url)) {
      const hash = hashOf(expression)
      for (const bytes of this.lengths) {
        if (!this.holds(prefixOf(hash, bytes), bytes)) continue
        if (bytes === WHOLE) return 'sure'
        found = 'maybe'
      }
    }
    return found
  }

  private holds(value: bigint, bytes: number): boolean {
    return this.parts.some((part) => part.bytes === bytes && includes(part.values, value))
  }
}

const prefixOf = (hash: bigint, bytes: number): bigint => {
  const rest = BigInt((WHOLE - bytes) * 8)
  return (hash >> rest) << rest
}

function includes(values: BigUint64Array, value: bigint): boolean {
  let [low, high] = [0, values.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = values[middle] as bigint
    if (found === value) return true
    if (found < value) low = middle + 1
    else high = middle - 1
  }
  return false
}
