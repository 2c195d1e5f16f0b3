import { isOutage } from '@/lib/db/sql-gateway'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'

/**
 * What better-auth does for `work`, with an outage told as everywhere else: better-auth throws an error of its own for it.
 * @throws TerseError 'unavailable' in an outage; else what `work` throws
 */
export async function throughAuth<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { statusCode } = cause as { statusCode?: number }
    if (isTerseError(cause) || !(isOutage(cause) || (statusCode !== undefined && statusCode >= 500))) throw cause
    throw new TerseError('unavailable', say('api.auth.outage'), { retryAfter: 2, cause })
  }
}
