/**
 * How a block of links is written down: for each gram the links that hold it, in parts of a few kB, so that a search reads one
 * part of a block for each of its grams. Links are numbered by their place in the block, in order of id.
 */

/** Parts with grams. The lowest bits of a gram tell its part. */
const GRAM_PARTS = 1_024
const PART_BITS = 10
/** Ids in one of the parts behind them. */
const IDS_PER_PART = 256
/** A block holds fewer links: a place stands beside a gram in one number. */
export const PLACES = 2 ** 16

export const partOfGram = (gram: number) => gram & (GRAM_PARTS - 1)
export const partOfPlace = (place: number) => GRAM_PARTS + Math.floor(place / IDS_PER_PART)

/** Gathers the grams of links, and writes the parts. */
export class PartsWriter {
  private readonly pairs: number[][] = Array.from({ length: GRAM_PARTS }, () => [])

  /** @param place below `PLACES` */
  add(gram: number, place: number): void {
    this.pairs[partOfGram(gram)]?.push((gram >>> PART_BITS) * PLACES + place)
  }

  /** The parts, in order. Each takes a moment: what comes between two of them may wait for something else. */
  *write(ids: readonly bigint[]): Generator<{ part: number; content: Buffer }> {
    for (const [part, pairs] of this.pairs.entries()) {
      yield { part, content: gramPart(new Float64Array(pairs).sort()) }
      this.pairs[part] = []
    }
    for (let first = 0; first < ids.length; first += IDS_PER_PART) {
      const some = ids.slice(first, first + IDS_PER_PART)
      const content = Buffer.alloc(some.length * 8)
      some.forEach((id, i) => {
        content.writeBigInt64BE(id, i * 8)
      })
      yield { part: partOfPlace(first), content }
    }
  }
}

/** What one place takes of a part at most: a gram, the length of what follows, and a distance. */
const MOST_OF_PLACE = 9

/**
 * Gram after gram: 3 bytes of it, the length of what follows, and the places that hold it, each as the distance from the one
 * before.
 */
function gramPart(pairs: Float64Array): Buffer {
  const part = Buffer.allocUnsafe(pairs.length * MOST_OF_PLACE)
  const places = Buffer.allocUnsafe(pairs.length * MOST_OF_PLACE)
  let end = 0
  for (let i = 0; i < pairs.length; ) {
    const gram = Math.floor((pairs[i] ?? 0) / PLACES)
    let length = 0
    let last = -1
    for (; i < pairs.length; i++) {
      const place = (pairs[i] ?? 0) - gram * PLACES
      if (place >= PLACES) break
      if (place !== last) length = writeNumber(places, length, place - last)
      last = place
    }
    part.writeUIntBE(gram, end, 3)
    end = writeNumber(part, end + 3, length)
    end += places.copy(part, end, 0, length)
  }
  return Buffer.from(part.subarray(0, end))
}

/** The places that hold a gram, in order. */
export function placesOf(part: Buffer, gram: number): number[] {
  const wanted = gram >>> PART_BITS
  const at = { byte: 0 }
  while (at.byte < part.length) {
    const found = part.readUIntBE(at.byte, 3)
    at.byte += 3
    const end = readNumber(part, at) + at.byte
    if (found === wanted) return readPlaces(part, at, end)
    at.byte = end
  }
  return []
}

function readPlaces(part: Buffer, at: { byte: number }, end: number): number[] {
  const places: number[] = []
  for (let last = -1; at.byte < end; ) {
    last += readNumber(part, at)
    places.push(last)
  }
  return places
}

/** The id at a place, of the part that `partOfPlace` names. */
export const idAt = (part: Buffer, place: number): bigint => part.readBigInt64BE((place % IDS_PER_PART) * 8)

/** Seven bits a byte, the lowest first; the eighth says that there are more (LEB128). @returns where it ends */
function writeNumber(bytes: Buffer, at: number, value: number): number {
  let [end, rest] = [at, value]
  for (; rest >= 0x80; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80
  bytes[end++] = rest
  return end
}

function readNumber(bytes: Buffer, at: { byte: number }): number {
  for (let [value, shift] = [0, 0]; ; shift += 7) {
    const byte = bytes[at.byte++] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
}
