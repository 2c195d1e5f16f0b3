/** What fields of a report can be, apart from their schemas: the browser needs these, and no zod with them. */

export const REPORT_REASONS = ['phishing', 'malware', 'spam', 'illegal', 'other'] as const

export const REPORT_STATES = ['open', 'acted', 'dismissed'] as const
