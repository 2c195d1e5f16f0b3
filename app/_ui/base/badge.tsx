import type { ReactNode } from 'react'
import { cx } from './cx'

export type Tone = 'neutral' | 'ok' | 'warn' | 'danger'

const TONES: Record<Tone, string> = {
  neutral: 'bg-bg text-muted border-line',
  ok: 'bg-ok-soft text-ok border-transparent',
  warn: 'bg-warn-soft text-warn border-transparent',
  danger: 'bg-danger-soft text-danger border-transparent',
}

/** A state in a word or two. Its colour only repeats what the words say. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={cx('rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap', TONES[tone])}>{children}</span>
  )
}
