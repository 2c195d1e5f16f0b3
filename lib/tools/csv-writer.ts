import { stringify } from 'csv-stringify/sync'

/** As before. */
export function csvLines(records: readonly (readonly (string | number)[])[]): string {
  return stringify(records as (string | number)[][], { escape_formulas: true, quoted_match: /[\r\n]/, record_delimiter: '\r\n' })
}
