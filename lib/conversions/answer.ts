import type { Account } from '@/lib/actor'
import { TerseError } from '@/lib/errors'
import type { Writer } from '@/lib/i18n/message'
import { say } from '@/lib/i18n/message'
import { answerOnce, type Idempotency } from '@/lib/links/idempotency'
import { type ConversionContext, type Result, reportConversions } from './report'
import type { ReportedConversions } from './schemas'

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
  return answerOnce(ctx, named, async (keep) => {
    const results = await reportConversions(ctx, account, inputs, async (tx, told) => {
      if (!areRefused(told)) await keep(tx, shown(told, write))
    })
    if (areRefused(results)) throw refusal(results)
    return shown(results, write)
  })
}

const areRefused = (results: readonly Result[]) => results.every(({ outcome }) => outcome === 'refused')

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
