import { type Message, say } from '@/lib/i18n/message'
import { type CodeRules, folded, likelyProblemOn } from './custom'
import { foreignApiOf } from './foreign-paths'
import { asLatin } from './lookalikes'
import { isProtocolPath } from './reserved'

/** Endings by which more is asked of another link (lib/redirect/path.ts). */
const ASKS = /\+$|\.qr(\.png)?$/

/**
 * Why a domain has no room for `code`, or null when it has. Not asked of generated codes. A form asks only what is likely: the
 * rest would be part of every page that has one.
 * @param isTakenOver the link had this code elsewhere: what only protects people from what others choose does not count then
 */
export function codeProblemOn(code: string, rules: CodeRules, isTakenOver = false): Message | null {
  const isKept = rules.isBase ? foreignApiOf(`/${asLatin(folded(code))}`) !== null : isProtocolPath(folded(code))
  if (isKept) return say('forms.code.reserved')
  if (!isTakenOver && ASKS.test(code)) return say('forms.code.asks')
  const likely = likelyProblemOn(code, rules)
  return isTakenOver && likely?.key === 'forms.code.mixed' ? null : likely
}
