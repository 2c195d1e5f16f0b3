import type { z } from 'zod'
import { isBanned, whereBanned } from '@/lib/actor'
import { countByOwner } from '@/lib/counts/counts'
import type { Prisma, User } from '@/lib/db/generated/client'
import { escapeLike } from '@/lib/db/like'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { LinkContext } from '@/lib/links/context'
import { pageOf, parseCursor } from '@/lib/tools/cursor'
import type { AccountsQuery, AdminAccountView } from './schemas'

type Context = Pick<LinkContext, 'db'>

/**
 * Accounts, the newest first, found by a handle or a part of name or e-mail address.
 * @throws TerseError 'bad_request', 'unavailable'
 */
export async function listAccounts(
  ctx: Context,
  { limit, cursor, q, role, banned }: z.output<typeof AccountsQuery>,
): Promise<{ accounts: AdminAccountView[]; nextCursor: string | null }> {
  const [time, id = ''] = cursor === undefined ? [] : parseCursor(cursor, /^(\d{1,15})-([\w-]{1,36})$/)
  const createdAt = new Date(Number(time))
  const where: Prisma.UserWhereInput = {
    AND: [
      ...(time === undefined ? [] : [{ OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }]),
      ...(q ? [matching(q)] : []),
      ...(role === undefined ? [] : [{ role }]),
      ...(banned === undefined ? [] : [banned === 'true' ? whereBanned() : { NOT: whereBanned() }]),
    ],
  }
  const rows = await ctx.db.read((client) =>
    client.user.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit + 1 }),
  )
  const { page, nextCursor } = pageOf(rows, limit, ({ createdAt, id }) => `${createdAt.getTime()}-${id}`)
  return { accounts: await toViews(ctx, page), nextCursor }
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function adminAccount(ctx: Context, id: string): Promise<AdminAccountView> {
  const user = await ctx.db.read((client) => client.user.findUnique({ where: { id } }))
  const [view] = user ? await toViews(ctx, [user]) : []
  if (!view) throw new TerseError('not_found', say('api.account.none'))
  return view
}

function matching(q: string): Prisma.UserWhereInput {
  if (/^[1-9]\d{7}$/.test(q)) return { handle: q }
  const part = escapeLike(q)
  return { OR: [{ email: { contains: part.toLowerCase() } }, { name: { contains: part } }] }
}

async function toViews(ctx: Context, users: readonly User[]): Promise<AdminAccountView[]> {
  if (users.length === 0) return []
  const ids = users.map(({ id }) => id)
  const [links, sessions] = await Promise.all([
    countByOwner(ctx.db, ids),
    ctx.db.read((client) =>
      client.session.groupBy({
        by: ['userId'],
        where: { userId: { in: ids }, expiresAt: { gt: new Date() } },
        _count: true,
        _max: { updatedAt: true },
      }),
    ),
  ])
  const sessionsOf = new Map(sessions.map((row) => [row.userId, row]))
  return users.map((user) => ({
    id: user.id,
    handle: user.handle ?? '',
    username: user.username,
    name: user.name,
    email: user.email,
    emailVerified: user.emailVerified,
    role: user.role === 'admin' ? 'admin' : 'user',
    banned: isBanned(user),
    banReason: user.banReason ?? '',
    banExpires: user.banExpires?.toISOString() ?? null,
    twoFactorEnabled: user.twoFactorEnabled,
    links: links.get(user.id) ?? 0,
    sessions: sessionsOf.get(user.id)?._count ?? 0,
    lastSeenAt: sessionsOf.get(user.id)?._max.updatedAt?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
  }))
}
