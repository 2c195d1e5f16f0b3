import type { Claim } from '@/lib/codes/registry'
import { TerseError } from '@/lib/errors'
import { type Message, say } from '@/lib/i18n/message'

/** What a claim of a code means, for one link and for many at once. */

/** How many codes in a row the filter alone may refuse: the first is known when the same address was shortened before. */
export const BELIEVED_REFUSALS = 2

/**
 * Whether MySQL is asked if a generated code is free, as it always is of a chosen one that is not claimed.
 * @param refusals by the filter before: one that is too full takes nearly every code for a known one
 */
export const isUndecided = (claim: Claim, refusals: number) =>
  claim === 'unknown' || claim === 'reclaimed' || (claim === 'maybe' && refusals >= BELIEVED_REFUSALS)

/** A code that was chosen belongs to another link. */
export const codeTaken = (code: string) => codeConflict(say('api.link.codeTaken', { code }))

/** It is below a link of someone else that answers for all paths below its own code. @param code of that link */
export const codeBelow = (code: string) => codeConflict(say('api.link.codeBelow', { code }))

/** It was made offline by a key that is not the account's, or for another link. */
export const codeOffline = (code: string) => codeConflict(say('api.link.codeOffline', { code }))

/** It belonged to one that was deleted. @param until in ms; Infinity: for ever */
export const codeReserved = (code: string, until: number) =>
  codeConflict(
    Number.isFinite(until) ? say('api.link.codeReserved', { code, until }) : say('api.link.codeReservedForever', { code }),
  )

const codeConflict = (message: Message) => new TerseError('conflict', message, { errors: [{ path: 'code', message }] })

/** No code could be generated that is free. */
export const noCode = () => new TerseError('unavailable', say('api.link.noCode'), { retryAfter: 1 })
