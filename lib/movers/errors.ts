import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'

/** It does not answer now, and may later. @param retryAfter in seconds */
export const notAnswering = (host: string, retryAfter: number) =>
  new TerseError('rate_limited', say('api.move.away', { host }), { retryAfter })

/** It may not be asked: it is not on the public internet. */
export const notReachable = (code: 'bad_request' | 'validation_failed', host: string, cause: unknown) =>
  new TerseError(code, say('api.move.private', { host }), { cause })

/** It answers, and not as such a system does. */
export const notAsExpected = () => new TerseError('bad_request', say('api.move.answer'))
