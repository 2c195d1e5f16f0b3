import { randomInt } from 'node:crypto'

/** What stands before the texts of an entry, in bytes: when it was filled, and four words. */
const HEADER = 24
/** Places of the four words behind the start of an entry, in words. */
const [NEXT, HASH, VALUE_BYTES, REST] = [2, 3, 4, 5]
/** The last word holds the bytes of the key, the shard, and two marks. */
const [KEY_BITS, SHARD_MASK, LIVE, USED] = [16, 0xff, 1 << 24, 1 << 25]
const KEY_MASK = (1 << KEY_BITS) - 1
/** Entries in use that are kept for another round, for one that is written: so writing takes a bounded time. */
const SPARED = 8
/** An entry of common length, in bytes. */
const COMMON = 256

/** No entry. */
export const NOWHERE = -1

/**
 * Texts by key in one piece of memory of a fixed size, where the collector of garbage does not look: a quarter of a million
 * objects would be walked through again and again. A ring: the newest entry takes the place of the oldest, but one that was
 * used since it was written goes round once more, so that what is asked for stays (F. Corbató’s clock).
 *
 * Entries with the same hash form a chain. A position is that of an entry's first byte, and holds until the next is written.
 */
export class PackedRecords {
  private readonly bytes: Buffer
  private readonly words: Uint32Array
  private readonly times: Float64Array
  /** The first entry of each chain, counted in eights of bytes from 1; 0 for none. */
  private readonly chains: Uint32Array
  /** Drawn, so that nobody can make links whose codes all come into one chain. */
  private readonly seed = randomInt(2 ** 32)
  /** Where the next entry goes, where the oldest is, and behind which byte there is none. */
  private head = 0
  private tail = 0
  private end: number
  /** The newest entries lie before the oldest: `[tail, end)`, then `[0, head)`. */
  private isWrapped = false
  private live = 0

  /** @param size in bytes, of the texts and what leads to them; the memory is taken as it is written to */
  constructor(size: number) {
    const chains = 2 ** Math.ceil(Math.log2(Math.max(size / COMMON, 16)))
    this.chains = new Uint32Array(chains)
    this.end = Math.max(0, size - 4 * chains) & ~7
    const memory = new ArrayBuffer(this.end)
    this.bytes = Buffer.from(memory)
    this.words = new Uint32Array(memory)
    this.times = new Float64Array(memory)
  }

  /** Entries that are held. */
  get size(): number {
    return this.live
  }

  /** Bytes in which entries stand, or stood. */
  get used(): number {
    return this.isWrapped ? this.bytes.length : this.head
  }

  hash(key: string): number {
    let hash = this.seed
    for (let i = 0; i < key.length; i++) {
      hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995)
      hash ^= hash >>> 15
    }
    return hash >>> 0
  }

  /** Where the entry of a key is, or NOWHERE. @param hash of the key */
  find(key: string, hash: number): number {
    for (let link = this.first(hash); link !== 0; link = this.word(positionOf(link), NEXT)) {
      const at = positionOf(link)
      if (this.word(at, HASH) === hash && this.keyAt(at) === key) return at
    }
    return NOWHERE
  }

  filledAt(at: number): number {
    return this.times[at >>> 3] ?? Number.NaN
  }

  shard(at: number): number {
    return (this.word(at, REST) >>> KEY_BITS) & SHARD_MASK
  }

  value(at: number): string {
    const begin = at + HEADER + this.keyBytes(at)
    return this.bytes.toString('utf8', begin, begin + this.word(at, VALUE_BYTES))
  }

  /** Marks an entry as in use. @returns whether it was before */
  use(at: number): boolean {
    const rest = this.word(at, REST)
    this.words[(at >>> 2) + REST] = rest | USED
    return (rest & USED) !== 0
  }

  /** Keeps a value in place of the former one; one that is far too long is not kept. */
  set(key: string, hash: number, value: string, filledAt: number, shard: number): void {
    this.delete(key, hash)
    const [keyBytes, valueBytes] = [Buffer.byteLength(key), Buffer.byteLength(value)]
    const length = lengthOf(keyBytes, valueBytes)
    if (keyBytes > KEY_MASK || length > this.bytes.length / 4) return
    this.makeRoom(length)
    const at = this.head
    this.times[at >>> 3] = filledAt
    const word = at >>> 2
    this.words[word + HASH] = hash
    this.words[word + VALUE_BYTES] = valueBytes
    this.words[word + REST] = keyBytes | (shard << KEY_BITS) | LIVE
    this.bytes.write(key, at + HEADER, 'utf8')
    this.bytes.write(value, at + HEADER + keyBytes, 'utf8')
    this.link(at)
    this.head += length
    this.live += 1
  }

  delete(key: string, hash: number): void {
    const at = this.find(key, hash)
    if (at !== NOWHERE) this.drop(at)
  }

  /** Makes the next `length` bytes free. */
  private makeRoom(length: number): void {
    let spared = 0
    for (;;) {
      if (this.isWrapped) {
        if (this.tail - this.head >= length) return
        if (this.moveTail(spared < SPARED)) spared += 1
      } else {
        if (this.head + length <= this.bytes.length) return
        this.end = this.head
        this.head = 0
        this.isWrapped = true
      }
    }
  }

  /** Gives the place of the oldest entry free. @returns whether that was in use and went to the head instead */
  private moveTail(mayStay: boolean): boolean {
    const at = this.tail
    const rest = this.word(at, REST)
    const length = lengthOf(rest & KEY_MASK, this.word(at, VALUE_BYTES))
    const stays = mayStay && (rest & LIVE) !== 0 && (rest & USED) !== 0
    if (rest & LIVE) this.unlink(at)
    if (stays) {
      this.bytes.copyWithin(this.head, at, at + length)
      this.words[(this.head >>> 2) + REST] = rest & ~USED
      this.link(this.head)
      this.head += length
    } else if (rest & LIVE) this.live -= 1
    this.tail += length
    if (this.tail >= this.end) {
      this.tail = 0
      this.isWrapped = false
    }
    return stays
  }

  private drop(at: number): void {
    this.unlink(at)
    this.words[(at >>> 2) + REST] = this.word(at, REST) & ~LIVE
    this.live -= 1
  }

  private link(at: number): void {
    const chain = this.word(at, HASH) & (this.chains.length - 1)
    this.words[(at >>> 2) + NEXT] = this.chains[chain] ?? 0
    this.chains[chain] = linkTo(at)
  }

  private unlink(at: number): void {
    const hash = this.word(at, HASH)
    const next = this.word(at, NEXT)
    let before = this.first(hash)
    if (before === linkTo(at)) {
      this.chains[hash & (this.chains.length - 1)] = next
      return
    }
    while (before !== 0 && this.word(positionOf(before), NEXT) !== linkTo(at)) before = this.word(positionOf(before), NEXT)
    if (before !== 0) this.words[(positionOf(before) >>> 2) + NEXT] = next
  }

  private first(hash: number): number {
    return this.chains[hash & (this.chains.length - 1)] ?? 0
  }

  private word(at: number, place: number): number {
    return this.words[(at >>> 2) + place] ?? 0
  }

  private keyBytes(at: number): number {
    return this.word(at, REST) & KEY_MASK
  }

  private keyAt(at: number): string {
    return this.bytes.toString('utf8', at + HEADER, at + HEADER + this.keyBytes(at))
  }
}

/** Entries begin at eights of bytes, as the times in them do. */
const lengthOf = (keyBytes: number, valueBytes: number) => (HEADER + keyBytes + valueBytes + 7) & ~7
const linkTo = (at: number) => at / 8 + 1
const positionOf = (link: number) => (link - 1) * 8
