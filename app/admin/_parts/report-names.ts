import type { ReportView } from '@/lib/reports/schemas'

export const REASONS: Record<ReportView['reason'], string> = {
  phishing: 'Phishing',
  malware: 'Malware',
  spam: 'Spam',
  illegal: 'Illegal content',
  other: 'Something else',
}

export const STATES: Record<ReportView['state'], string> = { open: 'Open', acted: 'Acted on', dismissed: 'Dismissed' }

/** States of links, as a report names them. */
export const LINK_STATE_NAMES: Partial<Record<string, string>> = {
  active: 'Active',
  scheduled: 'Not started yet',
  expired: 'Expired',
  disabled: 'Disabled',
  banned: 'Banned',
  deleted: 'Deleted',
}
