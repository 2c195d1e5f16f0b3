import { z } from 'zod'
import { OTHER, TOTAL } from '@/lib/clicks/dimensions'
import { countByOwner } from '@/lib/counts/counts'
import type { Link } from '@/lib/db/generated/client'
import { inBatches } from '@/lib/db/pieces'
import { kindsIn } from '@/lib/events/kinds'
import { allHistory, changedAmong } from '@/lib/history/read'
import type { HistoryEntry } from '@/lib/history/schemas'
import { say } from '@/lib/i18n/message'
import { keepNewestFiles } from '@/lib/jobs/queue'
import type { JobKind } from '@/lib/jobs/runner'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob, type JobMaker } from '@/lib/jobs/store'
import { filingOf, NOT_FILED } from '@/lib/labels/filing'
import { toView as toLinkView } from '@/lib/links/view'
import { listSeries } from '@/lib/series/store'
import { listShares } from '@/lib/shares/shares'
import { notesOf } from '@/lib/stats/notes'
import { fromMinor } from '@/lib/tools/money'
import { DAY, DAY_HOURS } from '@/lib/tools/time'
import { listTemplates } from '@/lib/utm/templates'
import type { AccountContext } from './context'
import { listKeys } from './keys'
import { preferencesOf } from './preferences'
import { viewAccount } from './view'

/** Links in each part of the file. */
const PIECE = 100

/** Exports of an account whose files are kept: each may be as large as all it has. */
const KEPT = 3

/** Clicks of a link on one day of UTC. */
interface DayRow {
  linkId: bigint
  hour: number
  clicks: bigint
  visitors: bigint
  bots: bigint
  previews: bigint
}

/** Conversions of a link's clicks on one day of UTC. */
interface ConversionRow {
  linkId: bigint
  hour: number
  name: string
  currency: string
  conversions: number
  converted: number
  value: string
}

/**
 * Begins to write down all that is kept of an account, as a job with a file.
 * @throws TerseError 'unavailable'
 */
export async function exportAccount(ctx: AccountContext, by: JobMaker): Promise<JobView> {
  const owned = await countByOwner(ctx.db, [by.account.id])
  const total = owned.get(by.account.id) ?? 0
  return createJob(ctx, by, { kind: 'export', title: say('api.job.export'), input: {}, total })
}

/**
 * The job: one JSON object with all that is kept of an account, and `links`, each with its clicks and conversions by day, its
 * notes and what changed of it. Begun again it goes on behind the last part that was written down.
 */
export const exportKind: JobKind<AccountContext, object> = {
  input: z.object({}),
  async run(ctx, job) {
    const { userId } = job
    let { part, written, after: first } = resumed(job.resumeAt)
    await job.cutFile(part)
    if (part === 0) {
      // This one is the last of them.
      await keepNewestFiles(ctx.db, userId, 'export', KEPT - 1)
      const head = { exportedAt: new Date().toISOString(), ...(await besidesLinks(ctx, userId)) }
      await job.writeFile(part++, `${JSON.stringify(head).slice(0, -1)},"links":[`)
    }
    const pieces = inBatches(BigInt(first), (after) =>
      ctx.db.read((client) =>
        client.link.findMany({ where: { ownerId: userId, id: { gt: after } }, orderBy: { id: 'asc' }, take: PIECE }),
      ),
    )
    for await (const { rows, lastId } of pieces) {
      const texts = await linksWithDays(ctx, rows)
      await job.writeFile(part, (written === 0 ? '\n' : ',\n') + texts.join(',\n'))
      part += 1
      written += rows.length
      first = lastId.toString()
      job.resumeAt = JSON.stringify({ part, written, after: first })
      // Those that an earlier release counted before a crash are not counted again.
      await job.advance(Math.max(0, written - job.done))
      await job.turn()
    }
    await job.advance(Math.max(0, written - job.done))
    await job.writeFile(part, '\n]}\n')
  },
}

/** What is kept of an account besides its links. Of keys, shares and webhooks not what lets someone in. */
async function besidesLinks(ctx: AccountContext, userId: string) {
  const account = await viewAccount(ctx, userId)
  const logo = await ctx.db.read((client) => client.qrLogo.findUnique({ where: { userId } }))
  return {
    account,
    preferences: await preferencesOf(ctx, userId),
    keys: await listKeys(ctx, userId),
    series: await listSeries(ctx, { id: userId }),
    utmTemplates: await listTemplates(ctx, userId),
    shares: await listShares(ctx, account),
    webhooks: await webhooksOf(ctx, userId),
    checksDestinations: (await ctx.db.read((client) => client.healthAccount.count({ where: { ownerId: userId } }))) > 0,
    qrLogo: logo && `data:image/png;base64,${Buffer.from(logo.png).toString('base64')}`,
  }
}

async function webhooksOf({ db }: AccountContext, ownerId: string): Promise<object[]> {
  const rows = await db.read((client) => client.webhook.findMany({ where: { ownerId }, orderBy: { id: 'asc' } }))
  return rows.map(({ id, url, events, enabled, createdAt }) => ({
    id: id.toString(),
    url,
    events: kindsIn(events),
    enabled,
    createdAt: createdAt.toISOString(),
  }))
}

/** Where an earlier turn came to. */
function resumed(at: string): { part: number; written: number; after: string } {
  return at === '' ? { part: 0, written: 0, after: '0' } : (JSON.parse(at) as ReturnType<typeof resumed>)
}

async function linksWithDays(ctx: AccountContext, links: Link[]): Promise<string[]> {
  const rows = await ctx.db.rows<DayRow>(
    `SELECT linkId, hour, clicks, visitors, bots, previews FROM ClickRollup
      WHERE linkId IN (?) AND dimension = ${TOTAL} AND span = ${DAY_HOURS} ORDER BY linkId, hour`,
    links.map(({ id }) => id),
  )
  const filings = await filingOf(
    ctx,
    links[0]?.ownerId ?? '',
    links.map(({ id }) => id),
  )
  const histories = await historiesOf(ctx, links)
  const converted = await conversionDays(ctx, links)
  const notes = await notesOf(
    ctx,
    links.map(({ id }) => id),
  )
  const days = new Map<bigint, object[]>(links.map(({ id }) => [id, []]))
  for (const row of rows) days.get(row.linkId)?.push(dayOf(row))
  return links.map((link) => {
    // As an import takes it: of a banned link what was so before.
    const enabled = (link.stateBeforeBan || link.state) !== 'disabled'
    return JSON.stringify({
      ...toLinkView(link, ctx.domains),
      ...(filings.get(link.id) ?? NOT_FILED),
      enabled,
      days: days.get(link.id),
      ...(converted.has(link.id) && { conversions: converted.get(link.id) }),
      history: histories.get(link.id) ?? [],
      notes: notes.get(link.id) ?? [],
    })
  })
}

/** What was reported of clicks of each day; of most links nothing. */
async function conversionDays(ctx: AccountContext, links: readonly Link[]): Promise<Map<bigint, object[]>> {
  const rows = await ctx.db.rows<ConversionRow>(
    `SELECT linkId, hour, name, currency, SUM(conversions + 0e0) AS conversions, SUM(converted + 0e0) AS converted,
            CAST(SUM(value) AS CHAR) AS value FROM ConversionRollup
      WHERE linkId IN (?) AND span = ${DAY_HOURS} GROUP BY linkId, hour, name, currency ORDER BY linkId, hour`,
    links.map(({ id }) => id),
  )
  const days = new Map<bigint, object[]>()
  for (const { linkId, hour, name, currency, conversions, converted, value } of rows) {
    const money = currency === '' ? {} : { currency, value: fromMinor(BigInt(value), currency) }
    const day = {
      day: dayText(hour),
      name: name === OTHER ? '(other)' : name,
      conversions: Number(conversions),
      converted: Number(converted),
      ...money,
    }
    days.set(linkId, [...(days.get(linkId) ?? []), day])
  }
  return days
}

/** What changed of each, the latest first; of most links nothing. */
async function historiesOf(ctx: AccountContext, links: readonly Link[]): Promise<Map<bigint, HistoryEntry[]>> {
  const changed = await changedAmong(
    ctx,
    links.map(({ id }) => id),
  )
  const histories = new Map<bigint, HistoryEntry[]>()
  for (const id of changed) {
    const entries: HistoryEntry[] = []
    for await (const some of allHistory(ctx, id, false)) entries.push(...some)
    histories.set(id, entries)
  }
  return histories
}

const dayText = (hour: number) => new Date((hour / DAY_HOURS) * DAY).toISOString().slice(0, 10)

const dayOf = ({ hour, clicks, visitors, bots, previews }: DayRow) => ({
  day: dayText(hour),
  clicks: Number(clicks),
  visitors: Number(visitors),
  bots: Number(bots),
  previews: Number(previews),
})
