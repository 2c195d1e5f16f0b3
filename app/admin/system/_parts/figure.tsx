import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { Badge, type Tone } from '@/app/_ui/base/badge'
import { cx } from '@/app/_ui/base/cx'
import type { Health, Figure as Name } from '@/lib/overview/health'

type State = 'ok' | 'warning' | 'problem'

const LOOKS = {
  ok: { tone: 'ok', icon: CircleCheck, color: 'text-ok' },
  warning: { tone: 'warn', icon: TriangleAlert, color: 'text-warn' },
  problem: { tone: 'danger', icon: CircleAlert, color: 'text-danger' },
} satisfies Record<State, { tone: Tone; icon: unknown; color: string }>

interface Props {
  name: Name
  health: Health
  children: ReactNode
}

/** A figure that is judged: how it is, and what to do where it is not as it should be. */
export function Figure({ name, health, children }: Props) {
  const t = useTranslations('system')
  const finding = health[name]
  const state = finding?.state ?? 'ok'
  const { icon: Icon, color } = LOOKS[state]
  return (
    <div id={idOf(name)} tabIndex={-1} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 py-2.5">
      <dt className="text-muted">{t(`figure.${name}`)}</dt>
      <dd className="flex min-w-0 gap-2 text-right tabular-nums">
        <span className="min-w-0 text-anywhere">{children}</span>
        <Icon role="img" aria-label={t(`state.${state}`)} className={cx('mt-0.5 size-4 shrink-0', color)} />
      </dd>
      {finding && <dd className={cx('basis-full text-[13px] text-pretty', color)}>{t(`advice.${finding.advice}`)}</dd>}
    </div>
  )
}

/** Where on the page a figure stands. */
export const idOf = (name: Name) => `figure-${name}`

/** The worst state of these figures. */
export function WorstState({ of, health }: { of: readonly Name[]; health: Health }) {
  const t = useTranslations('system')
  const states = of.map((name) => health[name]?.state)
  const state: State = states.includes('problem') ? 'problem' : states.includes('warning') ? 'warning' : 'ok'
  return <Badge tone={LOOKS[state].tone}>{t(`state.${state}`)}</Badge>
}
