import { Breath } from './breath'

export type CsvFault = 'afterQuote' | 'longCell' | 'longRow' | 'manyColumns' | 'openQuote' | 'quoteInside'

/** What is no CSV, or more than is read. Its message says what and in which line. */
export class CsvError extends Error {
  constructor(
    readonly fault: CsvFault,
    readonly line: number,
    /** The limit that it is over, if that is the fault. */
    readonly most = 0,
  ) {
    super(`${fault} in line ${line}`)
  }
}

export interface CsvLimits {
  /** Cells of a row. */
  columns: number
  /** Characters of a cell. */
  cell: number
  /** Characters of a row. */
  row: number
}

/** A row, or why there is none. */
export interface CsvRow {
  /** The line that it begins in, from 1. */
  line: number
  cells: string[]
  error: CsvError | null
}

/** Characters that may be read twice because of faults, by those that came: a file that is no CSV at all is not read for ever. */
const mostTwice = (read: number) => Math.min(32_000_000, 1_000_000 + 4 * read)

/**
 * Reads CSV (RFC 4180) as it comes, and holds no more than one row and one piece. Spaces around cells are dropped, empty lines
 * are passed over. A row that cannot be read has an error, and what follows is read from its next line: a quote that is never
 * closed costs one row.
 * @param pieces some 64 kB each: as long a stretch is worked on at once
 * @param delimiter found out unless given: the comma, semicolon or tab that the beginning has most of
 * @throws CsvError of a file with too many faults
 */
export async function* readCsv(
  pieces: Iterable<string> | AsyncIterable<string>,
  limits: CsvLimits,
  delimiter?: string,
): AsyncGenerator<CsvRow[], void> {
  const breath = new Breath()
  let reader: CsvReader | null = null
  for await (const piece of pieces) {
    reader ??= new CsvReader(delimiter ?? delimiterOf(piece), limits)
    reader.push(piece)
    yield* rowsOf(reader, breath)
  }
  reader?.end()
  if (reader) yield* rowsOf(reader, breath)
}

/** Rows that are handed over together: what is made of them may take longer than to read them. */
export const MOST_ROWS = 500

async function* rowsOf(reader: CsvReader, breath: Breath): AsyncGenerator<CsvRow[], void> {
  let rows: CsvRow[] = []
  for (let row = reader.read(); row; row = reader.read()) {
    rows.push(row)
    if (rows.length < MOST_ROWS && !breath.isDue) continue
    yield rows
    rows = []
    if (breath.isDue) await breath.pause()
  }
  if (rows.length > 0) yield rows
}

/** Characters of the first line that tell what the cells are separated by. */
const SAMPLE = 10_000

function delimiterOf(text: string): string {
  const [first = ''] = text.slice(0, SAMPLE).split('\n', 1)
  const count = (mark: string) => first.split(mark).length
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => count(b) - count(a))
  return delimiter
}

const [TAB, LF, CR, SPACE, QUOTE] = [9, 10, 13, 32, 34]

/**
 * A cell: before it, in it (bare or quoted), at a quote that may close it, behind that; or the rest of a line that is passed
 * over.
 */
type State = 'before' | 'bare' | 'quoted' | 'closing' | 'after' | 'passing'

class CsvReader {
  /** What is not read yet, from the beginning of the row under way. */
  private text = ''
  private start = 0
  private at = 0
  private line = 1
  private isFirst = true
  private isEnded = false
  private state: State = 'before'
  private cells: string[] = []
  /** What was read of a quoted cell, up to `from`. */
  private cell = ''
  private from = 0
  private begun = 1
  private wasReturn = false
  private twice = 0
  /** Characters that came. */
  private length = 0
  private readonly delimiter: number

  constructor(
    delimiter: string,
    private readonly limits: CsvLimits,
  ) {
    this.delimiter = delimiter.charCodeAt(0)
  }

  push(piece: string): void {
    this.length += piece.length
    this.text = this.text.slice(this.start) + (this.isFirst && piece.startsWith('\uFEFF') ? piece.slice(1) : piece)
    this.isFirst = false
    this.at -= this.start
    this.from -= this.start
    this.start = 0
  }

  end(): void {
    this.isEnded = true
  }

  /** @returns the next row; null where more text is needed */
  read(): CsvRow | null {
    for (;;) {
      while (this.at < this.text.length) {
        const row = this.step(this.text.charCodeAt(this.at))
        if (row) return row
      }
      if (!this.isEnded) return null
      if (this.state !== 'quoted') return this.endRow()
      // What follows the line of the quote is still to be read.
      return this.fault('openQuote')
    }
  }

  private step(character: number): CsvRow | null {
    const { state } = this
    if (state === 'quoted') return this.quoted(character)
    if (character === LF || character === CR) return this.endLine(character)
    if (state === 'passing') {
      this.start = ++this.at
      return null
    }
    if (this.at - this.start > this.limits.row) return this.fault('longRow', this.limits.row)
    if (character === this.delimiter) return this.endCell()
    const isSpace = character === SPACE || character === TAB
    if (state === 'bare') {
      if (character === QUOTE) return this.fault('quoteInside')
      if (this.at - this.from >= this.limits.cell) return this.fault('longCell', this.limits.cell)
    } else if (state === 'before') {
      if (!isSpace) {
        this.state = character === QUOTE ? 'quoted' : 'bare'
        this.from = character === QUOTE ? this.at + 1 : this.at
      }
    } else if (state === 'closing' && character === QUOTE) {
      // Of two quotes the second belongs to the cell.
      this.state = 'quoted'
      this.from = this.at
    } else if (isSpace) this.state = 'after'
    else return this.fault('afterQuote')
    this.at += 1
    return null
  }

  private quoted(character: number): CsvRow | null {
    if (this.cell.length + this.at - this.from > this.limits.cell) return this.fault('longCell', this.limits.cell)
    if (this.at - this.start > this.limits.row) return this.fault('longRow', this.limits.row)
    if (character === LF) this.line += 1
    else if (character === QUOTE) {
      this.cell += this.text.slice(this.from, this.at)
      this.state = 'closing'
    }
    this.at += 1
    return null
  }

  private endCell(): CsvRow | null {
    if (this.cells.length >= this.limits.columns) return this.fault('manyColumns', this.limits.columns)
    this.takeCell()
    this.at += 1
    return null
  }

  private takeCell(): void {
    this.cells.push(this.state === 'bare' ? this.text.slice(this.from, this.at).trimEnd() : this.cell)
    this.cell = ''
    this.state = 'before'
  }

  /** The end of a line, or of the text, outside of quotes. */
  private endRow(): CsvRow | null {
    const { begun: line, state } = this
    const isEmpty = state === 'passing' || (this.cells.length === 0 && state === 'before')
    if (!isEmpty && this.cells.length >= this.limits.columns) return this.fault('manyColumns', this.limits.columns)
    if (!isEmpty) this.takeCell()
    const { cells } = this
    this.cells = []
    this.state = 'before'
    return isEmpty ? null : { line, cells, error: null }
  }

  private endLine(character: number): CsvRow | null {
    // Of `\r\n` the first ends the line.
    const isSecond = character === LF && this.wasReturn && this.at === this.start
    const row = isSecond ? null : this.endRow()
    if (row?.error) return row
    if (!isSecond) this.line += 1
    this.wasReturn = character === CR
    this.start = ++this.at
    this.begun = this.line
    return row
  }

  /** The row cannot be read: what follows its first line is read next. */
  private fault(fault: CsvFault, most?: number): CsvRow {
    const error = new CsvError(fault, this.begun, most)
    const next = this.text.slice(this.start, this.at).search(/[\r\n]/)
    if (next !== -1) {
      this.twice += this.at - this.start - next
      if (this.twice > mostTwice(this.length)) throw error
      this.at = this.start + next
      this.line = this.begun
    }
    this.start = this.at
    this.wasReturn = false
    this.cells = []
    this.cell = ''
    this.state = 'passing'
    return { line: this.begun, cells: [], error }
  }
}
