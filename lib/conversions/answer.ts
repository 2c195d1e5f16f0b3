import type { Account } from '@/lib/actor'
import { isUniqueViolation } from '@/lib/db/errors'
import type { SqlTransaction } from '@/lib/db/sql'
import { sqlTime } from '@/lib/db/time'
import { TerseError } from '@/lib/errors'
import type { Writer } from '@/lib/i18n/message'
import { say } from '@/lib/i18n/message'
import { type Idempotency, keptAnswer } from '@/lib/links/idempotency'
import { type ConversionContext, type Result, reportConversions } from './report'
import type { ReportedConversions } from './schemas'

/** This request was answered before. */
class AnsweredBefore extends Error {}

/**
 * Counts conversions, and writes down the answer for its key in the same transaction: a request that comes again gets it.
 * @param named names the request; null: each is a new one
 * @param write puts messages in the language of the caller
 * @throws TerseError 'validation_failed' if all are refused, or the key was used for another request; 'unavailable'
 */
export async function answerReport(
  ctx: ConversionContext,
  account: Pick<Account, 'id'>,
  inputs: readonly unknown[],
  named: Idempotency | null,
  write: Writer,
): Promise<ReportedConversions & { isReplayed: boolean }> {
  const before = named && (await answerBefore(ctx, named))
  if (before) return before
  try {
    const results = await reportConversions(ctx, account, inputs, async (tx, told) => {
      if (named && !areRefused(told)) await keep(tx, named, shown(told, write))
    })
    if (areRefused(results)) throw refusal(results)
    return { ...shown(results, write), isReplayed: false }
  } catch (error) {
    const other = named && error instanceof AnsweredBefore ? await answerBefore(ctx, named) : null
    if (other) return other
    throw error
  }
}

const areRefused = (results: readonly Result[]) => results.every(({ outcome }) => outcome === 'refused')

async function keep(tx: SqlTransaction, named: Idempotency, answer: ReportedConversions): Promise<void> {
  const row = { ...named, linkId: 0n, response: JSON.stringify(answer), createdAt: sqlTime(Date.now()) }
  try {
    await tx.insert('IdempotencyKey', ['key', 'requestHash', 'linkId', 'response', 'createdAt'], [row])
  } catch (error) {
    // The same request came twice at once, and the other was first.
    throw isUniqueViolation(error) ? new AnsweredBefore() : error
  }
}

async function answerBefore(
  ctx: ConversionContext,
  named: Idempotency,
): Promise<(ReportedConversions & { isReplayed: true }) | null> {
  const kept = await keptAnswer(ctx, named)
  return kept && { ...(JSON.parse(kept.response) as ReportedConversions), isReplayed: true }
}

/** Names each wrong field by the place of its conversion. */
function refusal(results: readonly Result[]): TerseError {
  const errors = results.flatMap((result, i) =>
    result.outcome === 'refused'
      ? result.errors.map(({ path, message }) => ({ path: `conversions.${i}${path && `.${path}`}`, message }))
      : [],
  )
  const [first] = errors
  const said =
    errors.length === 1 && first
      ? say('api.field', { path: first.path, problem: first.message })
      : say('api.conversion.noneCounted')
  return new TerseError('validation_failed', said, { errors })
}

function shown(results: readonly Result[], write: Writer): ReportedConversions {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  return {
    counted: count('counted'),
    repeated: count('repeated'),
    refused: count('refused'),
    results: results.map((result) => ({
      outcome: result.outcome,
      id: result.outcome === 'counted' ? result.id.toString() : null,
      errors: result.outcome === 'refused' ? result.errors.map(({ path, message }) => ({ path, message: write(message) })) : [],
    })),
  }
}
