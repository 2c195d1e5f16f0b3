import { type Message, say } from '@/lib/i18n/message'
import type { ImportRow } from '@/lib/links/import-source'
import { linkStatusOf } from '@/lib/links/values'
import { isRedirect } from '@/lib/tools/redirects'
import { parseUrl } from '@/lib/tools/url'
import { codeOf, rowOf, shortLinkOf } from './said'

/**
 * Why a rule of another server is no link: it is for many paths; for some visitors; it answers something else than a redirect;
 * its destination depends on the request; it leads to a path of a site that nobody named; it is for the home page; it cannot be
 * read.
 */
export type RuleFault = 'pattern' | 'condition' | 'status' | 'variable' | 'relative' | 'root' | 'syntax'

export const ruleFault = (fault: RuleFault): Message => say('api.import.rule', { fault })

interface Rule {
  /** A path, or a whole URL. */
  from: string
  to: string
  status: number
}

/** One redirect of another server as a row. @param site what paths in destinations are below; null: it is not known */
export function ruleRow(line: number, { from, to, status }: Rule, site: URL | null, fault?: RuleFault): ImportRow {
  const isWhole = /^https?:\/\//i.test(from)
  const source = isWhole ? shortLinkOf(from) : { domain: '', code: codeOf(from.replace(/[?#].*/s, '')) }
  const url = /^[a-z][a-z0-9+.-]*:/i.test(to) ? to : site && to.startsWith('/') ? (parseUrl(to, site)?.href ?? '') : ''
  const found =
    fault ??
    (source === null || source.code === '' ? 'root' : !isRedirect(status) ? 'status' : url === '' ? 'relative' : undefined)
  const said = {
    ...(source ?? { code: from }),
    url: url || to,
    redirectStatus: isRedirect(status) ? linkStatusOf(status) : undefined,
  }
  return rowOf(line, said, found && ruleFault(found))
}
