import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { wordsOf } from './exit.js'
import { TerseError } from './problem.js'
import { paint, print, printJson, printTable, progress, shownOn, tell } from './terminal.js'

/** Sets the title, writes to the clipboard, clears the screen, the last one in one byte of C1; then turns text around, and hides. */
const EVIL =
  '\u001b]0;title\u0007 \u001b]52;c;cm0=\u0007 \u001b[2J \u009b2J \u007f \r \u202egnp.exe \u2066 \u200b \u00ad \ufeff \u{e0041}'
const CONTROLS = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}]/u
const written: string[] = []

beforeEach(() => {
  written.length = 0
  const keep = (chunk: string | Uint8Array) => written.push(String(chunk)) > 0
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  vi.spyOn(process.stderr, 'write').mockImplementation(keep)
})
afterEach(() => vi.restoreAllMocks())

const seen = () => written.join('')

it('nothing that a terminal would obey gets past the writer, whatever a command prints', () => {
  print(EVIL)
  tell(EVIL)
  progress(EVIL)
  print(paint('red', EVIL), EVIL)
  printTable([{ name: 'code', of: (row: string) => row }], [EVIL])
  expect(seen()).not.toMatch(CONTROLS)
})

it('what letters and emoji are joined by stays', () => {
  const joined = 'می\u200cخواهم 👩\u200d🚀'
  print(joined)
  printJson(joined)
  expect(written).toEqual([`${joined}\n`, `"${joined}"\n`])
})

it('a faked color is no color', () => {
  print('\u001b[31mred')
  expect(written).toEqual([' [31mred\n'])
})

it('an error of the server, and of a file, is shown on the lines that are ours', () => {
  const field = { path: `url${EVIL}\nterse: all is well`, message: EVIL }
  expect(wordsOf(new TerseError(`${EVIL}\nno`, 422, 'x', [], EVIL)).split('\n')).toHaveLength(1)
  expect(wordsOf(new TerseError(EVIL, 500, 'x', [field], `${EVIL}\n`))).not.toMatch(/\nterse:/)
})

it('JSON keeps what it says, in characters that no terminal obeys', () => {
  printJson({ title: EVIL })
  const [line = ''] = written
  expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(JSON.parse(line)).toEqual({ title: EVIL })
})

it('a file shown on a terminal keeps its lines alone', async () => {
  const shown = []
  for await (const text of shownOn([`a\tb\n${EVIL}\n`])) shown.push(text)
  expect(shown.join('')).not.toMatch(CONTROLS)
  expect(shown.join('').startsWith('a\tb\n')).toBe(true)
})
