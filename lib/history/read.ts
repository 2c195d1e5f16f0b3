import type { DatabaseGateway } from '@/lib/db/gateway'
import type { LinkChange } from '@/lib/db/generated/client'
import { idOf, pageOf } from '@/lib/tools/cursor'
import type { FieldChange } from './changes'
import type { HistoryEntry, HistoryPage } from './schemas'
import { AUTHOR_KINDS, AUTHORS } from './values'

type Context = { db: Pick<DatabaseGateway, 'read'> }

interface Asked {
  limit: number
  cursor?: string | undefined
}

/**
 * A link’s history, the latest entry first.
 * @param isAdmin whether an admin asks: only they see which admin made a change
 * @throws TerseError 'bad_request' for an invalid cursor, 'unavailable'
 */
export async function listHistory(
  ctx: Context,
  linkId: bigint,
  { limit, cursor }: Asked,
  isAdmin: boolean,
): Promise<HistoryPage> {
  const where = { linkId, ...(cursor !== undefined && { version: { lt: idOf(cursor) } }) }
  const rows = await ctx.db.read((client) => client.linkChange.findMany({ where, orderBy: { version: 'desc' }, take: limit + 1 }))
  const { page, nextCursor } = pageOf(rows, limit, ({ version }) => version)
  return { entries: await toEntries(ctx, page, isAdmin), nextCursor }
}

/** Entries read at once. With rules of the greatest length, these are 6 MB. */
const BATCH = 50

/** All of it, in batches. @throws as `listHistory` */
export async function* allHistory(ctx: Context, linkId: bigint, isAdmin: boolean): AsyncGenerator<HistoryEntry[]> {
  for (let cursor: string | undefined; ; ) {
    const { entries, nextCursor } = await listHistory(ctx, linkId, { limit: BATCH, cursor }, isAdmin)
    yield entries
    if (nextCursor === null) return
    cursor = nextCursor
  }
}

/** Which of these links have a history. @throws TerseError 'unavailable' */
export async function changedAmong(ctx: Context, linkIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const rows = await ctx.db.read((client) =>
    client.linkChange.findMany({ where: { linkId: { in: [...linkIds] } }, distinct: ['linkId'], select: { linkId: true } }),
  )
  return new Set(rows.map(({ linkId }) => linkId))
}

async function toEntries(ctx: Context, rows: readonly LinkChange[], isAdmin: boolean): Promise<HistoryEntry[]> {
  const shown = rows.map((row) => (row.byKind === AUTHORS.admin && !isAdmin ? { ...row, byId: null } : row))
  const ids = [...new Set(shown.flatMap(({ byId }) => byId ?? []))]
  const users =
    ids.length === 0
      ? []
      : await ctx.db.read((client) =>
          client.user.findMany({ where: { id: { in: ids } }, select: { id: true, handle: true, name: true } }),
        )
  const accounts = new Map(users.map((user) => [user.id, user]))
  return shown.map(({ version, at, byKind, byId, byJob, changes, dropped }) => {
    const account = accounts.get(byId ?? '')
    return {
      id: version.toString(),
      at: at.toISOString(),
      by: {
        kind: AUTHOR_KINDS.find((kind) => AUTHORS[kind] === byKind) ?? 'system',
        handle: account?.handle ?? null,
        name: account?.name || null,
        job: byJob,
      },
      changes: JSON.parse(changes) as FieldChange[],
      dropped,
    }
  })
}
