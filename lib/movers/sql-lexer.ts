/** A part of SQL: a word or number, a text in quotes, a quoted name, a mark, or a line of the data of COPY. */
export interface Token {
  kind: 'word' | 'text' | 'name' | 'mark' | 'line'
  text: string
  /** The line that it begins in, from 1. */
  line: number
  /** It had more characters than are kept. */
  isCut?: true
}

/** Characters of a text that are kept. */
const MOST = 100_000
/** Characters in which a text has to end: in any more, nobody closed its quote. A line of data is cut there. */
const LONGEST = 4_000_000

/** A quote is never closed. */
export class OpenQuoteError extends Error {
  constructor(readonly line: number) {
    super(`a quote is open from line ${line}`)
  }
}

const [TAB, LF, SPACE] = [9, 10, 32]
const [DOUBLE_QUOTE, HASH, DOLLAR, QUOTE, STAR, MINUS, SLASH, BACKSLASH, BACKTICK] = [34, 35, 36, 39, 42, 45, 47, 92, 96]

const isSpace = (code: number) => code === SPACE || (code >= TAB && code <= 13) || code === 0xfeff
const isDigit = (code: number) => code >= 48 && code <= 57
const isWord = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 95 || code === DOLLAR || code > 127

/** What is under way where the text ended. */
type Under = 'none' | 'line comment' | 'comment' | 'dollar' | 'rest of line'

/** What MySQL makes of a backslash and a letter (its manual, “String Literals”); any other letter stands for itself. */
const MYSQL_ESCAPES: Readonly<Record<string, string>> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' }

/**
 * Takes SQL apart as it comes, in the dialects of MySQL, PostgreSQL and SQLite, and holds no more than one token and one piece.
 * Whether a backslash escapes is told by the first thing that only one dialect writes: a name in backticks, or the header that
 * its dump program writes.
 */
export class SqlLexer {
  /** Lines are given as they are: the data of COPY. */
  isInData = false
  private text = ''
  private at = 0
  private line = 1
  private isEnded = false
  private under: Under = 'none'
  private tag = ''
  private dialect: 'mysql' | 'standard' | null = null
  /** The next text is one of PostgreSQL's with escapes: E'…'. */
  private isEscaped = false

  /** @param backslash whether it escapes until more is known */
  constructor(private readonly backslash: boolean) {}

  push(piece: string): void {
    this.text = this.text.slice(this.at) + piece
    this.at = 0
  }

  end(): void {
    this.isEnded = true
  }

  /** @returns the next token; null where more text is needed, or there is none. @throws OpenQuoteError */
  next(): Token | null {
    for (;;) {
      if (this.under !== 'none' && !this.pass()) return null
      if (this.isInData) return this.dataLine()
      while (this.at < this.text.length && isSpace(this.text.charCodeAt(this.at))) {
        if (this.text.charCodeAt(this.at) === LF) this.line += 1
        this.at += 1
      }
      // Two characters tell a comment.
      if (this.at >= this.text.length || (this.at + 1 >= this.text.length && !this.isEnded)) return null
      const begun = this.comment()
      if (begun) continue
      return this.token()
    }
  }

  /** The data of COPY follows: what is left of this line is passed over. */
  beginData(): void {
    this.under = 'rest of line'
    this.isInData = true
  }

  private comment(): boolean {
    const [first, second] = [this.text.charCodeAt(this.at), this.text.charCodeAt(this.at + 1)]
    if ((first === MINUS && second === MINUS) || (first === HASH && this.dialect !== 'standard')) this.under = 'line comment'
    else if (first === SLASH && second === STAR) this.under = 'comment'
    else if (first === DOLLAR && this.dialect !== 'mysql') {
      const [tag] = /^\$\w{0,60}\$/.exec(this.text.slice(this.at, this.at + 62)) ?? []
      if (tag === undefined) return false
      this.tag = tag
      this.under = 'dollar'
      this.at += tag.length
    } else return false
    if (this.under === 'comment') this.at += 2
    return true
  }

  /** Passes over what is under way. @returns whether it ended */
  private pass(): boolean {
    const isLine = this.under === 'line comment' || this.under === 'rest of line'
    const end = isLine ? '\n' : this.under === 'comment' ? '*/' : this.tag
    const found = this.text.indexOf(end, this.at)
    const stop = found === -1 ? (this.isEnded ? this.text.length : Math.max(this.at, this.text.length - end.length + 1)) : found
    const passed = this.text.slice(this.at, stop)
    if (this.under === 'line comment') {
      // A header may be cut in two by pieces of text: then the names tell.
      if (/MySQL dump|MariaDB dump|phpMyAdmin|Adminer .* MySQL/.test(passed)) this.dialect ??= 'mysql'
      if (/PostgreSQL/.test(passed)) this.dialect ??= 'standard'
    }
    this.count(passed)
    if (found === -1 && !this.isEnded) {
      // A line is kept until it is whole, for what it tells.
      if (!isLine || passed.length > 10_000) this.at = stop
      else this.line -= lines(passed)
      return false
    }
    this.at = stop + (found === -1 ? 0 : end.length)
    if (isLine && found !== -1) this.line += 1
    this.under = 'none'
    return true
  }

  private token(): Token | null {
    const code = this.text.charCodeAt(this.at)
    if (code === QUOTE) return this.quoted('text', "'", this.isEscaped || this.escapes)
    if (code === BACKTICK) {
      this.dialect ??= 'mysql'
      return this.quoted('name', '`', false)
    }
    if (code === DOUBLE_QUOTE) return this.quoted('name', '"', this.escapes)
    const isNumber = isDigit(code) || (code === MINUS && isDigit(this.text.charCodeAt(this.at + 1)))
    if (isNumber || isWord(code)) return this.word(isNumber)
    this.at += 1
    return { kind: 'mark', text: this.text.charAt(this.at - 1), line: this.line }
  }

  private get escapes(): boolean {
    return this.dialect === null ? this.backslash : this.dialect === 'mysql'
  }

  private word(isNumber: boolean): Token | null {
    let end = this.at + 1
    while (end < this.text.length && (isWord(this.text.charCodeAt(end)) || (isNumber && this.text[end] === '.'))) end += 1
    if (end === this.text.length && !this.isEnded && end - this.at < MOST) return null
    const text = this.text.slice(this.at, end)
    this.at = end
    if (text === 'PRAGMA') this.dialect ??= 'standard'
    this.isEscaped = (text === 'E' || text === 'e') && this.text.charCodeAt(end) === QUOTE
    return { kind: 'word', text, line: this.line }
  }

  /** What stands in quotes. Of two quotes in it, one is meant. */
  private quoted(kind: 'text' | 'name', quote: string, escapes: boolean): Token | null {
    const [text, code] = [this.text, quote.charCodeAt(0)]
    let end = this.at + 1
    for (; end < text.length; end++) {
      const character = text.charCodeAt(end)
      if (escapes && character === BACKSLASH) end += 1
      else if (character === code) {
        if (text.charCodeAt(end + 1) !== code) break
        end += 1
      }
    }
    // What follows a quote at the end may be its second.
    const isWhole = end < text.length && (end + 1 < text.length || this.isEnded)
    if (!isWhole) {
      if (this.isEnded || text.length - this.at > LONGEST) throw new OpenQuoteError(this.line)
      return null
    }
    const inside = text.slice(this.at + 1, end)
    const line = this.line
    this.line += lines(inside)
    this.at = end + 1
    const isCut = inside.length > MOST
    return { kind, text: isCut ? inside.slice(0, MOST) : plain(inside, quote, escapes), line, ...(isCut && { isCut: true }) }
  }

  private dataLine(): Token | null {
    const found = this.text.indexOf('\n', this.at)
    if (found === -1 && this.text.length - this.at > LONGEST) return this.longLine()
    if (found === -1 && (!this.isEnded || this.at >= this.text.length)) return null
    const end = found === -1 ? this.text.length : found
    const text = this.text.slice(this.at, end).replace(/\r$/, '')
    this.at = end + 1
    this.line += 1
    if (text === '\\.') this.isInData = false
    return { kind: 'line', text, line: this.line - 1 }
  }

  /** Of a line that is too long nothing is kept. */
  private longLine(): Token {
    this.at = this.text.length
    this.under = 'rest of line'
    return { kind: 'line', text: '', line: this.line, isCut: true }
  }

  private count(text: string): void {
    this.line += lines(text)
  }
}

function lines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function plain(inside: string, quote: string, escapes: boolean): string {
  if (!escapes) return inside.includes(quote) ? inside.replaceAll(quote + quote, quote) : inside
  if (!inside.includes('\\') && !inside.includes(quote)) return inside
  return inside.replace(/\\([\s\S])|(['"`])\2/g, (whole, escaped: string | undefined, double: string | undefined) => {
    if (escaped !== undefined) return MYSQL_ESCAPES[escaped] ?? escaped
    return double === quote ? quote : whole
  })
}
