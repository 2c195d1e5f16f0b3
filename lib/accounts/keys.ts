import type { ApiKey } from '@/lib/db/generated/client'
import { TerseError } from '@/lib/errors'
import { DAY } from '@/lib/tools/time'
import type { AccountContext } from './context'
import { scopeOf } from './identify'
import { tellOwner } from './notices'
import { throughAuth } from './outage'
import type { ApiKeyView, CreateApiKey } from './schemas'

/** Keys of one account. */
const MAX_KEYS = 100

/**
 * Makes an API key.
 * @returns it with the key itself, which is shown this once: only a hash is kept
 * @throws TerseError 'conflict' when there are too many, 'unavailable'
 */
export async function createKey(ctx: AccountContext, userId: string, input: CreateApiKey): Promise<ApiKeyView> {
  const there = await ctx.db.read((client) => client.apiKey.count({ where: { referenceId: userId } }))
  if (there >= MAX_KEYS) throw new TerseError('conflict', `An account can have ${MAX_KEYS} keys. Delete one first.`)
  const { id, key } = await throughAuth(() =>
    ctx.auth.api.createApiKey({
      body: {
        userId,
        name: input.name,
        expiresIn: input.expiresInDays === null ? null : (input.expiresInDays * DAY) / 1_000,
        permissions: { links: input.scope === 'write' ? ['read', 'write'] : ['read'] },
      },
    }),
  )
  const row = await ctx.db.read((client) => client.apiKey.findUniqueOrThrow({ where: { id } }))
  const owner = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { id: userId } }))
  void tellOwner(ctx, owner, { kind: 'API key', name: input.name })
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
  if (count === 0) throw new TerseError('not_found', 'There is no such key.')
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
