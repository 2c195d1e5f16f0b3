import { type GiveBack, reserveAttempt } from '@/lib/accounts/attempts'
import { cookieName } from '@/lib/accounts/cookies'
import { identify } from '@/lib/accounts/identify'
import type { Runtime } from '@/lib/runtime'
import type { AuthPath, Tries } from './auth-paths'
import type { Fields } from './auth-request'

/** A request under /api/auth, as far as it was read. */
export interface Asked {
  rule: AuthPath
  fields: Fields
  headers: Headers
  cookies: ReadonlyMap<string, string>
  /** The client's address, or its /64. */
  client: string
}

/** The account that is really tried, and the name that was typed, by which its limit is counted. */
type Target = { id?: string; name?: string } | null

/**
 * Counts what a request tries.
 * @returns takes it back, once `countsBy` says that it does not count; null where it must not be tried (lib/accounts/attempts.ts)
 * @throws TerseError 'rate_limited', 'unavailable'
 */
export async function countAttempt(ctx: Runtime, asked: Asked): Promise<GiveBack | null> {
  const { rule, client, cookies } = asked
  if (rule.limit === 'signUp') {
    // What is refused costs too, if less.
    await ctx.limits.consume('account', client)
    return ctx.limits.reserve('signUp', client)
  }
  if (rule.limit !== 'signIn') {
    await ctx.limits.consume(rule.limit, client)
    return async () => {}
  }
  const account = rule.tries ? await targetOf(ctx, asked, rule.tries) : null
  const device = cookies.get(cookieName(ctx.config, 'device'))
  return reserveAttempt(ctx, { secret: rule.tries?.secret ?? 'password', account, client, device })
}

/**
 * Whether what was tried counts, by how it was answered: a sign-in that failed, and not for an outage; a sign-up that made an
 * account or told of one (422), and was not refused for what was typed.
 */
export function countsBy({ limit }: AuthPath, { status }: Response): boolean {
  return limit === 'signUp' ? status < 400 || status === 422 : status >= 400 && status < 500
}

async function targetOf(ctx: Runtime, { fields, headers, cookies }: Asked, { of }: Tries): Promise<Target> {
  if (of === 'caller') {
    const { actor } = await identify(ctx, headers)
    const id = actor.account?.id ?? (await challenged(ctx, cookies))
    return id ? { id } : null
  }
  const name = nameOf(fields[of])
  // Compared as the database compares, by which better-auth finds the account too.
  const column = of === 'email' ? 'email' : 'handle'
  const [row] = await ctx.db.rows<{ id: string }>(`SELECT id FROM User WHERE ${column} = ?`, name)
  return { ...row, name: `${of} ${name}` }
}

/** The account whose password was given, and which is asked for a code now. */
async function challenged({ config, db }: Runtime, cookies: ReadonlyMap<string, string>): Promise<string | null> {
  const [identifier] = decoded(cookies.get(cookieName(config, 'two_factor')) ?? '').split('.')
  if (!identifier) return null
  const [row] = await db.rows<{ value: string }>('SELECT value FROM Verification WHERE identifier = ? LIMIT 1', identifier)
  return row?.value ?? null
}

/** @returns '' for what cannot be decoded */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

const nameOf = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase().slice(0, 254) : '')
