import { type Account, anonymous, type Identified, isBanned } from '@/lib/actor'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { User } from '@/lib/db/generated/client'
import { sqlTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { type Message, say } from '@/lib/i18n/message'
import { readCookies } from './cookies'
import type { Credentials } from './credentials'
import { KEY_PREFIX } from './names'

/** The session that a request came with. */
export interface SessionFacts {
  id: string
  token: string
  createdAt: Date
  /** When its owner last showed who they are, by signing in or by their password. */
  provedAt: Date
}

export interface Identity {
  actor: Identified
  /** null for those without an account, and for API keys. */
  session: SessionFacts | null
  /** Set-Cookie headers that prolong the session; none most times. */
  cookies: string[]
}

type Context = { credentials: Credentials; db: DatabaseGateway }

/** What is read of an account for each request. */
type Holder = Pick<User, 'id' | 'name' | 'email' | 'handle' | 'role' | 'banned' | 'banReason' | 'banExpires'>
const HOLDER = 'u.id, u.name, u.email, u.handle, u.role, u.banned, u.banReason, u.banExpires'

/**
 * Who sent these headers: an account by its API key or its session, the holder of a manage token, or anyone. A manage
 * token may come along with a session.
 * @param prolong whether the answer can bring cookies; else the session stays as long as it was
 * @throws TerseError 'unauthorized' for a key that is no good, 'forbidden' for a banned account, 'unavailable'
 */
export async function identify(ctx: Context, headers: Headers, prolong = false): Promise<Identity> {
  const token = bearerOf(headers)
  if (token?.startsWith(KEY_PREFIX)) return { actor: await byKey(ctx, token), session: null, cookies: [] }
  const cookie = readCookies(headers.get('cookie')).get(ctx.credentials.cookieName) ?? null
  const found = cookie === null ? null : await ctx.credentials.session(headers, cookie, prolong)
  if (cookie === null || found === null) return { actor: anonymous(token), session: null, cookies: [] }
  const [row] = await ctx.db.rows<Holder & { sessionId: string } & Omit<SessionFacts, 'id'>>(
    `SELECT ${HOLDER}, s.id AS sessionId, s.token, s.createdAt, COALESCE(s.provedAt, s.createdAt) AS provedAt
       FROM Session AS s JOIN User AS u ON u.id = s.userId
      WHERE s.id = ? AND s.expiresAt > ?`,
    found.id,
    sqlTime(Date.now()),
  )
  if (!row) {
    ctx.credentials.forget(cookie)
    return { actor: anonymous(token), session: null, cookies: [] }
  }
  const account = accountOf(row)
  return {
    actor: { account, ownerId: account.id, scope: 'write', manageToken: token },
    session: { id: row.sessionId, token: row.token, createdAt: row.createdAt, provedAt: row.provedAt },
    cookies: found.cookies,
  }
}

/** The same by the session's cookie alone: what a page shows does not hang on a header that a proxy may have asked for. */
export function identifyByCookie(ctx: Context, given: Headers): Promise<Identity> {
  const headers = new Headers(given)
  headers.delete('authorization')
  return identify(ctx, headers)
}

/**
 * The account of an API key, whatever the key looks like: one that came from another shortener has no prefix of ours.
 * @throws TerseError 'unauthorized' for a key that is no good, 'forbidden' for a banned account, 'unavailable'
 */
export async function byKey(ctx: Context, key: string): Promise<Identified> {
  const id = await ctx.credentials.key(key)
  const found = id === null ? null : await byKeyId(ctx, id)
  if (found) return found
  ctx.credentials.forget(key)
  throw new TerseError('unauthorized', say('api.auth.key'))
}

/**
 * The account of the API key with this ID; null if it is no longer good.
 * @throws TerseError 'forbidden' for a banned account, 'unavailable'
 */
export async function byKeyId({ db }: Pick<Context, 'db'>, id: string): Promise<Identified | null> {
  const [row] = await db.rows<Holder & { permissions: string | null }>(
    `SELECT ${HOLDER}, k.permissions FROM ApiKey AS k JOIN User AS u ON u.id = k.referenceId
      WHERE k.id = ? AND k.enabled AND (k.expiresAt IS NULL OR k.expiresAt > ?)`,
    id,
    sqlTime(Date.now()),
  )
  if (!row) return null
  const account = accountOf(row)
  return { account, ownerId: account.id, scope: scopeOf(row.permissions), manageToken: null }
}

/** What an API key may do, by its column `permissions`. */
export function scopeOf(permissions: string | null): Identified['scope'] {
  return permissions?.includes('"write"') ? 'write' : 'read'
}

/** @throws TerseError 'forbidden' when it is banned */
export function accountOf(user: Holder): Account {
  if (isBanned(user)) throw new TerseError('forbidden', banMessage(user))
  const { id, name, email, handle, role } = user
  return { id, name, email, handle: handle ?? '', role: role === 'admin' ? 'admin' : 'user' }
}

/** @throws TerseError 'unauthorized' for an Authorization header that is no bearer token */
function bearerOf(headers: Headers): string | null {
  const header = headers.get('authorization')
  if (header === null) return null
  const token = /^Bearer ([\w~+/.=-]{1,512})$/i.exec(header)?.[1]
  if (token === undefined) throw new TerseError('unauthorized', say('api.auth.bearer'))
  return token
}

/** What a banned account is told. */
export function banMessage({ banReason }: { banReason?: string | null | undefined }): Message {
  return banReason ? say('api.account.bannedWhy', { reason: banReason }) : say('api.account.banned')
}
