import type { Domains } from '@/lib/domains/domains'
import type { ImportRow } from '@/lib/links/import-source'

/**
 * Where the links of another system are put: all on one domain where that was said. Else on the domain that they had, if it is
 * one of ours, and on the default one if it is not, as a short host that stays with the old service.
 */
export function placer(domains: Pick<Domains, 'find'>, domain: string | undefined): (row: ImportRow) => ImportRow {
  return (row) => {
    if (domain !== undefined) return { ...row, domain }
    if (row.domain === undefined || domains.find(row.domain) !== undefined) return row
    const { domain: _theirs, ...rest } = row
    return rest
  }
}
