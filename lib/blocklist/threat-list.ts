import { z } from 'zod'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { isoTime } from '@/lib/tools/schema'
import type { Blocklist } from './blocklist'
import { MOST_THREATS, readThreats } from './threat-entries'

export const ThreatListView = z
  .object({
    entries: z.int().nonnegative().meta({ description: 'How many different entries it has.' }),
    short: z.int().nonnegative().meta({
      description: 'How many of them are prefixes of less than 8 bytes. They mark links, and never pause or refuse one.',
    }),
    pauses: z.boolean().meta({ description: 'Whether links to listed destinations are paused, and new ones refused.' }),
    uploadedAt: isoTime().nullable(),
    busy: z.boolean().meta({ description: 'Whether existing links are still being held against it.' }),
    bad: z
      .object({ count: z.int(), lines: z.array(z.int()) })
      .optional()
      .meta({ description: 'After an upload: how many lines couldn’t be read, and the numbers of the first of them.' }),
  })
  .meta({ id: 'ThreatList', description: 'The list of threats.' })
export type ThreatListView = z.output<typeof ThreatListView>

export const EditThreatList = z.strictObject({ pauses: z.boolean() }).meta({ id: 'EditThreatList' })

interface Context {
  db: DatabaseGateway
  blocklist: Blocklist
}

/** Parts that are deleted by one statement. */
const PIECE = 10

/** @throws TerseError 'unavailable' */
export async function viewThreats({ db }: Pick<Context, 'db'>): Promise<ThreatListView> {
  const row = await db.read((client) => client.threatList.findUnique({ where: { id: 1 } }))
  const { entries = 0, short = 0, pauses = false, version = 0n, sweptFor = '', sweptTo = null, uploadedAt = null } = row ?? {}
  const busy = sweptFor !== sweepOf({ version, pauses }) || sweptTo !== null
  return { entries, short, pauses, uploadedAt: uploadedAt?.toISOString() ?? null, busy }
}

/** What a sweep over all links is for: another list, or another switch, needs another. */
export const sweepOf = ({ version, pauses }: { version: bigint; pauses: boolean }): string =>
  version === 0n && !pauses ? '' : `${version} ${pauses ? 'pauses' : 'marks'}`

/**
 * Puts another list in the place of the one there is. Nothing of it holds before all of it is there.
 * @throws TerseError 'validation_failed' for one that names nothing or too much, 'unavailable'
 */
export async function replaceThreats(ctx: Context, text: string): Promise<ThreatListView> {
  const read = await readThreats(text)
  if (read === null) throw invalidField('', say('api.threats.tooMany', { most: MOST_THREATS }))
  const { parts, entries, short, bad } = read
  if (entries === 0) throw invalidField('', say('api.threats.none'))
  const version = nextId()
  for (const [part, { bytes, content }] of parts.entries()) {
    const data = { version, part, bytes, content: Buffer.from(content) }
    await ctx.db.write((client) => client.threatPart.createMany({ data: [data] }))
  }
  await change(ctx, { version, entries, short, uploadedAt: new Date() })
  return { ...(await viewThreats(ctx)), bad }
}

/** @throws TerseError 'unavailable' */
export async function removeThreats(ctx: Context): Promise<void> {
  await change(ctx, { version: 0n, entries: 0, short: 0, uploadedAt: null })
}

/** @throws TerseError 'unavailable' */
export async function setPauses(ctx: Context, pauses: boolean): Promise<ThreatListView> {
  await change(ctx, { pauses })
  return viewThreats(ctx)
}

/**
 * How long all links wait to be held against another list, in s: by then every process has read it (./threats.ts), and lets no
 * link pass that the sweep would come too late for.
 */
const READ_BY_ALL = 6

type Change = { pauses: boolean } | { version: bigint; entries: number; short: number; uploadedAt: Date | null }

async function change({ db, blocklist }: Context, data: Change): Promise<void> {
  const { version } = await db.write((client) => client.threatList.update({ where: { id: 1 }, data }))
  // The sweep under way is for another list: it ends, and nobody begins one before this time.
  await db.change(
    `UPDATE ThreatList SET sweptFor = 'none yet', sweptTo = NULL, leaseUntil = UTC_TIMESTAMP(3) + INTERVAL ${READ_BY_ALL} SECOND
      WHERE id = 1`,
  )
  await blocklist.threats.refresh()
  // Also what an upload left that was broken off; one that is under way has a later version.
  while ((await db.change(`DELETE FROM ThreatPart WHERE version < ? LIMIT ${PIECE}`, version || nextId())) === PIECE);
}
