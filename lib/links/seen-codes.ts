import { randomBytes } from 'node:crypto'
import { sha256 } from '@/lib/tools/hash'

/** Of so many places in use the table is doubled: beyond, it takes ever longer to find one. */
const FULL = 0.6

/**
 * In which line of a file each of up to millions of short links was, in 12 bytes each. Two of them are taken for one when 64 bits
 * of their hashes are the same: of a million, once in 37 million files.
 */
export class SeenCodes {
  /** Rows that were looked at, from the first. */
  upTo = 0
  private readonly hash = placing()
  private size = 0
  private high = new Uint32Array(1 << 10)
  private low = new Uint32Array(1 << 10)
  /** 0: the place is free. */
  private lines = new Int32Array(1 << 10)

  /** @param line from 1. Of two the first counts, unless it was in a later line. */
  add(full: string, line: number): void {
    if (this.size >= this.lines.length * FULL) this.grow()
    const [high, low] = this.hash(full)
    const place = this.find(high, low)
    const known = this.lines[place] ?? 0
    if (known === 0) this.size += 1
    if (known === 0 || line < known) this.put(place, high, low, line)
  }

  /** @returns the line in which it was before this one, or null */
  before(full: string, line: number): number | null {
    const known = this.lines[this.find(...this.hash(full))] ?? 0
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

/**
 * Hashes for one table, other ones each time, and nobody can work them out: with codes made to lie in one place, every row would
 * be compared with all before it. MurmurHash3 would not do, whose collisions are the same for all seeds (Aumasson, Bernstein and
 * Boßlet 2012).
 */
export function placing(): (full: string) => [number, number] {
  const secret = randomBytes(16).toString('latin1')
  return (full) => {
    const digest = sha256(secret + full)
    return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
  }
}
