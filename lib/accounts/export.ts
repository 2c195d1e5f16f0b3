import { z } from 'zod'
import { TOTAL } from '@/lib/clicks/dimensions'
import { inBatches } from '@/lib/db/batches'
import type { Link } from '@/lib/db/generated/client'
import type { JobKind } from '@/lib/jobs/runner'
import type { JobView } from '@/lib/jobs/schemas'
import { createJob } from '@/lib/jobs/store'
import type { Account } from '@/lib/links/context'
import { toView as toLinkView } from '@/lib/links/view'
import type { AccountContext } from './context'
import { listKeys } from './keys'
import { viewAccount } from './view'

/** Links in each part of the file. */
const PIECE = 100
const DAY_HOURS = 24
const DAY = 86_400_000

/** Clicks of a link on one day of UTC. */
interface DayRow {
  linkId: bigint
  hour: number
  clicks: bigint
  visitors: bigint
  bots: bigint
  previews: bigint
}

/**
 * Begins to write down all that is kept of an account, as a job with a file.
 * @throws TerseError 'unavailable'
 */
export async function exportAccount(ctx: AccountContext, account: Account): Promise<JobView> {
  const total = await ctx.db.read((client) => client.link.count({ where: { ownerId: account.id } }))
  return createJob(ctx, account, { kind: 'export', title: 'Export all data', input: {}, total })
}

/**
 * The job: one JSON object with `account`, `keys` (without the keys themselves) and `links`, each with its clicks by
 * day. Begun again after a crash it writes the same file once more from its start.
 */
export const exportKind: JobKind<AccountContext, object> = {
  input: z.object({}),
  async run(ctx, job) {
    const { userId } = job
    const [account, keys] = [await viewAccount(ctx, userId), await listKeys(ctx, userId)]
    const head = { exportedAt: new Date().toISOString(), account, keys }
    await job.writeFile(0, `${JSON.stringify(head).slice(0, -1)},"links":[`)
    let [part, written] = [1, 0]
    const pieces = inBatches(0n, (after) =>
      ctx.db.read((client) =>
        client.link.findMany({ where: { ownerId: userId, id: { gt: after } }, orderBy: { id: 'asc' }, take: PIECE }),
      ),
    )
    for await (const { rows } of pieces) {
      const texts = await linksWithDays(ctx, rows)
      await job.writeFile(part, (written === 0 ? '\n' : ',\n') + texts.join(',\n'))
      part += 1
      written += rows.length
      // Those that were counted before a crash are not counted again.
      await job.advance(Math.max(0, written - job.done))
    }
    await job.writeFile(part, '\n]}\n')
  },
}

async function linksWithDays(ctx: AccountContext, links: Link[]): Promise<string[]> {
  const rows = await ctx.db.rows<DayRow>(
    `SELECT linkId, hour, clicks, visitors, bots, previews FROM ClickRollup
      WHERE linkId IN (?) AND dimension = ${TOTAL} AND span = ${DAY_HOURS} ORDER BY linkId, hour`,
    links.map(({ id }) => id),
  )
  const days = new Map<bigint, object[]>(links.map(({ id }) => [id, []]))
  for (const row of rows) days.get(row.linkId)?.push(dayOf(row))
  return links.map((link) => JSON.stringify({ ...toLinkView(link, ctx.domains), days: days.get(link.id) }))
}

const dayOf = ({ hour, clicks, visitors, bots, previews }: DayRow) => ({
  day: new Date((hour / DAY_HOURS) * DAY).toISOString().slice(0, 10),
  clicks: Number(clicks),
  visitors: Number(visitors),
  bots: Number(bots),
  previews: Number(previews),
})
