import { EXPORT_FORMATS, type ExportFormat, exportLinks } from '@/lib/links/export'
import type { WhichLinks } from '@/lib/links/pages'
import { formatOf } from './formats'
import { exportSet, type SetContext, SetSummary } from './redirect-set'
import { SET_FORMATS, type SetName } from './values'

/** All that links can be exported as: what an import reads, and sets of redirects. */
export const FILE_FORMATS = [...EXPORT_FORMATS, ...SET_FORMATS] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
}

const isSet = (format: FileFormat): format is SetName => (SET_FORMATS as readonly string[]).includes(format)

export interface ExportFile {
  name: string
  /** MIME type. */
  type: string
  /** Its text, made as it is taken. */
  pieces: AsyncGenerator<string, void>
  /** What came of the links once it is taken; null for what has all of them. */
  summary: SetSummary | null
}

interface Asked {
  which: WhichLinks
  format: FileFormat
  passwords: boolean
  owners?: boolean
  /** ms since 1970. */
  now: number
}

/** Links in one format. Its pieces throw TerseError 'unavailable'. */
export function exportFile(ctx: SetContext, { which, format, passwords, owners = false, now }: Asked): ExportFile {
  if (!isSet(format)) {
    const pieces = exportLinks(ctx, { which, format, passwords, owners })
    return { name: `terse-links.${format}`, type: TYPES[format], pieces, summary: null }
  }
  const { file: name, type } = formatOf(format)
  const summary = new SetSummary()
  return { name, type, pieces: exportSet(ctx, { which, format, now, summary }), summary }
}
