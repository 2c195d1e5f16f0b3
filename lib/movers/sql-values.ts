import type { Token } from './sql-lexer'

/** What a value of an INSERT is: null for NULL, and for what is computed in a way that dumps do not. */
export type SqlValue = string | null

const isMark = (token: Token | undefined, text: string) => token?.kind === 'mark' && token.text === text

/** The value that tokens stand for: a text, a number, and what the programs of MySQL, PostgreSQL and SQLite write in dumps. */
export function sqlValue(tokens: readonly Token[]): SqlValue {
  return new Expression(tokens).read()
}

/**
 * Functions that `sqlite3 .dump` writes around texts with line breaks: `replace('a\n', '\n', char(10))`, `unistr('a\u000a')`.
 * None makes more than it is given, however they are nested: a few kilobytes could otherwise become gigabytes.
 */
const FUNCTIONS: Readonly<Record<string, (given: readonly SqlValue[]) => SqlValue>> = {
  replace: ([text = null, from = null, to = null]) => {
    if (text === null || from === null || to === null || from === '') return text
    return to.length > from.length ? null : text.replaceAll(from, () => to)
  },
  char: (codes) => codes.map((code) => character(Number(code))).join(''),
  unistr: ([text = null]) =>
    text?.replace(/\\(?:u([\da-f]{4})|\+([\da-f]{6})|([\da-f]{4})|(\\))/gi, (_, four, six, bare, slash) =>
      slash ? slash : character(Number.parseInt(four ?? six ?? bare, 16)),
    ) ?? null,
}

/** As SQLite does, the replacement character for a number that none has. */
const character = (code: number): string =>
  Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'

class Expression {
  private at = 0

  constructor(private readonly tokens: readonly Token[]) {}

  /** One value, and those that `||` puts behind it. What else stands there, as the `::text` of PostgreSQL, adds nothing. */
  read(): SqlValue {
    let value = this.one()
    while (isMark(this.tokens[this.at], '|') && isMark(this.tokens[this.at + 1], '|')) {
      this.at += 2
      const more = this.one()
      value = value === null || more === null ? null : value + more
    }
    while (this.at < this.tokens.length && !isMark(this.tokens[this.at], ',') && !isMark(this.tokens[this.at], ')')) this.at += 1
    return value
  }

  private one(): SqlValue {
    const token = this.tokens[this.at]
    if (!token) return null
    this.at += 1
    if (token.kind !== 'word') return token.kind === 'mark' ? null : token.text
    const next = this.tokens[this.at]
    const word = token.text.toLowerCase()
    if (isMark(next, '(')) return this.call(word)
    if (next?.kind === 'text') {
      this.at += 1
      // Other words before a text name its character set.
      return word === 'x' ? ofHex(next.text) : next.text
    }
    if (word === 'null' || word === 'default') return null
    return /^0x[\da-f]+$/.test(word) ? ofHex(word.slice(2)) : token.text
  }

  private call(name: string): SqlValue {
    const given: SqlValue[] = []
    this.at += 1
    while (this.at < this.tokens.length && !isMark(this.tokens[this.at], ')')) {
      given.push(this.read())
      if (isMark(this.tokens[this.at], ',')) this.at += 1
    }
    this.at += 1
    // Of a conversion what it converts.
    return Object.hasOwn(FUNCTIONS, name) ? (FUNCTIONS[name]?.(given) ?? null) : (given[0] ?? null)
  }
}

const ofHex = (text: string) => Buffer.from(text, 'hex').toString('utf8')

/** What COPY writes for characters that a line of it cannot have (PostgreSQL's manual, COPY, “Text Format”). */
const COPY_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** The values of a line of COPY. */
export const copiedValues = (line: string): SqlValue[] =>
  line.split('\t').map((cell) => {
    if (cell === '\\N') return null
    if (!cell.includes('\\')) return cell
    return cell.replace(/\\(?:x([\da-f]{1,2})|([0-7]{1,3})|([\s\S]))/gi, (_, hex, octal, letter) => {
      if (letter !== undefined) return COPY_ESCAPES[letter] ?? letter
      return String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8))
    })
  })
