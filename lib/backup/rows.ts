/** The beginning of a statement of a dump: its table and its columns. */
const HEAD = /INSERT INTO `\w+` \((`\w+`(?:, ?`\w+`)*)\) VALUES\s*/y
/** A value other than a text. */
const WORD = /NULL|0x[\dA-F]+|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy
/** What may stand before a text or bytes. */
const CHARSET = /_(?:binary|utf8mb4) ?/iy
const BLANKS = /\s*/y

const [QUOTE, BACKSLASH] = [0x27, 0x5c]

/**
 * Whether a statement is one INSERT of rows of values as `mariadb-dump` and `mysqldump` write them, and nothing else: no
 * expression, no other statement behind it, and a value for each column. Takes time proportional to its length.
 */
export function isInsertOfValues(sql: string): boolean {
  HEAD.lastIndex = 0
  const [, columns = ''] = HEAD.exec(sql) ?? []
  if (columns === '') return false
  const count = columns.split(',').length
  let at = HEAD.lastIndex
  for (;;) {
    if (sql[at] !== '(') return false
    let values = 0
    do {
      at = endOfValue(sql, at + 1)
      if (at < 0) return false
      values += 1
    } while (sql[at] === ',')
    if (sql[at] !== ')' || values !== count) return false
    at += 1
    if (sql[at] === ';') return at === sql.length - 1
    if (sql[at] !== ',') return false
    at = match(BLANKS, sql, at + 1)
  }
}

/** @returns the index behind the value at `at`, or -1 */
function endOfValue(sql: string, at: number): number {
  const start = Math.max(at, match(CHARSET, sql, at))
  return sql.charCodeAt(start) === QUOTE ? endOfText(sql, start + 1) : match(WORD, sql, start)
}

/** Of a text whose opening quote is passed; a quote in it is doubled or behind a backslash. @returns as endOfValue */
function endOfText(sql: string, start: number): number {
  for (let at = start; at < sql.length; at++) {
    const char = sql.charCodeAt(at)
    if (char === BACKSLASH) at += 1
    else if (char === QUOTE) {
      if (sql.charCodeAt(at + 1) !== QUOTE) return at + 1
      at += 1
    }
  }
  return -1
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}
