import type { Report } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { insertUnique } from '@/lib/ids/system'
import type { LinkContext } from '@/lib/links/context'
import { typedLink } from '@/lib/links/find'
import { fromSnapshot } from '@/lib/links/snapshot'
import type { Guesses } from '@/lib/redirect/guesses'
import type { CreateReport } from './schemas'

type ReportContext = LinkContext & { guesses: Guesses }

/**
 * Takes a report about a link, one that was deleted meanwhile too.
 * @param client by which the reporter is limited: who asks of a spoken code here guesses as much as by following it
 * @returns its reference, which tells nothing of other reports (lib/ids/references.ts)
 * @throws TerseError 'validation_failed' when there is no such link, 'rate_limited', 'unavailable'
 */
export async function createReport(ctx: ReportContext, input: CreateReport, client: string): Promise<string> {
  const full = typedLink(ctx, input.shortUrl)
  const reported =
    full &&
    (await ctx.guesses.ask(
      () => client,
      full,
      () => findReported(ctx, full),
      (found) => found !== null,
    ))
  if (!full || !reported) throw invalidField('shortUrl', say('api.report.noLink'))
  const report: Report = {
    id: nextId(),
    reference: '',
    fullShortUrl: full,
    linkId: reported.id,
    url: reported.url,
    reason: input.reason,
    details: input.details,
    email: input.email,
    state: 'open',
    answer: '',
    handledBy: null,
    handledAt: null,
    createdAt: new Date(),
  }
  return insertUnique(ctx.ids.references.source(), 'Report_reference_key', async (reference) => {
    await ctx.db.write((client) => client.report.createMany({ data: [{ ...report, reference }] }))
    return reference
  })
}

async function findReported(ctx: Pick<LinkContext, 'db'>, fullShortUrl: string): Promise<{ id: bigint; url: string } | null> {
  const link = await ctx.db.read((client) => client.link.findUnique({ where: { fullShortUrl } }))
  if (link) return link
  const deleted = await ctx.db.read((client) => client.deletedLink.findUnique({ where: { fullShortUrl } }))
  return deleted && { id: deleted.id, url: fromSnapshot(deleted.snapshot).url }
}
