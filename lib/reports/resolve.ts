import type { z } from 'zod'
import type { Account } from '@/lib/actor'
import type { Report } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { translator } from '@/lib/i18n/translate'
import { actOn } from '@/lib/links/act'
import type { LinkContext } from '@/lib/links/context'
import { OURSELVES } from '@/lib/links/permit'
import { sendAsked } from '@/lib/mail/asked'
import type { Mailer } from '@/lib/mail/mailer'
import { findReport } from './queue'
import type { ResolveReport } from './schemas'

type Resolution = z.output<typeof ResolveReport>
type Context = LinkContext & { mailer: Mailer }

/**
 * Handles a report: does something to its link, or nothing, and answers the reporter. It is ours before the link is
 * touched, so of two admins at once only one does; should the link refuse, the report is open again.
 * @param locale of the admin, who wrote the answer
 * @returns the reports that were handled: this one, and the other open ones of the same short URL if asked for
 * @throws TerseError 'not_found', 'conflict' (it was handled already, or the link is gone), 'unavailable'
 */
export async function resolveReport(
  ctx: Context,
  account: Account,
  id: bigint,
  resolution: Resolution,
  locale: Locale,
): Promise<Report[]> {
  const report = await findReport(ctx, id)
  const { action, answer, others } = resolution
  const state = action === 'dismiss' ? 'dismissed' : 'acted'
  const handled = { state, answer, handledBy: account.id, handledAt: new Date() }
  const { count } = await ctx.db.write((client) => client.report.updateMany({ where: { id, state: 'open' }, data: handled }))
  if (count === 0) throw new TerseError('conflict', say('api.report.handled'))
  try {
    await act(ctx, account, report, resolution)
  } catch (error) {
    const open = { state: 'open', answer: '', handledBy: null, handledAt: null }
    await ctx.db.write((client) => client.report.updateMany({ where: { id, handledBy: account.id }, data: open }))
    throw error
  }
  const rest = others ? await handleOthers(ctx, report, handled) : []
  for (const row of [report, ...rest]) void tellReporter(ctx, row, answer, locale)
  return [{ ...report, ...handled }, ...rest]
}

async function act(ctx: Context, { id: ownerId }: Account, { linkId }: Report, { action, reason }: Resolution): Promise<void> {
  if (action === 'dismiss') return
  const link = linkId === null ? null : await ctx.db.read((client) => client.link.findUnique({ where: { id: linkId } }))
  if (!link) {
    if (action === 'delete') return
    throw new TerseError('conflict', say('api.report.linkGone'))
  }
  const isOffByBan = action === 'disable' && link.state === 'banned'
  if (!isOffByBan) await actOn(ctx, { ...OURSELVES, ownerId }, link, action, reason)
}

async function handleOthers(ctx: Context, { fullShortUrl, linkId }: Report, handled: Partial<Report>): Promise<Report[]> {
  const open = await ctx.db.read((client) => client.report.findMany({ where: { fullShortUrl, linkId, state: 'open' } }))
  const ids = open.map(({ id }) => id)
  await ctx.db.write((client) => client.report.updateMany({ where: { id: { in: ids }, state: 'open' }, data: handled }))
  return open.map((row) => ({ ...row, ...handled }))
}

/** Never throws: a report is handled whether or not a mail arrives. */
async function tellReporter(ctx: Context, { email, reference }: Report, answer: string, locale: Locale): Promise<void> {
  if (email === '' || answer === '') return
  const t = translator(locale, 'mail')
  const mail = { to: email, locale, subject: t('report.subject', { reference }), text: t('report.text', { reference, answer }) }
  // The address was typed by a stranger.
  await sendAsked(ctx, mail, 'report', null)
}
