import { Breath } from './breath'

/** What is no CSV, or more than is read. Its message says what and in which line. */
export class CsvError extends Error {
  constructor(
    readonly fault: 'afterQuote' | 'longCell' | 'manyColumns' | 'openQuote' | 'quoteInside',
    readonly line: number,
    /** The limit that it is over, if that is the fault. */
    readonly most = 0,
  ) {
    super(`${fault} in line ${line}`)
  }
}

export interface CsvLimits {
  /** Cells of a line. */
  columns: number
  /** Characters of a cell. */
  cell: number
}

/** Characters between two looks at the time. */
const LOOK = 4_096

/**
 * Reads CSV (RFC 4180) line by line, in short stretches, and holds no more than one line. Spaces around cells are dropped, empty
 * lines are passed over, lines may be of any length up to the limits.
 * @throws CsvError
 */
export async function* readCsv(text: string, delimiter: string, limits: CsvLimits): AsyncGenerator<string[], void> {
  const breath = new Breath()
  const reader = new LineReader(text, delimiter, limits)
  while (!reader.isAtEnd) {
    // A line, or a piece of one.
    const cells = reader.read(LOOK)
    if (cells) yield cells
    if (breath.isDue) await breath.pause()
  }
}

type State = 'before' | 'bare' | 'quoted' | 'after'

/** Reads a line in pieces, as the states of a cell: before it, in it (bare or quoted), after its closing quote. */
class LineReader {
  private at: number
  private line = 1
  private state: State = 'before'
  private cells: string[] = []
  private cell = ''
  private wasQuoted = false

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
    private readonly limits: CsvLimits,
  ) {
    this.at = text.startsWith('\uFEFF') ? 1 : 0
  }

  get isAtEnd(): boolean {
    return this.at > this.text.length
  }

  /** @returns the cells of the line that ended within so many characters, or null */
  read(characters: number): string[] | null {
    const end = Math.min(this.at + characters, this.text.length + 1)
    while (this.at < end) {
      const cells = this.step(this.text[this.at++])
      if (cells) return cells
    }
    return null
  }

  /** @param character undefined at the end of the text */
  private step(character: string | undefined): string[] | null {
    if (this.state === 'quoted') return this.quoted(character)
    if (character === this.delimiter) return this.endCell()
    if (character === '\n' || character === '\r' || character === undefined) return this.endLine(character)
    if (this.state === 'before' && character === '"') {
      this.state = 'quoted'
      this.wasQuoted = true
    } else if (character === ' ' || character === '\t') {
      if (this.state === 'bare') this.add(character)
    } else if (this.state === 'after') {
      throw this.fault('afterQuote')
    } else if (character === '"') {
      throw this.fault('quoteInside')
    } else {
      this.state = 'bare'
      this.add(character)
    }
    return null
  }

  private quoted(character: string | undefined): null {
    if (character === undefined) throw this.fault('openQuote')
    if (character === '\n') this.line += 1
    if (character !== '"') this.add(character)
    else if (this.text[this.at] === '"') {
      this.at += 1
      this.add('"')
    } else this.state = 'after'
    return null
  }

  private add(character: string): void {
    if (this.cell.length >= this.limits.cell) {
      throw this.fault('longCell', this.limits.cell)
    }
    this.cell += character
  }

  private endCell(): null {
    if (this.cells.length >= this.limits.columns) {
      throw this.fault('manyColumns', this.limits.columns)
    }
    this.cells.push(this.wasQuoted ? this.cell : this.cell.trimEnd())
    this.cell = ''
    this.wasQuoted = false
    this.state = 'before'
    return null
  }

  private endLine(character: string | undefined): string[] | null {
    const isEmpty = this.cells.length === 0 && this.cell === '' && !this.wasQuoted
    this.endCell()
    const cells = this.cells
    this.cells = []
    // Of `\r\n` the first ends the line, and the second an empty one.
    if (character !== '\r' || this.text[this.at] !== '\n') this.line += 1
    return isEmpty ? null : cells
  }

  private fault(fault: CsvError['fault'], most?: number): CsvError {
    return new CsvError(fault, this.line, most)
  }
}
