import murmurhash from 'murmurhash'

/** Of so many places in use the table is doubled: beyond, it takes ever longer to find one. */
const FULL = 0.6
const SEEDS = [0x7e25e, 0x11d5] as const

/**
 * In which line of a file each of up to millions of short links was, in 12 bytes each. Two of them are taken for one when 64 bits
 * of their hashes are the same: of a million, once in 37 million files.
 */
export class SeenCodes {
  /** Rows that were looked at, from the first. */
  upTo = 0
  private size = 0
  private high = new Uint32Array(1 << 10)
  private low = new Uint32Array(1 << 10)
  /** 0: the place is free. */
  private lines = new Int32Array(1 << 10)

  /** @param line from 1. Of two the first counts, unless it was in a later line. */
  add(full: string, line: number): void {
    if (this.size >= this.lines.length * FULL) this.grow()
    const [high, low] = hash(full)
    const place = this.find(high, low)
    const known = this.lines[place] ?? 0
    if (known === 0) this.size += 1
    if (known === 0 || line < known) this.put(place, high, low, line)
  }

  /** @returns the line in which it was before this one, or null */
  before(full: string, line: number): number | null {
    const known = this.lines[this.find(...hash(full))] ?? 0
    return known !== 0 && known < line ? known : null
  }

  private find(high: number, low: number): number {
    const mask = this.lines.length - 1
    let place = low & mask
    while (this.lines[place] !== 0 && (this.high[place] !== high || this.low[place] !== low)) place = (place + 1) & mask
    return place
  }

  private put(place: number, high: number, low: number, line: number): void {
    this.high[place] = high
    this.low[place] = low
    this.lines[place] = line
  }

  private grow(): void {
    const { high, low, lines } = this
    const size = lines.length * 2
    this.high = new Uint32Array(size)
    this.low = new Uint32Array(size)
    this.lines = new Int32Array(size)
    for (let at = 0; at < lines.length; at++) {
      const [h = 0, l = 0, line = 0] = [high[at], low[at], lines[at]]
      if (line !== 0) this.put(this.find(h, l), h, l, line)
    }
  }
}

const hash = (full: string): [number, number] => [murmurhash.v3(full, SEEDS[0]) >>> 0, murmurhash.v3(full, SEEDS[1]) >>> 0]
