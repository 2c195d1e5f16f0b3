import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Identified } from '@/lib/actor'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { sqlTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { sha256 } from '@/lib/tools/hash'
import { HOUR } from '@/lib/tools/time'
import { byKeyId } from './identify'

/**
 * Signature tokens of API keys, as clients of YOURLS use them. A token goes along with a request, or a hash of it and the time
 * does, which tells those who read it along the way nothing that lasts. To check such a hash, the token has to be known; so it is
 * derived from the secret of the deployment and the ID of its key, and only its hash is stored, by which it is found.
 */

/** Hashes that are taken. MD5 is what most clients send: of a token of 128 bits that nobody chose, it gives nothing away. */
const HASHES = ['md5', 'sha256', 'sha384', 'sha512']
/** How long a signature with a time counts, before and after, in ms: as in YOURLS. */
const LIFE = 12 * HOUR
/** Keys with a token that a signature with a time is tried on: a few ms. */
export const MOST_TRIED = 1_000

/** What a request is signed with. */
export interface Signature {
  signature: string
  /** Seconds since 1970, if it is a hash. */
  timestamp?: string | undefined
  /** The name of the hash. */
  hash?: string | undefined
  /** The handle of the account, if the request names it. */
  handle?: string | undefined
}

/** The token of a key: 32 letters and digits. */
export const tokenOf = (secret: string, keyId: string): string =>
  createHmac('sha256', secret).update(`signature:${keyId}`).digest('hex').slice(0, 32)

/** What is stored of it. */
export const hashOfToken = (token: string): string => sha256(token).toString('base64url')

interface Context {
  config: { APP_SECRET: string }
  db: DatabaseGateway
}

/**
 * The account whose key made a signature.
 * @throws TerseError 'unauthorized' for one that is no good, 'conflict' when too many keys would have to be tried,
 *   'forbidden' for a banned account, 'unavailable'
 */
export async function bySignature(ctx: Context, given: Signature): Promise<Identified> {
  const id = given.timestamp === undefined ? await byToken(ctx, given.signature) : await byTime(ctx, given, given.timestamp)
  const found = id === null ? null : await byKeyId(ctx, id)
  if (!found || id === null) throw new TerseError('unauthorized', say('api.auth.key'))
  await ctx.db.change(
    'UPDATE ApiKey SET lastRequest = ?, requestCount = requestCount + 1 WHERE id = ? AND (lastRequest IS NULL OR lastRequest < ?)',
    ...[sqlTime(Date.now()), id, sqlTime(Date.now() - NOTED)],
  )
  return found
}

/** How often the use of a key is written down, in ms: a script sends many requests at once. */
const NOTED = 30_000

async function byToken({ db }: Context, token: string): Promise<string | null> {
  const [row] = await db.rows<{ id: string }>('SELECT id FROM ApiKey WHERE signature = ?', hashOfToken(token))
  return row?.id ?? null
}

async function byTime(
  { config, db }: Context,
  { signature, hash, handle }: Signature,
  timestamp: string,
): Promise<string | null> {
  const name = (hash ?? '').toLowerCase()
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() - Number(timestamp) * 1000) >= LIFE) return null
  // Clients of YOURLS name none when they mean what their release had as the default.
  const hashes = hash === undefined ? ['md5', 'sha256'] : HASHES.filter((one) => one === name)
  const whose = handle === undefined ? 'TRUE' : 'referenceId = (SELECT User.id FROM User WHERE handle = ?)'
  const rows = await db.rows<{ id: string }>(
    `SELECT id FROM ApiKey WHERE signature > '' AND enabled AND ${whose} LIMIT ${MOST_TRIED + 1}`,
    ...(handle === undefined ? [] : [handle]),
  )
  if (rows.length > MOST_TRIED) throw new TerseError('conflict', say('api.auth.signatures'))
  const shown = Buffer.from(signature.toLowerCase())
  for (const { id } of rows) {
    const token = tokenOf(config.APP_SECRET, id)
    for (const one of hashes) {
      for (const text of [timestamp + token, token + timestamp]) {
        const made = Buffer.from(createHash(one).update(text).digest('hex'))
        if (made.length === shown.length && timingSafeEqual(made, shown)) return id
      }
    }
  }
  return null
}
