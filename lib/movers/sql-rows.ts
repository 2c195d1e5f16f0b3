import { Breath } from '@/lib/tools/breath'
import { MOST_ROWS } from '@/lib/tools/csv'
import { SqlLexer, type Token } from './sql-lexer'
import { copiedValues, type SqlValue, sqlValue } from './sql-values'

/** `statement`: it is not what a dump has; `cells`: more or fewer values than columns; `text`: a value is too long. */
export type SqlFault = 'statement' | 'cells' | 'text'

/** A row of a table, or why there is none. */
export interface SqlRow {
  /** The line that it begins in, from 1. */
  line: number
  table: string
  /** By the names of its columns, in small letters. */
  values: Readonly<Record<string, SqlValue>>
  fault: SqlFault | null
}

export interface SqlOptions {
  /** Which tables are read, by name in small letters, without a schema; a name tells its columns where the dump does not. */
  tables: (name: string) => boolean
  /** The columns of a table whose CREATE TABLE is not in the dump, in their order. */
  columns?: (table: string) => readonly string[]
  /** Whether a backslash escapes in a dump that tells nothing about its dialect. */
  backslash: boolean
}

/**
 * Reads the rows of some tables from a dump of MySQL, PostgreSQL or SQLite as it comes, in short stretches: of INSERT, with one
 * row or many, and of COPY. Nothing of it is run. Statements that are anything else are passed over. Memory holds a row and a
 * piece.
 * @throws OpenQuoteError
 */
export async function* readSql(pieces: AsyncIterable<string>, options: SqlOptions): AsyncGenerator<SqlRow[], void> {
  const breath = new Breath()
  const lexer = new SqlLexer(options.backslash)
  const statements = new Statements(lexer, options)
  async function* rows() {
    let some: SqlRow[] = []
    for (let token = lexer.next(); token; token = lexer.next()) {
      const row = statements.take(token)
      if (row) some.push(row)
      if (some.length < MOST_ROWS && !breath.isDue) continue
      if (some.length > 0) yield some
      some = []
      if (breath.isDue) await breath.pause()
    }
    if (some.length > 0) yield some
  }
  for await (const piece of pieces) {
    lexer.push(piece)
    yield* rows()
  }
  lexer.end()
  yield* rows()
  const last = statements.end()
  if (last) yield [last]
}

type State =
  | 'start'
  | 'insert'
  | 'create'
  | 'copy'
  | 'into'
  | 'columns'
  | 'definitions'
  | 'values'
  | 'row'
  | 'behind copy'
  | 'skip'

/** What begins a definition in CREATE TABLE that is no column. */
const NO_COLUMN = new Set(
  'primary key unique constraint index fulltext spatial foreign check period exclude like partition'.split(' '),
)
/** Words that may stand before the name of a table. */
const NO_NAME = new Set(['if', 'not', 'exists', 'only'])
/** Tokens of one value: more is no value of a dump. */
const MOST_TOKENS = 100
/** Characters of a row's texts and names: more is no row of a link. */
const LONGEST_ROW = 1_000_000
/** Columns of a table: no database has more. */
const MOST_COLUMNS = 4_096
/** Tables whose columns are kept, of those that are wanted: a dump has a few of them. */
const MOST_TABLES = 100
/** Characters of a column's name: no database has more. */
const LONGEST_NAME = 128

class Statements {
  private state: State = 'start'
  private isCopy = false
  private isCreate = false
  /** `OVERRIDING SYSTEM VALUE` stands before `VALUES`. */
  private isOverriding = false
  private table = ''
  private isWanted = false
  private named: string[] = []
  private readonly columns = new Map<string, string[]>()
  private depth = 0
  private isFirst = true
  private value: Token[] = []
  private values: SqlValue[] = []
  private line = 0
  /** Characters of the row so far. */
  private size = 0
  private fault: SqlFault | null = null

  constructor(
    private readonly lexer: SqlLexer,
    private readonly options: SqlOptions,
  ) {}

  /** @returns a row that ended with this token */
  take(token: Token): SqlRow | null {
    if (token.kind === 'line') return this.copied(token)
    switch (this.state) {
      case 'row':
        return this.inRow(token)
      case 'values':
        return this.betweenRows(token)
      case 'start':
        return this.begin(token)
      case 'skip':
        if (isMark(token, ';')) this.state = 'start'
        return null
      default:
        return this.inHead(token)
    }
  }

  /** The text is over. */
  end(): SqlRow | null {
    return this.state === 'row' ? this.row('statement') : null
  }

  private begin(token: Token): null {
    const word = token.kind === 'word' ? token.text.toLowerCase() : ''
    if (isMark(token, ';')) return null
    this.isCopy = word === 'copy'
    this.isCreate = word === 'create'
    this.isOverriding = false
    this.table = ''
    this.named = []
    this.state = word === 'insert' || word === 'replace' ? 'insert' : this.isCreate ? 'create' : this.isCopy ? 'into' : 'skip'
    return null
  }

  private inHead(token: Token): SqlRow | null {
    const word = token.kind === 'word' ? token.text.toLowerCase() : ''
    if (isMark(token, ';')) {
      this.state = 'start'
      if (this.isCopy && this.table !== '') this.lexer.beginData()
      return null
    }
    if (this.state === 'insert') {
      if (word === 'into') this.state = 'into'
    } else if (this.state === 'create') {
      if (word === 'table') this.state = 'into'
      else if (token.kind !== 'word' || word === 'index' || word === 'trigger' || word === 'function') this.state = 'skip'
    } else if (this.state === 'into') this.inTable(token, word)
    else if (this.state === 'columns') {
      if (isMark(token, ')')) this.state = this.isCopy ? 'behind copy' : 'into'
      else if (token.kind !== 'mark') add(this.named, nameOf(token))
    } else if (this.state === 'definitions') this.inDefinitions(token, word)
    else if (this.state === 'behind copy' && word !== 'from' && word !== 'stdin' && word !== '') this.state = 'skip'
    return null
  }

  /** The name of a table, of which a schema may stand before, and what follows it. */
  private inTable(token: Token, word: string): void {
    if (isMark(token, '(')) {
      this.state = this.isCreate ? 'definitions' : 'columns'
      this.depth = 0
      this.isFirst = true
      if (this.isCreate && this.columns.size < MOST_TABLES && this.options.tables(this.table)) this.columns.set(this.table, [])
    } else if (isMark(token, '.')) return
    else if (this.table !== '' && (word === 'values' || (word === 'value' && !this.isOverriding))) {
      this.isWanted = this.options.tables(this.table)
      this.state = this.isWanted ? 'values' : 'skip'
    } else if (this.isCopy && word === 'from') this.state = 'behind copy'
    else if (word === 'overriding') this.isOverriding = true
    else if (word === 'select' || word === 'set' || word === 'as') this.state = 'skip'
    else if (token.kind !== 'mark' && !NO_NAME.has(word) && !this.isOverriding) {
      this.table = token.text.toLowerCase()
    }
    if (this.isCopy) this.isWanted = this.options.tables(this.table)
  }

  private inDefinitions(token: Token, word: string): void {
    if (isMark(token, '(')) this.depth += 1
    else if (isMark(token, ')')) {
      this.depth -= 1
      if (this.depth < 0) this.state = 'skip'
    } else if (this.depth === 0 && isMark(token, ',')) {
      this.isFirst = true
      return
    } else if (this.isFirst && token.kind !== 'mark' && !(token.kind === 'word' && NO_COLUMN.has(word))) {
      add(this.columns.get(this.table), nameOf(token))
    }
    this.isFirst = false
  }

  private betweenRows(token: Token): SqlRow | null {
    if (isMark(token, ';')) this.state = 'start'
    else if (isMark(token, '(')) {
      this.state = 'row'
      this.line = token.line
      this.depth = 0
      this.value = []
      this.values = []
      this.size = 0
      this.fault = null
    } else if (!isMark(token, ',')) {
      this.state = 'skip'
      // What a row may be followed by; anything else is no dump.
      if (token.kind === 'word' && ['on', 'as', 'returning'].includes(token.text.toLowerCase())) return null
      this.line = token.line
      this.values = []
      return this.made('statement')
    }
    return null
  }

  private inRow(token: Token): SqlRow | null {
    if (token.isCut) this.fault = 'text'
    if (this.depth === 0 && (isMark(token, ',') || isMark(token, ')'))) {
      add(this.values, sqlValue(this.value))
      this.value = []
      return isMark(token, ')') ? this.row(this.fault) : null
    }
    if (isMark(token, ';') && this.depth === 0) {
      this.state = 'start'
      return this.made('statement')
    }
    if (isMark(token, '(')) this.depth += 1
    else if (isMark(token, ')')) this.depth -= 1
    this.size += token.text.length
    if (this.size > LONGEST_ROW) this.fault ??= 'text'
    else if (this.value.length < MOST_TOKENS) this.value.push(token)
    else this.fault ??= 'statement'
    return null
  }

  private row(fault: SqlFault | null): SqlRow {
    this.state = 'values'
    return this.made(fault)
  }

  private copied({ text, line, isCut }: Token): SqlRow | null {
    if (text === '\\.' || !this.isWanted) return null
    this.line = line
    this.values = isCut ? [] : copiedValues(text)
    return this.made(isCut ? 'text' : null)
  }

  private made(fault: SqlFault | null): SqlRow {
    const { table, line, values } = this
    const known = this.columns.get(table) ?? []
    const names = this.named.length > 0 ? this.named : known.length > 0 ? known : (this.options.columns?.(table) ?? [])
    const found = fault ?? (names.length === values.length ? null : 'cells')
    if (found !== null) return { line, table, values: {}, fault: found }
    return { line, table, values: Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])), fault: null }
  }
}

/** Adds one, up to one more than there can be, which tells that there are too many. */
function add<Item>(list: Item[] | undefined, item: Item): void {
  if (list && list.length <= MOST_COLUMNS) list.push(item)
}

const nameOf = ({ text }: Token) => text.slice(0, LONGEST_NAME).toLowerCase()

const isMark = (token: Token, text: string) => token.kind === 'mark' && token.text === text
