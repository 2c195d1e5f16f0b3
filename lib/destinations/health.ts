import { z } from 'zod'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { HEALTH_NUMBERS, type HealthReason, healthStateOf } from '@/lib/links/health'
import { HEALTH_HASH } from '@/lib/links/health-hash'
import type { HealthView } from '@/lib/links/health-schema'

/** Whether an account has its destinations checked, and what was found. */
export const HealthSetting = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether the destinations of your links are checked about once a week.' }),
    unwell: z.int().nonnegative().max(1_000).meta({ description: 'How many have something wrong with them, up to 1,000.' }),
  })
  .meta({ id: 'HealthSetting' })

export const EditHealthSetting = z.strictObject({ enabled: z.boolean() }).meta({ id: 'EditHealthSetting' })

type Context = { db: DatabaseGateway }
const MOST_COUNTED = 1_000

/** @throws TerseError 'unavailable' */
export async function healthSetting({ db }: Context, ownerId: string): Promise<z.output<typeof HealthSetting>> {
  const row = await db.read((client) => client.healthAccount.findUnique({ where: { ownerId } }))
  const found = await db.rows<{ linkId: bigint }>(
    `SELECT linkId FROM LinkHealth WHERE ownerId = ? AND isTold IN (FALSE, TRUE) AND state > ${HEALTH_NUMBERS.failing} LIMIT ${MOST_COUNTED}`,
    ownerId,
  )
  return { enabled: row !== null, unwell: found.length }
}

/** Has destinations checked from now on, or forgets what was found. @throws TerseError 'unavailable' */
export async function setHealth(ctx: Context, ownerId: string, enabled: boolean): Promise<z.output<typeof HealthSetting>> {
  if (enabled) {
    const now = new Date()
    const row = { ownerId, roundAt: now, dueAt: now }
    await ctx.db.write((client) => client.healthAccount.createMany({ data: [row], skipDuplicates: true }))
  } else await forgetHealthOf(ctx, ownerId)
  return healthSetting(ctx, ownerId)
}

/** Rows that are deleted by one statement. */
const PIECE = 1_000

/** @throws TerseError 'unavailable' */
export async function forgetHealthOf({ db }: Context, ownerId: string): Promise<void> {
  await db.write((client) => client.healthAccount.deleteMany({ where: { ownerId } }))
  while ((await db.change(`DELETE FROM LinkHealth WHERE ownerId = ? ORDER BY dueAt LIMIT ${PIECE}`, ownerId)) === PIECE);
}

interface Row {
  linkId: bigint
  state: number
  reason: string
  status: number | null
  destination: string | null
  url: string
  since: Date
  checkedAt: Date
}

/** What is wrong with links, by their ids; those with which nothing is are left out. @throws TerseError 'unavailable' */
export async function healthOf({ db }: Context, ownerId: string, ids: readonly bigint[]): Promise<Map<bigint, HealthView>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Row>(
    `SELECT linkId, LinkHealth.state AS state, reason, status, destination, url, since, checkedAt FROM LinkHealth
       JOIN Link ON Link.id = linkId AND ${HEALTH_HASH} = LinkHealth.urlHash WHERE linkId IN (?) AND LinkHealth.ownerId = ?`,
    ids,
    ownerId,
  )
  const views = new Map<bigint, HealthView>()
  for (const { linkId, state: number, reason, status, destination, url, since, checkedAt } of rows) {
    const state = healthStateOf(number)
    const times = { since: since.toISOString(), checkedAt: checkedAt.toISOString() }
    if (!state) continue
    views.set(linkId, { state, reason: reason as HealthReason, status, destination: destination ?? url, ...times })
  }
  return views
}
