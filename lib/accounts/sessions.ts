import { agentOf } from '@/lib/clicks/enrich/agent'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { AccountContext } from './context'
import type { SessionView } from './schemas'

/** Sessions shown. */
const LISTED = 200

/**
 * Where the account is signed in, last seen first.
 * @param current id of the session that asks
 * @throws TerseError 'unavailable'
 */
export async function listSessions(ctx: AccountContext, userId: string, current: string): Promise<SessionView[]> {
  const rows = await ctx.db.read((client) =>
    client.session.findMany({
      where: { userId, expiresAt: { gt: new Date() } },
      orderBy: { updatedAt: 'desc' },
      take: LISTED,
    }),
  )
  return rows.map((row) => ({
    id: row.id,
    current: row.id === current,
    address: row.ipAddress ?? '',
    agent: agentName(row.userAgent ?? ''),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

/** Ends one session of the account. @throws TerseError 'not_found', 'unavailable' */
export async function endSession(ctx: AccountContext, userId: string, id: string): Promise<void> {
  const { count } = await ctx.db.write((client) => client.session.deleteMany({ where: { id, userId } }))
  if (count === 0) throw new TerseError('not_found', say('api.account.noSession'))
}

/**
 * Ends all sessions of the account but the one that asks.
 * @returns how many there were
 * @throws TerseError 'unavailable'
 */
export async function endOtherSessions(ctx: AccountContext, userId: string, current: string): Promise<number> {
  const where = { userId, id: { not: current } }
  return (await ctx.db.write((client) => client.session.deleteMany({ where }))).count
}

/** Such as `Firefox on Linux`; '' when neither is known. */
function agentName(userAgent: string): string {
  const { browser, os } = agentOf(userAgent)
  return [browser, os].filter(Boolean).join(' on ')
}
