/** What makes a cell a formula, also as East Asian spreadsheets take it. */
const FORMULA = new Set('=+-@＝＋－＠')
const HAS_FORMULA = /[=+\-@＝＋－＠]/
/** What programs pass over before it. */
const PASSED_OVER = /[\s\p{Cc}\p{Cf}"]/u
/**
 * Where a cell may begin for a program that reads with a separator other than the comma: it then does not mind quotes
 * inside of what it takes for a cell, nor the line breaks within them.
 */
const SEPARATORS = new Set(',;|\t\r\n\u0085\u2028\u2029')

/**
 * Goes through a text from its end, and changes each place where a cell may begin.
 * @param change is told the character there, and whether a formula follows on apostrophes; says what stands in its place
 */
function atBeginnings(text: string, change: (character: string, isFormula: boolean) => string): string {
  if (!HAS_FORMULA.test(text)) return text
  const characters = Array.from(text)
  /** Whether what follows is a formula, and whether it is one behind any number of apostrophes. */
  let [follows, followsQuoted] = [false, false]
  for (let at = characters.length - 1; at >= 0; at--) {
    const character = characters[at] ?? ''
    const isBeginning = at === 0 || SEPARATORS.has(characters[at - 1] ?? '')
    const isFormula = FORMULA.has(character) || (follows && PASSED_OVER.test(character))
    const isQuoted = isFormula || (character === "'" && followsQuoted)
    if (isBeginning && isQuoted) characters[at] = change(character, !isFormula && followsQuoted)
    // One that was taken away was never there.
    if (characters[at] !== '') [follows, followsQuoted] = [isFormula, isQuoted]
  }
  return characters.join('')
}

/**
 * A text with an apostrophe before whatever a spreadsheet would run, and before such an apostrophe, so that `armed` gives it
 * back.
 */
export const defused = (text: string): string => atBeginnings(text, (character) => `'${character}`)

/** What `defused` was given. */
export const armed = (text: string): string =>
  atBeginnings(text, (character, isQuoted) => (isQuoted && character === "'" ? '' : character))

/**
 * Lines of CSV (RFC 4180), the only way in which one is written here: texts are quoted, and an apostrophe stands before what
 * a spreadsheet would run, since strangers send most of these texts.
 */
export const csvLines = (records: readonly CsvRecord[]): string => records.map(csvLine).join('')

export type CsvRecord = readonly (string | number)[]

/** One of these lines. */
export const csvLine = (record: CsvRecord): string => `${record.map(cellOf).join(',')}\r\n`

function cellOf(value: string | number): string | number {
  return typeof value === 'number' ? value : `"${defused(value).replaceAll('"', '""')}"`
}
