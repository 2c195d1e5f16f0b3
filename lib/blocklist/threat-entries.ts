import { Breath } from '@/lib/tools/breath'
import { linesOf } from '@/lib/tools/lines'
import { expressionsOf, hashOf } from './expressions'
import { hostOfLine } from './rules'

export const MOST_THREATS = 1_000_000
/** Bytes of a prefix that are kept, and the fewest that there can be. */
export const WHOLE = 8
export const SHORTEST = 4
/** Characters of a line that are looked at. */
const MAX_LINE = 2_100
/** Values that are sorted, merged or packed at a stretch. */
const RUN = 16_384
/** Values of one part. */
const PART = 65_536
/** Lines that are named when they cannot be read. */
const MOST_BAD = 20

/** Sorted prefixes of one length, in rising order. */
export interface PackedPart {
  bytes: number
  content: Buffer
}

export interface ReadThreats {
  parts: PackedPart[]
  entries: number
  short: number
  /** Numbers of lines that could not be read: the first of them, and how many. */
  bad: { lines: number[]; count: number }
}

/** Grows as it is filled, without an object for each. */
class Values {
  private values = new BigUint64Array(1_024)
  length = 0

  push(value: bigint): void {
    if (this.length === this.values.length) {
      const more = new BigUint64Array(this.length * 2)
      more.set(this.values)
      this.values = more
    }
    this.values[this.length++] = value
  }

  get filled(): BigUint64Array {
    return this.values.slice(0, this.length)
  }
}

/**
 * Reads a list of threats: hash prefixes in hexadecimal digits, hosts or the lines of a hosts file, and URLs, one a line. It does
 * so in short stretches.
 * @returns null for more than there may be
 */
export async function readThreats(text: string): Promise<ReadThreats | null> {
  const byLength = new Map<number, Values>()
  const bad: ReadThreats['bad'] = { lines: [], count: 0 }
  let [number, taken] = [0, 0]
  for await (const lines of linesOf(text, MAX_LINE)) {
    for (const line of lines) {
      number += 1
      const entry = entryOf(line)
      if (entry === null) continue
      if (entry === 'bad') {
        bad.count += 1
        if (bad.lines.length < MOST_BAD) bad.lines.push(number)
        continue
      }
      taken += 1
      if (taken > MOST_THREATS) return null
      const values = byLength.get(entry.bytes) ?? new Values()
      byLength.set(entry.bytes, values)
      values.push(entry.value)
    }
  }
  const parts: PackedPart[] = []
  let [entries, short] = [0, 0]
  for (const [bytes, values] of byLength) {
    const sorted = await sortedOnce(values.filled)
    entries += sorted.length
    if (bytes < WHOLE) short += sorted.length
    for (let begin = 0; begin < sorted.length; begin += PART) {
      const content = Buffer.from(sorted.slice(begin, begin + PART).buffer)
      parts.push({ bytes, content: content.swap64() })
    }
  }
  return { parts, entries, short, bad }
}

/** The values of a part. */
export const valuesOf = ({ content }: Pick<PackedPart, 'content'>): BigUint64Array =>
  new BigUint64Array(Uint8Array.from(Buffer.from(content).swap64()).buffer)

/** A prefix in 8 bytes, of which so many count; null for a line that says nothing. */
function entryOf(line: string): { value: bigint; bytes: number } | null | 'bad' {
  const said = line.trim()
  if (said === '' || said.startsWith('#')) return null
  if (/^[\da-f]+$/i.test(said)) {
    if (said.length % 2 !== 0 || said.length < SHORTEST * 2 || said.length > 64) return 'bad'
    const bytes = Math.min(said.length / 2, WHOLE)
    return { value: BigInt(`0x${said.slice(0, WHOLE * 2).padEnd(WHOLE * 2, '0')}`), bytes }
  }
  if (/^https?:\/\//i.test(said)) {
    const [exact] = expressionsOf(said)
    return exact === undefined ? 'bad' : { value: hashOf(exact), bytes: WHOLE }
  }
  const host = hostOfLine(said)
  return host === null || host === 'bad' ? host : { value: hashOf(`${host}/`), bytes: WHOLE }
}

/** In rising order, each once. Merge sort, from below, so that it can give way at any time. */
async function sortedOnce(values: BigUint64Array): Promise<BigUint64Array> {
  const breath = new Breath()
  for (let begin = 0; begin < values.length; begin += RUN) {
    values.subarray(begin, begin + RUN).sort()
    if (breath.isDue) await breath.pause()
  }
  let from: BigUint64Array = values
  let to: BigUint64Array = new BigUint64Array(values.length)
  for (let width = RUN; width < values.length; width *= 2) {
    for (let begin = 0; begin < values.length; begin += 2 * width) {
      const [middle, end] = [Math.min(begin + width, values.length), Math.min(begin + 2 * width, values.length)]
      let [left, right] = [begin, middle]
      for (let at = begin; at < end; at++) {
        const takesLeft = right >= end || (left < middle && (from[left] as bigint) <= (from[right] as bigint))
        to[at] = from[takesLeft ? left++ : right++] as bigint
        if (at % RUN === 0 && breath.isDue) await breath.pause()
      }
    }
    const merged = to
    to = from
    from = merged
  }
  let kept = 0
  for (let at = 0; at < from.length; at++) {
    if (at === 0 || from[at] !== from[kept - 1]) from[kept++] = from[at] as bigint
    if (at % RUN === 0 && breath.isDue) await breath.pause()
  }
  return from.slice(0, kept)
}
