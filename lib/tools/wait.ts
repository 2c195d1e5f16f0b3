import { type Message, say } from '@/lib/i18n/message'

/** A time to wait: “in 5 minutes”. @param seconds `Retry-After`; NaN: not known */
export function waitFor(seconds: number): Message {
  if (!Number.isFinite(seconds) || seconds <= 1) return say('forms.wait.moment')
  if (seconds < 100) return say('forms.wait.seconds', { count: Math.ceil(seconds) })
  if (seconds < 6000) return say('forms.wait.minutes', { count: Math.ceil(seconds / 60) })
  return say('forms.wait.hours', { count: Math.ceil(seconds / 3600) })
}
