import type { Report } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { invalidField } from '@/lib/errors'
import { ADMINS, noteEvents } from '@/lib/events/outbox'
import { say } from '@/lib/i18n/message'
import { insertUnique } from '@/lib/ids/system'
import { namesAbove, takesPaths } from '@/lib/links/below'
import type { LinkContext } from '@/lib/links/context'
import { typedAddress } from '@/lib/links/find'
import { fromSnapshot } from '@/lib/links/snapshot'
import { codeIn, hostOf } from '@/lib/links/view'
import type { Guesses } from '@/lib/redirect/guesses'
import type { CreateReport } from './schemas'

type ReportContext = LinkContext & { guesses: Guesses }

/**
 * Takes a report about a link, one that was deleted meanwhile too. An address below a link that takes paths names that link.
 * @param client by which the reporter is limited: who asks of a spoken code here guesses as much as by following it
 * @returns its reference, which tells nothing of other reports (lib/ids/references.ts)
 * @throws TerseError 'validation_failed' when there is no such link, 'rate_limited', 'unavailable'
 */
export async function createReport(ctx: ReportContext, input: CreateReport, client: string): Promise<string> {
  const address = typedAddress(ctx, input.shortUrl)
  const names = address?.names ?? []
  const above = address ? namesAbove(ctx.domains, address.host, address.path) : []
  const full = names.at(-1) ?? above[0]
  const reported =
    full &&
    (await ctx.guesses.ask(
      () => client,
      full,
      async () => (await findReported(ctx, names)) ?? (await findAbove(ctx, above)),
      (found) => found !== null,
    ))
  if (!reported) throw invalidField('shortUrl', say('api.report.noLink'))
  const report: Report = {
    id: nextId(),
    reference: '',
    fullShortUrl: reported.fullShortUrl,
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
  const isTold = await ctx.listeners.anyHears('report.received', (sql, values) => ctx.db.rows(sql, ...values))
  return insertUnique(ctx.ids.references.source(), 'Report_reference_key', async (reference) => {
    const data = [{ ...report, reference }]
    if (!isTold) {
      await ctx.db.write((client) => client.report.createMany({ data }))
      await tellAdminsLate(ctx, { ...report, reference })
    } else {
      await ctx.db.atomic(async (tx) => {
        await tx.report.createMany({ data })
        await noteEvents(tx, [toldReport(ctx, { ...report, reference })])
      })
    }
    return reference
  })
}

/** Where an admin's webhook was created while the report was written (lib/links/events.ts: `tellLate`). */
async function tellAdminsLate(ctx: ReportContext, report: Report): Promise<void> {
  try {
    if (!(await ctx.listeners.anyHears('report.received', (sql, values) => ctx.db.rows(sql, ...values)))) return
    await ctx.db.atomic((tx) => noteEvents(tx, [toldReport(ctx, report)]))
  } catch (err) {
    ctx.log.warn({ err }, 'webhooks that were created during a report were not told of it')
  }
}

/** What webhooks of admins are told of it: all but who reported it. */
function toldReport(
  { domains }: ReportContext,
  { id, reference, fullShortUrl, linkId, url, reason, details, createdAt }: Report,
) {
  const shortUrl = domains.shortUrl(hostOf(fullShortUrl), codeIn(fullShortUrl))
  const report = { id: id.toString(), reference, shortUrl, url, reason, details, createdAt: createdAt.toISOString() }
  return { kind: 'report.received' as const, ownerId: ADMINS, linkId, data: { report } }
}

type Reported = Pick<Report, 'fullShortUrl' | 'url'> & { id: bigint }

async function findReported(ctx: Pick<LinkContext, 'db'>, names: string[]): Promise<Reported | null> {
  if (names.length === 0) return null
  const where = { fullShortUrl: { in: names } }
  const link = await ctx.db.read((client) => client.link.findFirst({ where }))
  if (link) return link
  const deleted = await ctx.db.read((client) => client.deletedLink.findFirst({ where }))
  return deleted && { ...deleted, url: fromSnapshot(deleted.snapshot).url }
}

/** The link that answers for an address below its own, as it does for visitors (lib/redirect/answer.ts). */
async function findAbove(ctx: Pick<LinkContext, 'db'>, names: string[]): Promise<Reported | null> {
  if (names.length === 0) return null
  const where = { fullShortUrl: { in: names }, routing: { not: null } }
  const links = (await ctx.db.read((client) => client.link.findMany({ where }))).filter(({ routing }) => takesPaths(routing))
  return names.flatMap((name) => links.filter(({ fullShortUrl }) => fullShortUrl === name))[0] ?? null
}
