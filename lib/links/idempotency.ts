import { createHash } from 'node:crypto'
import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { Link } from '@/lib/db/generated/client'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import type { Domains } from '@/lib/domains/domains'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { Filing } from '@/lib/labels/schemas'
import { keyedHash, sha256 } from '@/lib/tools/hash'
import { DAY } from '@/lib/tools/time'
import { manageToken } from './access'
import type { LinkContext } from './context'
import type { LinkView } from './schemas'
import { toView } from './view'

/** How long an answer is kept for its key, in ms. */
export const IDEMPOTENCY_LIFETIME = DAY

export interface Idempotency {
  key: Buffer<ArrayBuffer>
  requestHash: Buffer<ArrayBuffer>
}

/** Versions 4 and 7 of RFC 9562: those with enough random bits. */
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
const RANDOM_UUID = new RegExp(`^${UUID}$`, 'i')
/** Nobody has two of them from an example. */
const TWO_UUIDS = new RegExp(`^${UUID}\\.${UUID}$`, 'i')

/**
 * Refuses a key that others may guess or use as well. Without an account the key is all that tells two clients behind one address
 * apart, and the answer holds the token that manages the link: a key made from the request, say, would give it to both.
 * @returns to whom the key belongs: for one that is twice as long, to anyone who knows it
 * @throws TerseError 'bad_request'
 */
export function scopeWithoutAccount(key: string, client: string): string {
  // A phone that asks again may be on another network by then.
  if (TWO_UUIDS.test(key)) return ''
  if (RANDOM_UUID.test(key)) return client
  throw new TerseError('bad_request', say('api.link.idempotencyUuid'))
}

/** A key in the form of a random UUID. @param text makes the key, which is as hard to guess as this is */
export function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`
}

/**
 * @param scope the owner of the key: the same key of two clients is two keys
 * @throws TerseError 'bad_request' for an unusable key
 */
export function idempotencyOf(secret: string, key: string, scope: string, body: unknown): Idempotency {
  if (key.length === 0 || key.length > 255) throw new TerseError('bad_request', say('api.link.idempotencyLength'))
  return { key: sha256(`${scope}\n${key}`), requestHash: keyedHash(secret, JSON.stringify(body)) }
}

/** The row that remembers an answer; the manage token is not in it, it can be derived again. */
export function idempotencyRow(idempotency: Idempotency, link: Link, domains: Domains, filing: Filing | null) {
  const response = JSON.stringify({ ...toView(link, domains), ...filing })
  return { ...idempotency, linkId: link.id, response, createdAt: new Date() }
}

/** An answer that was written down for its key: JSON, and the link that it is about; 0 where it is about none. */
interface KeptAnswer {
  response: string
  linkId: bigint
}

/**
 * The answer given to this request before, or null.
 * @throws TerseError 'validation_failed' when the key was used for a different request
 */
export async function keptAnswer(ctx: Pick<LinkContext, 'db'>, idempotency: Idempotency): Promise<KeptAnswer | null> {
  const row = await ctx.db.read((client) => client.idempotencyKey.findUnique({ where: { key: idempotency.key } }))
  if (!row) return null
  if (row.createdAt.getTime() < Date.now() - IDEMPOTENCY_LIFETIME) {
    await ctx.db.write((client) =>
      client.idempotencyKey.deleteMany({ where: { key: idempotency.key, createdAt: row.createdAt } }),
    )
    return null
  }
  if (!idempotency.requestHash.equals(row.requestHash)) {
    throw new TerseError('validation_failed', say('api.link.idempotencyUsed'))
  }
  return row
}

/** The same request came twice at once, and the other was first. */
class AnsweredMeanwhile extends Error {}

/**
 * Answers a request, and answers the same request with the same again.
 * @param named names the request; null: each is a new one
 * @param run gives `keep` its answer, in the transaction that makes it true; what it doesn’t keep is answered this once. Where
 *   finding an answer uses something up, it asks `claim` first of all in that transaction: the same request, come twice at once,
 *   waits there until it is known what came of the first. That gives what keeps the answer.
 * @throws what `run` throws; as `keptAnswer`
 */
export async function answerOnce<Answer extends object>(
  ctx: Pick<LinkContext, 'db'>,
  named: Idempotency | null,
  run: (
    keep: (tx: SqlTransaction, answer: Answer) => Promise<void>,
    claim: (tx: Transaction) => Promise<(answer: Answer) => Promise<void>>,
  ) => Promise<Answer>,
): Promise<Answer & { isReplayed: boolean }> {
  const answerBefore = async () => {
    const kept = named && (await keptAnswer(ctx, named))
    return kept && { ...(JSON.parse(kept.response) as Answer), isReplayed: true }
  }
  const before = await answerBefore()
  if (before) return before
  try {
    const answer = await run(
      async (tx, given) => {
        if (named) await keep(tx, named, given)
      },
      (tx) => claim(tx, named),
    )
    return { ...answer, isReplayed: false }
  } catch (error) {
    const other = error instanceof AnsweredMeanwhile ? await answerBefore() : null
    if (other) return other
    throw error
  }
}

async function keep(tx: SqlTransaction, named: Idempotency, answer: object): Promise<void> {
  const row = { ...named, linkId: 0n, response: JSON.stringify(answer), createdAt: sqlTime(Date.now()) }
  try {
    await tx.insert('IdempotencyKey', ['key', 'requestHash', 'linkId', 'response', 'createdAt'], [row])
  } catch (error) {
    throw isUniqueViolation(error) ? new AnsweredMeanwhile() : error
  }
}

async function claim(tx: Transaction, named: Idempotency | null): Promise<(answer: object) => Promise<void>> {
  if (!named) return () => Promise.resolve()
  try {
    await tx.idempotencyKey.createMany({ data: [{ ...named, linkId: 0n, response: '', createdAt: new Date() }] })
  } catch (error) {
    throw isUniqueViolation(error) ? new AnsweredMeanwhile() : error
  }
  return async (answer) => {
    await tx.idempotencyKey.updateMany({ where: { key: named.key }, data: { response: JSON.stringify(answer) } })
  }
}

/** The same for a link, with its token. */
export async function replay(ctx: LinkContext, idempotency: Idempotency): Promise<LinkView | null> {
  const kept = await keptAnswer(ctx, idempotency)
  if (!kept) return null
  const link = JSON.parse(kept.response) as LinkView
  return { ...link, manageToken: manageToken(ctx.config.APP_SECRET, kept.linkId) }
}
