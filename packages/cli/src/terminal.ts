import { createInterface } from 'node:readline'
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colours are for people: not in pipes, and not where NO_COLOR asks for none (no-color.org). */
const isColoured = (stream: NodeJS.WriteStream) => Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb'

/** Text in a style. That it is a thing of its own lets the writer tell our colors from those that a text fakes. */
class Painted {
  constructor(
    readonly style: Style,
    readonly text: string,
  ) {}
}

type Piece = string | Painted

export const paint = (style: Style, text: string): Piece => new Painted(style, text)

/**
 * What a terminal obeys, and what turns or hides the text around it: controls and characters of format, but for those that join
 * letters and emoji.
 */
const HIDDEN = '(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}]'
const RUNS = new RegExp(`(?:${HIDDEN})+`, 'gu')
const RUNS_BUT_LINES = new RegExp(`(?:(?![\\n\\t])${HIDDEN})+`, 'gu')
const EACH = new RegExp(HIDDEN, 'gu')

/** Text that others wrote, on one line and without what is hidden. */
export const plain = (text: string) => text.replace(RUNS, ' ')

/** The same, with its lines and tabs. */
const obeyedByNone = (text: string) => text.replace(RUNS_BUT_LINES, ' ')

/** All text for people goes out here: whatever a server or a file says, a terminal obeys nothing but our colors. */
function write(stream: NodeJS.WriteStream, pieces: readonly Piece[], { before = '', after = '' }): void {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return obeyedByNone(piece)
    const text = obeyedByNone(piece.text)
    return isColoured(stream) ? styleText(piece.style, text, { validateStream: false }) : text
  })
  stream.write(`${before}${texts.join('')}${after}`)
}

/** One line on standard output, of the pieces as they follow each other. */
export const print = (...line: Piece[]): void => write(process.stdout, line, { after: '\n' })

/** One line of JSON. It says the same with the characters that are hidden written as escapes. */
export const printJson = (value: unknown) => print(JSON.stringify(value).replace(EACH, escaped))

const escaped = (hidden: string) =>
  Array.from({ length: hidden.length }, (_, i) => `\\u${hidden.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')

/** One line for the person, beside what is piped on. */
export const tell = (...line: Piece[]): void => write(process.stderr, line, { after: '\n' })

/** A line that the next one takes the place of; only where a person watches. */
export function progress(line: string): void {
  if (process.stderr.isTTY) write(process.stderr, [line], { before: '\r\u001b[K' })
}

/** A file as it is shown on a terminal. */
export async function* shownOn(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield obeyedByNone(text)
}

/** A column of a table. */
export interface Column<Row> {
  name: string
  of: (row: Row) => string
  right?: boolean
}

/**
 * A table for people as wide as the terminal, the last column cut. In a pipe: every cell whole, separated by tabs, without a
 * head.
 */
export function printTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const cells = rows.map((row) => columns.map(({ of }) => plain(of(row))))
  if (!process.stdout.isTTY) {
    for (const line of cells) print(line.join('\t'))
    return
  }
  const widths = columns.map(({ name }, i) => Math.max(name.length, ...cells.map((line) => [...(line[i] ?? '')].length)))
  const line = (texts: readonly string[]) =>
    cut(
      texts
        .map((text, i) => pad(text, widths[i] ?? 0, columns[i]?.right))
        .join('  ')
        .trimEnd(),
      process.stdout.columns || 80,
    )
  print(paint('bold', line(columns.map(({ name }) => name))))
  for (const texts of cells) print(line(texts))
}

const pad = (text: string, width: number, right = false) => {
  const blanks = ' '.repeat(Math.max(0, width - [...text].length))
  return right ? blanks + text : text + blanks
}

const cut = (text: string, width: number) => ([...text].length > width ? `${[...text].slice(0, width - 1).join('')}…` : text)

/** Asks a person on the terminal. @returns null where none is there to answer */
export async function ask(question: string, { hidden = false } = {}): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: true })
  try {
    const answer = new Promise<string>((resolve, reject) => {
      reader.question(question, resolve)
      reader.once('close', () => reject(new Error('stopped')))
    })
    // What is typed from here on is not shown.
    if (hidden) (reader as unknown as { _writeToOutput: () => void })._writeToOutput = () => {}
    return (await answer).trim()
  } finally {
    reader.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** The lines of standard input that say something. */
export async function* inputLines(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== '') yield line.trim()
  }
}

/** A bar chart of one line. */
export function sparkline(values: readonly number[]): string {
  const bars = '▁▂▃▄▅▆▇█'
  const most = Math.max(...values, 1)
  return values.map((value) => bars[Math.round((value / most) * (bars.length - 1))]).join('')
}

export const number = (value: number) => value.toLocaleString('en')
