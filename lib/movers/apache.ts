import type { ImportRow } from '@/lib/links/import-source'
import { linesOf, wordsOf } from './lines'
import type { Mover } from './mover'
import { plainPath } from './plain-path'
import { type RuleFault, ruleRow } from './rule'

/** Words for statuses that `Redirect` takes (manual of Apache, mod_alias). */
const STATUSES: Readonly<Record<string, number>> = { permanent: 301, temp: 302, seeother: 303, gone: 410 }
const isStatus = (word: string) => Object.hasOwn(STATUSES, word.toLowerCase()) || /^\d{3}$/.test(word)
const statusOf = (word: string) => STATUSES[word.toLowerCase()] ?? Number(word)

/**
 * Apache: `Redirect`, `RedirectPermanent`, `RedirectTemp`, and those of `RedirectMatch` and `RewriteRule` that are for one path.
 * A `RewriteCond` is for the rule behind it.
 */
export const apache: Mover = {
  async *lines(text, site) {
    let joined = ''
    let begun = 0
    let isConditional = false
    let location: string | null = null
    for await (const lines of linesOf(text)) {
      const rows: ImportRow[] = []
      for (const { line, text } of lines) {
        if (joined === '') begun = line
        // A backslash at its end carries a line on.
        joined += text
        if (joined.endsWith('\\') && joined.length < 20_000) {
          joined = joined.slice(0, -1)
          continue
        }
        const [name = '', ...words] = wordsOf(joined.trim())
        joined = ''
        const directive = name.toLowerCase()
        if (directive === 'rewritecond') isConditional = true
        if (directive === '<location') location = words[0]?.replace(/>$/, '') ?? null
        else if (directive === '</location>') location = null
        const row = rowFor(directive, within(location, directive, words), begun, site, isConditional)
        if (directive === 'rewriterule') isConditional = false
        if (row) rows.push(row)
      }
      if (rows.length > 0) yield rows
    }
  },
}

/** Within `<Location /path>`, a `Redirect` names no path: it is that of the section. */
function within(location: string | null, name: string, words: readonly string[]): readonly string[] {
  if (location === null || name !== 'redirect') return words
  const [status = ''] = words
  if (isStatus(status)) return words.length === 2 ? [status, location, ...words.slice(1)] : words
  return words.length === 1 ? [location, ...words] : words
}

function rowFor(
  name: string,
  words: readonly string[],
  line: number,
  site: URL | null,
  isConditional: boolean,
): ImportRow | null {
  if (name === 'redirect' || name === 'redirectmatch') {
    const hasStatus = isStatus(words[0] ?? '')
    const [from = '', to = ''] = hasStatus ? words.slice(1) : words
    const status = hasStatus ? statusOf(words[0] ?? '') : 302
    if (name === 'redirect') return ruleRow(line, { from, to, status }, site, from.startsWith('/') ? undefined : 'syntax')
    return patternRow(line, { from, to, status }, site)
  }
  if (name === 'redirectpermanent' || name === 'redirecttemp') {
    const [from = '', to = ''] = words
    return ruleRow(line, { from, to, status: name === 'redirecttemp' ? 302 : 301 }, site)
  }
  if (name !== 'rewriterule') return null
  const [from = '', to = '', flags = ''] = words
  const redirect = /(?:^|,)R(?:edirect)?(?:=(\w+))?(?:,|$)/i.exec(flags.replace(/^\[|\]$/g, '').replaceAll(' ', ''))
  // What is rewritten within the server redirects nobody.
  if (!redirect && !/^https?:/i.test(to)) return null
  const status = redirect?.[1] === undefined ? 302 : statusOf(redirect[1])
  return patternRow(line, { from, to, status }, site, isConditional ? 'condition' : undefined)
}

function patternRow(line: number, rule: Parameters<typeof ruleRow>[1], site: URL | null, fault?: RuleFault): ImportRow {
  const path = plainPath(rule.from)
  const found = fault ?? (path === null ? 'pattern' : /[$%]\d|%\{/.test(rule.to) ? 'variable' : undefined)
  return ruleRow(line, { ...rule, from: path ?? rule.from }, site, found)
}
