/**
 * Words as MySQL's full-text index sees them: runs of letters, digits and underscores, without regard to case and
 * accents.
 */

/** At most so many words of a search are looked for. */
const MAX_WORDS = 8
/** Shorter words are not in the index (innodb_ft_min_token_size). */
const SHORTEST = 3
/** Longer ones neither (innodb_ft_max_token_size). */
const LONGEST = 84

/** InnoDB's own list of words that it leaves out of the index. */
const STOP_WORDS =
  'a about an are as at be by com de en for from how i in is it la of on or that the this to was what when where who will with und the www'.split(
    ' ',
  )

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
}

/** The words that are searched for. */
export function searchedWords(query: string): string[] {
  return [...new Set(wordsOf(query))].slice(0, MAX_WORDS)
}

/** Whether each of the searched words begins a word of the text. */
export function matchesWords(text: string, searched: readonly string[]): boolean {
  const words = wordsOf(text)
  return searched.every((word) => words.some((candidate) => candidate.startsWith(word)))
}

/**
 * Whether the full-text index can tell all texts with a word beginning so: it knows no short words and no stop words, and so
 * not all words that begin with what begins one.
 */
export function isIndexed(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST && !STOP_WORDS.some((stop) => stop.startsWith(word))
}

/** What to ask the full-text index for, in boolean mode, or null when it cannot tell. */
export function booleanQuery(searched: readonly string[]): string | null {
  return searched.every(isIndexed) && searched.length > 0 ? searched.map((word) => `+${word}*`).join(' ') : null
}

/** A pattern for LIKE that every text with a word beginning so fits. */
export function likePattern(word: string): string {
  return `%${escapeLike(word)}%`
}

/** A text as LIKE takes it literally; Prisma's `contains` does not see to that. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
