import { Breath } from './breath'
import { MOST_ROWS } from './csv'
import { levelsOf, MOST_LEVELS } from './json-levels'

export type JsonFault = 'broken' | 'deepRow' | 'longRow' | 'manyValues' | 'noObject'

/** What is no list of objects in JSON. */
export class JsonError extends Error {
  constructor(
    readonly fault: JsonFault,
    readonly line: number,
    readonly most = 0,
  ) {
    super(`${fault} in line ${line}`)
  }
}

/** An object, or why there is none. */
export interface JsonRow {
  /** The line that it begins in, from 1. */
  line: number
  value: Record<string, unknown>
  error: JsonError | null
}

/** Characters of an object. */
const MOST = 1_000_000
/** Values of an object, those in its lists and objects included: more take long to read, however short they are. */
const MOST_VALUES = 20_000

/**
 * Reads objects as they come, and holds no more than one of them: an array, an object that has an array of them by a name, or
 * one object a line (JSON lines), where a line that is broken costs one row.
 * @throws JsonError for an array that is broken or cut off
 */
export async function* readJson(pieces: AsyncIterable<string>, name: string): AsyncGenerator<JsonRow[], void> {
  const breath = new Breath()
  const reader = new JsonReader(name)
  for await (const piece of pieces) {
    reader.push(piece)
    let rows: JsonRow[] = []
    for (let row = reader.read(); row; row = reader.read()) {
      rows.push(row)
      if (rows.length < MOST_ROWS && !breath.isDue) continue
      yield rows
      rows = []
      if (breath.isDue) await breath.pause()
    }
    if (rows.length > 0) yield rows
  }
  const last = reader.end()
  if (last) yield [last]
}

const [LF, QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, COMMA] = [10, 34, 92, 91, 93, 123, 125, 44]
const isSpace = (character: number) => character === 32 || character === 9 || character === 10 || character === 13

class JsonReader {
  private text = ''
  private at = 0
  private line = 1
  private isFirst = true
  /** Between rows; in one; in the rest of a broken line; or behind the list. */
  private state: 'between' | 'in' | 'passing' | 'over' = 'between'
  private isInList = false
  /** Whether rows came that were not of a list. */
  private isLines = false
  private start = 0
  private begun = 1
  private depth = 0
  private isInText = false
  private wasBreak = false
  private textFrom = 0
  /** The last text of the outermost object, which may be the name of the list. */
  private lastText = ''
  /** What is left of an object that is too long to be a row: it may still have the list. */
  private isTooLong = false
  /** Commas of the object so far. */
  private commas = 0

  constructor(private readonly name: string) {}

  push(piece: string): void {
    const kept = this.state === 'in' ? this.start : this.at
    this.text = this.text.slice(kept) + (this.isFirst && piece.startsWith('\uFEFF') ? piece.slice(1) : piece)
    this.isFirst = false
    this.at -= kept
    this.textFrom -= kept
    this.start = 0
  }

  /** @returns the next row; null where more text is needed */
  read(): JsonRow | null {
    while (this.at < this.text.length) {
      const character = this.text.charCodeAt(this.at)
      const row = this.state === 'in' ? this.inside(character) : this.outside(character)
      if (row) return row
    }
    return null
  }

  /** The text is over. @returns a last line that was cut off */
  end(): JsonRow | null {
    if (this.state === 'over' || (this.state !== 'in' && !this.isInList)) return null
    const error = new JsonError('broken', this.begun)
    if (this.isInList || !this.isLines) throw error
    return { line: this.begun, value: {}, error }
  }

  private outside(character: number): JsonRow | null {
    this.at += 1
    if (character === LF) {
      this.line += 1
      if (this.state === 'passing') this.state = 'between'
    }
    if (this.state !== 'between' || isSpace(character)) return null
    if (character === OPEN) {
      this.state = 'in'
      this.start = this.at - 1
      this.begun = this.line
      this.depth = 1
      this.commas = 0
    } else if (this.isInList && character === CLOSE_LIST) {
      this.state = 'over'
      this.isInList = false
    } else if (character === OPEN_LIST && !this.isInList && !this.isLines) this.isInList = true
    else if (character !== COMMA) return this.broken(this.isInList ? 'noObject' : 'broken', this.line)
    return null
  }

  private inside(character: number): JsonRow | null {
    const isOutermost = this.depth === 1 && !this.isInList
    // Of objects line by line one begins here: the one before it has no end.
    if (this.wasBreak && this.isLines && !this.isInText && character === OPEN) return this.cutOff()
    this.wasBreak = character === LF
    const fault = this.at - this.start > MOST ? 'longRow' : this.commas >= MOST_VALUES ? 'manyValues' : null
    if (!this.isTooLong && fault) {
      if (this.isInList || this.isLines) return this.broken(fault, this.begun)
      this.isTooLong = true
    }
    this.at += 1
    if (this.isTooLong) this.start = this.isInText && this.at - this.textFrom < MOST ? this.textFrom : this.at
    if (character === LF) {
      this.line += 1
      // A line break in a text is no JSON: its quote was never closed.
      if (this.isInText) return this.broken('broken', this.begun)
    } else if (this.isInText) {
      if (character === BACKSLASH) this.at += 1
      else if (character === QUOTE) {
        this.isInText = false
        if (isOutermost) this.lastText = this.text.slice(this.textFrom, this.at - 1)
      }
    } else if (character === QUOTE) {
      this.isInText = true
      this.textFrom = this.at
    } else if (character === OPEN_LIST && isOutermost && !this.isLines && this.lastText === this.name) {
      this.state = 'between'
      this.isInList = true
      this.isTooLong = false
    } else if (character === OPEN || character === OPEN_LIST) this.depth += 1
    else if (character === CLOSE || character === CLOSE_LIST) this.depth -= 1
    else if (character === COMMA) {
      this.commas += 1
      if (isOutermost) this.lastText = ''
    }
    return this.state === 'in' && this.depth === 0 ? this.endRow() : null
  }

  private cutOff(): JsonRow {
    const error = new JsonError('broken', this.begun)
    this.state = 'between'
    this.wasBreak = false
    return { line: error.line, value: {}, error }
  }

  private endRow(): JsonRow {
    this.state = 'between'
    this.isLines ||= !this.isInList
    const line = this.begun
    if (this.isTooLong) throw new JsonError('longRow', line, MOST)
    const text = this.text.slice(this.start, this.at)
    if (levelsOf(text) > MOST_LEVELS) return { line, value: {}, error: new JsonError('deepRow', line, MOST_LEVELS) }
    try {
      return { line, value: JSON.parse(text) as Record<string, unknown>, error: null }
    } catch {
      return { line, value: {}, error: new JsonError('broken', line) }
    }
  }

  private broken(fault: JsonFault, line: number): JsonRow {
    const error = new JsonError(fault, line, fault === 'longRow' ? MOST : fault === 'manyValues' ? MOST_VALUES : 0)
    // Where the next object of a list begins, nobody can tell.
    if (this.isInList) throw error
    this.isLines = true
    this.isInText = false
    const isAtEnd = this.text.charCodeAt(this.at - 1) === LF
    this.state = isAtEnd ? 'between' : 'passing'
    return { line, value: {}, error }
  }
}
