import type { DatabaseGateway } from '@/lib/db/gateway'
import type { User } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { type Account, type Actor, anonymous } from '@/lib/links/context'
import type { Auth } from './auth'
import { banMessage } from './ban-message'
import { KEY_PREFIX } from './names'

/** The session that a request came with. */
export interface SessionFacts {
  id: string
  token: string
  createdAt: Date
}

export interface Identity {
  actor: Actor
  /** null for those without an account, and for API keys. */
  session: SessionFacts | null
}

type Context = { auth: Auth; db: DatabaseGateway }

/**
 * Who sent these headers: an account by its API key or its session, whoever has a manage token, or anyone. A manage
 * token may come along with a session.
 * @throws TerseError 'unauthorized' for a key that is no good, 'forbidden' for a banned account, 'unavailable'
 */
export async function identify(ctx: Context, headers: Headers): Promise<Identity> {
  const token = bearerOf(headers)
  if (token?.startsWith(KEY_PREFIX)) return { actor: await byKey(ctx, token), session: null }
  const found = hasSession(headers) ? await ctx.db.read(() => ctx.auth.api.getSession({ headers })) : null
  if (!found) return { actor: anonymous(token), session: null }
  const user = await ctx.db.read((client) => client.user.findUnique({ where: { id: found.user.id } }))
  if (!user) return { actor: anonymous(token), session: null }
  const account = accountOf(user)
  const { id, token: sessionToken, createdAt } = found.session
  return {
    actor: { account, ownerId: account.id, scope: 'write', manageToken: token },
    session: { id, token: sessionToken, createdAt },
  }
}

async function byKey({ auth, db }: Context, key: string): Promise<Actor> {
  const { valid, key: found } = await db.read(() => auth.api.verifyApiKey({ body: { key } }))
  const user = valid && found ? await db.read((client) => client.user.findUnique({ where: { id: found.referenceId } })) : null
  if (!user) throw new TerseError('unauthorized', 'This API key is not valid, or has expired.')
  const account = accountOf(user)
  const scope = found?.permissions?.links?.includes('write') ? 'write' : 'read'
  return { account, ownerId: account.id, scope, manageToken: null }
}

/** @throws TerseError 'forbidden' when it is banned */
export function accountOf(user: User): Account {
  if (isBanned(user)) throw new TerseError('forbidden', banMessage(user))
  const { id, name, email, handle, role } = user
  return { id, name, email, handle: handle ?? '', role: role === 'admin' ? 'admin' : 'user' }
}

/** Whether a ban is in force. */
export function isBanned(user: Pick<User, 'banned' | 'banExpires'>, now = Date.now()): boolean {
  return user.banned && (user.banExpires === null || user.banExpires.getTime() > now)
}

/** Whether there is a session cookie to look up. */
function hasSession(headers: Headers): boolean {
  return /(?:^|[;\s])(?:__Secure-)?terse\.session_token=/.test(headers.get('cookie') ?? '')
}

/** @throws TerseError 'unauthorized' for an Authorization header that is no bearer token */
function bearerOf(headers: Headers): string | null {
  const header = headers.get('authorization')
  if (header === null) return null
  const token = /^Bearer ([\w~+/.=-]{1,512})$/i.exec(header)?.[1]
  if (token === undefined) throw new TerseError('unauthorized', 'Use “Authorization: Bearer <token>”.')
  return token
}
