import { randomInt, randomUUID } from 'node:crypto'
import { offlineKeyOf } from '@/lib/codes/offline-secrets'
import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { ApiKey } from '@/lib/db/generated/client'
import { invalidField, TerseError } from '@/lib/errors'
import type { Locale } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import { DAY } from '@/lib/tools/time'
import type { AccountContext } from './context'
import { hashOfKey } from './credentials'
import { isGuessableKey } from './guessable-keys'
import { scopeOf } from './identify'
import { lockUser } from './locks'
import { KEY_PREFIX } from './names'
import { tellOwner } from './notices'
import type { ApiKeyView, CreateApiKey } from './schemas'
import { hashOfToken, tokenOf } from './signatures'

/** Keys of one account. */
const MAX_KEYS = 100
/** Of its prefix and so many letters a key consists. */
const KEY_LETTERS = 64
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Characters by which its owner knows it. */
const START = KEY_PREFIX.length + 6

/** By which the owner of a key that came as a hash knows it: its own first characters nobody knows. */
const HASH_START = 'sha256:'

/**
 * Makes an API key, or takes one that another shortener made, of which only the hash is known.
 * @returns it with the key itself, its signature token and its offline key, which are shown this once
 * @throws TerseError 'validation_failed' for a key that is in use, or that anybody could guess, 'conflict' when there are too
 *   many, 'not_found' for an account that is gone, 'unavailable'
 */
export async function createKey(ctx: AccountContext, userId: string, input: CreateApiKey, locale: Locale): Promise<ApiKeyView> {
  const made = input.hash === undefined ? newKey() : null
  if (input.hash !== undefined && (await isGuessableKey(Buffer.from(input.hash, 'hex')))) {
    throw invalidField('hash', say('api.account.keyGuessable'))
  }
  const id = randomUUID()
  const token = input.signature ? tokenOf(ctx.config.APP_SECRET, id) : null
  const now = new Date()
  const data = {
    id,
    name: input.name,
    start: made?.slice(0, START) ?? HASH_START + input.hash?.slice(0, 6),
    prefix: made && KEY_PREFIX,
    referenceId: userId,
    key: made === null ? Buffer.from(input.hash ?? '', 'hex').toString('base64url') : hashOfKey(made),
    signature: token && hashOfToken(token),
    permissions: JSON.stringify({ links: input.scope === 'write' ? ['read', 'write'] : ['read'] }),
    expiresAt: input.expiresInDays === null ? null : new Date(now.getTime() + input.expiresInDays * DAY),
    createdAt: now,
    updatedAt: now,
  }
  const { row, owner } = await ctx.db.atomic(async (tx) => {
    // Locked: of many at once none passes the limit.
    const owner = await lockUser(tx, userId)
    if ((await tx.apiKey.count({ where: { referenceId: userId } })) >= MAX_KEYS) {
      throw new TerseError('conflict', say('api.account.tooManyKeys', { most: MAX_KEYS }))
    }
    // A signature token, which scripts send in place of a key, is no key of anyone's.
    const isToken = made === null && (await tx.apiKey.count({ where: { signature: data.key } })) > 0
    if (isToken) throw invalidField('hash', say('api.account.keyInUse'))
    return { row: await insert(tx, data), owner }
  })
  void tellOwner(ctx, owner, { kind: 'API key', name: input.name }, locale)
  return {
    ...toView(row),
    ...(made !== null && { key: made }),
    ...(token !== null && { signature: token }),
    ...(input.offline && { offline: offlineKey(ctx, id) }),
  }
}

/** Codes of links on the default domain can be made with it at once. */
const offlineKey = ({ config: { APP_SECRET, BASE_URL }, domains }: AccountContext, keyId: string): string =>
  offlineKeyOf(APP_SECRET, keyId, { base: new URL(BASE_URL).origin, domain: domains.defaultHost })

const newKey = () => KEY_PREFIX + Array.from({ length: KEY_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** The index decides whether a key is in use. */
async function insert(tx: Transaction, data: Parameters<Transaction['apiKey']['create']>[0]['data']): Promise<ApiKey> {
  try {
    return await tx.apiKey.create({ data })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw invalidField('hash', say('api.account.keyInUse'))
  }
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
