import type { ImportRow } from '@/lib/links/import-source'
import { linesOf } from './lines'
import type { Mover } from './mover'
import { type RuleFault, ruleRow } from './rule'

/** A word of a rule's conditions, or of the query that it is for: `Country=de`, `id=:id`. */
const isCondition = (word: string) => /^[\w-]+=/.test(word)

/** The file `_redirects` of a static site: a source, a destination and a status in each line. */
function redirectsFile(usual: number): Mover {
  return {
    async *lines(text, site) {
      for await (const lines of linesOf(text)) {
        const rows: ImportRow[] = []
        for (const { line, text } of lines) {
          const words = text
            .replace(/(^|\s)#.*/s, '')
            .split(/\s+/)
            .filter(Boolean)
          const [from = '', ...rest] = words
          if (from === '') continue
          const to = rest.find((word) => !isCondition(word)) ?? ''
          const behind = rest.slice(rest.indexOf(to) + 1)
          const status =
            /^(\d{3})!?$/.exec(behind[0] ?? '')?.[1] ?? (behind.length === 0 || isCondition(behind[0] ?? '') ? usual : '')
          const isPattern = /\*|\/:/.test(from)
          const fault: RuleFault | undefined =
            to === '' || status === '' ? 'syntax' : isPattern ? 'pattern' : rest.some(isCondition) ? 'condition' : undefined
          rows.push(ruleRow(line, { from, to, status: Number(status) }, site, fault))
        }
        if (rows.length > 0) yield rows
      }
    },
  }
}

/** Without a status Netlify redirects with 301, Cloudflare with 302, as their manuals say. */
export const netlify = redirectsFile(301)
export const cloudflare = redirectsFile(302)
