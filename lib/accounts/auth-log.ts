import type { BetterAuthOptions } from 'better-auth'
import type { Logger } from 'pino'
import { isUniqueViolation } from '@/lib/db/errors'
import { describeError, redact } from '@/lib/log'

/**
 * The log of better-auth, as ours: its words, and the errors beside them as everywhere. All else that it adds is what was typed
 * or sent, such as the `error` of an address that anyone can open, and stays out.
 */
export function authLog(log: Logger): NonNullable<BetterAuthOptions['logger']> {
  return {
    level: 'warn',
    log: (level, message: unknown, ...rest) => {
      const errors = [message, ...rest].filter((part) => part instanceof Error).map(describeError)
      const words = typeof message === 'string' ? redact(message) : 'better-auth failed'
      // Of two who ask for the same at once, one comes second.
      const isLost = rest.some((part) => isUniqueViolation(part))
      log[level === 'error' && !isLost ? 'error' : 'debug'](errors.length > 0 ? { errors } : {}, words)
    },
  }
}
