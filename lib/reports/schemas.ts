import { z } from 'zod'
import { AuditView } from '@/lib/audit/schemas'
import { AdminLinkView } from '@/lib/links/schemas'
import { issue } from '@/lib/tools/issues'
import { lines } from '@/lib/tools/line'
import { isoTime, paged, pageQuery, reason } from '@/lib/tools/schema'
import { REPORT_REASONS, REPORT_STATES } from './values'

export const CreateReport = z
  .strictObject({
    shortUrl: z
      .string()
      .trim()
      .min(1, issue('forms.shortUrl'))
      .max(2048)
      .meta({ description: 'The short link, or the code of a link on the default domain.' }),
    reason: z.enum(REPORT_REASONS, { error: issue('forms.reason') }),
    details: lines(2000).default(''),
    email: z
      .union([z.literal(''), z.email(issue('forms.emailOrNone')).max(254)])
      .default('')
      .meta({ description: 'Where to send an answer.' }),
  })
  .meta({ id: 'CreateReport' })

export const ReportReceipt = z
  .object({
    reference: z.string().meta({ example: '26112148213', description: 'The reference to give when you ask about your report.' }),
  })
  .meta({ id: 'ReportReceipt' })

export const ReportView = z
  .object({
    id: z.string(),
    reference: z.string(),
    shortUrl: z.url(),
    /** The link as it is now: null when it is gone for good. */
    link: AdminLinkView.pick({ id: true, title: true, state: true, url: true, owner: true }).nullable(),
    url: z.string().meta({ description: 'The link’s destination when it was reported.' }),
    reason: z.enum(REPORT_REASONS),
    details: z.string(),
    email: z.string(),
    state: z.enum(REPORT_STATES),
    answer: z.string(),
    handledBy: AdminLinkView.shape.owner.meta({
      description: 'The admin who handled the report. Null if nobody has yet, or if that account was deleted.',
    }),
    handledAt: isoTime().nullable(),
    createdAt: isoTime(),
    /** Other reports of the same short URL. */
    others: z.int().nonnegative(),
  })
  .meta({ id: 'Report' })

export const ReportsQuery = z.strictObject({
  ...pageQuery,
  state: z.enum(REPORT_STATES).optional(),
  reason: z.enum(REPORT_REASONS).optional(),
})

export const ReportPage = paged('reports', ReportView)

export const ResolveReport = z.strictObject({
  action: z.enum(['ban', 'disable', 'delete', 'dismiss']),
  reason: reason.meta({ description: 'Why the link is banned. Visitors can see this.' }),
  answer: lines(2000)
    .default('')
    .meta({ description: 'An answer to the reporter. It’s kept with the report, and emailed if mail is set up.' }),
  /** The other open reports of the same short URL are handled alike. */
  others: z.boolean().default(true),
})

export const ReportDetail = z.object({
  report: ReportView,
  others: z.array(ReportView),
  history: z.array(AuditView),
})

export const AdminLinkDetail = z.object({
  link: AdminLinkView,
  reports: z.array(ReportView),
  history: z.array(AuditView),
})

export type CreateReport = z.output<typeof CreateReport>
export type ReportView = z.infer<typeof ReportView>
