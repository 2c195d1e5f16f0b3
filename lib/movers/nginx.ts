import type { ImportRow } from '@/lib/links/import-source'
import { isRedirect } from '@/lib/tools/redirects'
import { stripEnd } from '@/lib/tools/strip'
import { linesOf } from './lines'
import type { Mover } from './mover'
import { plainPath } from './plain-path'
import { type RuleFault, ruleRow } from './rule'

/** A word of a configuration, or one of `{`, `}` and `;`, which quotes make a word. */
interface Word {
  text: string
  isMark: boolean
}

/** A quote that is not closed reaches to the end of its line: so every character is looked at once. */
const WORDS =
  /#.*|"((?:[^"\\]|\\.)*)"?|'((?:[^'\\]|\\.)*)'?|([{};])|((?:\$\{\w+\}|[^\s{};"'#])(?:\$\{\w+\}|\\.|[^\s;{}\\]|\{\d*(?:,\d*)?\})*)/gs

/** Words of a directive at most: more is no configuration. */
const MOST_WORDS = 1_000

/** A block that the directive is in, with its first two words. */
interface Block {
  name: string
  words: readonly string[]
}

/** Blocks within each other: a `location` is in the third, and may have others in it. What is deeper is no configuration. */
const DEEPEST = 32

/**
 * nginx: entries of `map`, `rewrite` for one path, and `return` in a `location` for one path. What belongs to a `map` with
 * regular expressions, to `if` or to a `location` for many paths is refused.
 */
export const nginx: Mover = {
  async *lines(text, site) {
    const blocks: Block[] = []
    let words: string[] = []
    let begun = 0
    /** Blocks that are deeper than any is looked into. */
    let deeper = 0
    for await (const lines of linesOf(text)) {
      const rows: ImportRow[] = []
      for (const { line, text } of lines) {
        for (const word of wordsIn(text)) {
          if (words.length === 0) begun = line
          if (!word.isMark) {
            if (words.length < MOST_WORDS) words.push(word.text)
            continue
          }
          const [name = '', ...rest] = words
          words = []
          if (word.text === '{') {
            if (blocks.length < DEEPEST) blocks.push({ name, words: rest.slice(0, 2) })
            else deeper += 1
          } else if (word.text === '}') {
            if (deeper > 0) deeper -= 1
            else blocks.pop()
          } else if (deeper === 0) {
            const row = rowFor(name, rest, begun, site, blocks)
            if (row) rows.push(row)
          }
        }
      }
      if (rows.length > 0) yield rows
    }
  },
}

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(WORDS)]
    .filter(([whole]) => !whole.startsWith('#'))
    .map(([, double, single, mark, bare]) => ({
      text: mark ?? (double ?? single)?.replace(/\\(["'\\])/g, '$1') ?? bare ?? '',
      isMark: mark !== undefined,
    }))

function rowFor(
  name: string,
  words: readonly string[],
  line: number,
  site: URL | null,
  blocks: readonly Block[],
): ImportRow | null {
  const block = blocks.at(-1)
  const isIn = (wanted: string) => block?.name === wanted
  const inIf = isIn('if') ? ('condition' as const) : undefined
  const variable = (to: string): RuleFault | undefined => (to.includes('$') ? 'variable' : undefined)
  if (isIn('map')) {
    const [to = ''] = words
    // An empty value is for paths that go nowhere.
    if (['default', 'hostnames', 'volatile', 'include'].includes(name) || to === '') return null
    const fault = name.startsWith('~') ? 'pattern' : variable(to)
    // The status is set where the map’s variable is used. 301 is the usual one.
    return ruleRow(line, { from: name.replace(/^\\/, ''), to, status: 301 }, site, fault)
  }
  if (name === 'rewrite') {
    const [pattern = '', to = '', flag = ''] = words
    const isWhole = /^https?:/i.test(to)
    if (flag !== 'permanent' && flag !== 'redirect' && !isWhole) return null
    const from = plainPath(pattern)
    // A question mark at its end leaves out the query.
    const rule = { from: from ?? pattern, to: to.replace(/\?$/, ''), status: flag === 'permanent' ? 301 : 302 }
    return ruleRow(line, rule, site, inIf ?? (from === null ? 'pattern' : variable(to)))
  }
  if (name === 'return' && words.length > 0) {
    const [status, to] = words.length === 1 ? ['302', words[0] ?? ''] : [words[0] ?? '', words[1] ?? '']
    // Anything else than a redirect is no link, and not meant to be one.
    if (!isRedirect(Number(status)) || /^\d{3}$/.test(to)) return null
    const [kind = '', path] = block?.words ?? []
    const from = isIn('location') ? (path ?? kind) : ''
    const isOne = path === undefined ? kind.startsWith('/') : kind === '=' || kind === '^~' ? true : plainPath(path) !== null
    const one = kind.startsWith('~') ? (plainPath(path ?? '') ?? from) : from
    const fault = inIf ?? (isIn('location') && !isOne ? 'pattern' : stripEnd(one, '/') === '' ? 'root' : variable(to))
    return ruleRow(line, { from: one, to, status: Number(status) }, site, fault)
  }
  return null
}
