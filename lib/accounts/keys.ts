import { randomInt, randomUUID } from 'node:crypto'
import type { ApiKey } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { DAY } from '@/lib/tools/time'
import type { AccountContext } from './context'
import { hashOfKey } from './credentials'
import { scopeOf } from './identify'
import { KEY_PREFIX } from './names'
import { tellOwner } from './notices'
import type { ApiKeyView, CreateApiKey } from './schemas'

/** Keys of one account. */
const MAX_KEYS = 100
/** Of its prefix and so many letters a key consists. */
const KEY_LETTERS = 64
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Characters by which its owner knows it. */
const START = KEY_PREFIX.length + 6

/**
 * Makes an API key.
 * @returns it with the key itself, which is shown this once: only a hash is kept
 * @throws TerseError 'conflict' when there are too many, 'unavailable'
 */
export async function createKey(ctx: AccountContext, userId: string, input: CreateApiKey, locale: Locale): Promise<ApiKeyView> {
  const there = await ctx.db.read((client) => client.apiKey.count({ where: { referenceId: userId } }))
  if (there >= MAX_KEYS) throw new TerseError('conflict', say('api.account.tooManyKeys', { most: MAX_KEYS }))
  const key = KEY_PREFIX + Array.from({ length: KEY_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  const now = new Date()
  const data = {
    id: randomUUID(),
    name: input.name,
    start: key.slice(0, START),
    prefix: KEY_PREFIX,
    referenceId: userId,
    key: hashOfKey(key),
    permissions: JSON.stringify({ links: input.scope === 'write' ? ['read', 'write'] : ['read'] }),
    expiresAt: input.expiresInDays === null ? null : new Date(now.getTime() + input.expiresInDays * DAY),
    createdAt: now,
    updatedAt: now,
  }
  const row = await ctx.db.write((client) => client.apiKey.create({ data }))
  const owner = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { id: userId } }))
  void tellOwner(ctx, owner, { kind: 'API key', name: input.name }, locale)
  return { ...toView(row), key }
}

/** The account's keys, newest first. @throws TerseError 'unavailable' */
export async function listKeys(ctx: AccountContext, userId: string): Promise<ApiKeyView[]> {
  const rows = await ctx.db.read((client) =>
    client.apiKey.findMany({ where: { referenceId: userId }, orderBy: { createdAt: 'desc' } }),
  )
  return rows.map(toView)
}

/** Takes a key back, at once. @throws TerseError 'not_found', 'unavailable' */
export async function deleteKey(ctx: AccountContext, userId: string, id: string): Promise<void> {
  const { count } = await ctx.db.write((client) => client.apiKey.deleteMany({ where: { id, referenceId: userId } }))
  if (count === 0) throw new TerseError('not_found', say('api.account.noKey'))
}

function toView(row: ApiKey): ApiKeyView {
  return {
    id: row.id,
    name: row.name ?? '',
    start: row.start ?? '',
    scope: scopeOf(row.permissions),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastRequest?.toISOString() ?? null,
  }
}
