/** What makes a cell a formula, also as East Asian spreadsheets take it, and what programs pass over before it. */
const FORMULA = '[\\s\\p{Cc}\\p{Cf}"]*[=+\\-@＝＋－＠]'
const AT_BEGINNING = new RegExp(`^(?=${FORMULA})`, 'u')
/**
 * Where a cell may begin for a program that reads with a separator other than the comma: it then does not mind quotes
 * inside of what it takes for a cell, nor the line breaks within them.
 */
const AFTER_SEPARATOR = new RegExp(`[,;|\\t\\r\\n\\u0085\\u2028\\u2029](?=${FORMULA})`, 'gu')

/**
 * Lines of CSV (RFC 4180), the only way in which one is written here: texts are quoted, and an apostrophe stands before what
 * a spreadsheet would run, since strangers send most of these texts.
 */
export function csvLines(records: readonly (readonly (string | number)[])[]): string {
  return records.map((record) => `${record.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number): string | number {
  if (typeof value === 'number') return value
  const defused = value.replace(AT_BEGINNING, "'").replace(AFTER_SEPARATOR, "$&'")
  return `"${defused.replaceAll('"', '""')}"`
}
