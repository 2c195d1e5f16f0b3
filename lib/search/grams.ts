/**
 * Grams: the runs of characters by which links are found. Every run of three is one. Scripts whose words are short (Chinese,
 * Japanese, Korean) and emoji have runs of one and two as well.
 */

/** Where those scripts begin: Hangul's letters are the first of them, and what comes before is written in letters. */
const WIDE = 0x1100
const NEWLINE = 10

/** Tells `add` the 32-bit hash of each gram of a folded text, some more than once. Lines have no gram in common. */
export function eachGram(text: string, add: (gram: number) => void): void {
  let [first, second] = [NEWLINE, NEWLINE]
  for (let i = 0; i < text.length; i++) {
    const third = text.codePointAt(i) ?? NEWLINE
    if (third > 0xffff) i++
    if (third !== NEWLINE) {
      if (third >= WIDE) add(hash(0, 0, third))
      if (second !== NEWLINE) {
        if (second >= WIDE || third >= WIDE) add(hash(0, second, third))
        if (first !== NEWLINE) add(hash(first, second, third))
      }
    }
    first = second
    second = third
  }
}

/** The grams of several terms, each once; none for terms too short to have one. */
export function gramsOf(terms: readonly string[]): number[] {
  const grams = new Set<number>()
  for (const term of terms) eachGram(term, (gram) => grams.add(gram))
  return [...grams]
}

/** What stands for an owner among the grams of a link; null: nobody. */
export function ownerGram(ownerId: string | null): number {
  let result = hash(1, 0, ownerId === null ? 1 : 0)
  for (let i = 0; ownerId !== null && i < ownerId.length; i++) result = hash(1, result, ownerId.charCodeAt(i))
  return result
}

/** MurmurHash3's body and end for three blocks (Appleby, 2008). Two grams with the same hash only cost a look at the links. */
function hash(a: number, b: number, c: number): number {
  let h = mix(mix(mix(0, a), b), c) ^ 12
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function mix(h: number, block: number): number {
  let k = Math.imul(block, 0xcc9e2d51)
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593)
  const mixed = h ^ k
  return Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64
}
