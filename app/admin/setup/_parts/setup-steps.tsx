import { Check } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import { PageHead } from '@/app/_ui/base/page-head'
import { FIRST_STEPS, type FirstStep } from '@/lib/overview/first-steps'
import { StepTitle } from './step-title'

/** Of the page: after the first steps comes what is left of them. */
export const STEPS = [...FIRST_STEPS, 'summary'] as const
export type Step = (typeof STEPS)[number]

/** Of the title of the step, to which links to it lead. */
const STEP_ID = 'step'

interface Props {
  /** What this site is called. */
  name: string
  step: Step
  done: Record<FirstStep, boolean>
  /** What the step says. */
  children: ReactNode
}

/** The steps, which of them are done, one of them, and the way to the next. */
export function SetupSteps({ name, step, done, children }: Props) {
  const t = useTranslations('setup')
  const next = STEPS[STEPS.indexOf(step) + 1]
  const isOver = step === 'summary' || done[step]
  return (
    <>
      <PageHead title={t('title', { name })} />
      <p className="-mt-3 mb-6 text-muted">{t('intro')}</p>
      <nav aria-label={t('steps')} className="mb-4">
        <ol className="grid gap-2 min-[360px]:grid-cols-2 sm:grid-cols-4">
          {FIRST_STEPS.map((one, index) => (
            <li key={one}>
              <StepLink step={one} number={index + 1} isCurrent={one === step} isDone={done[one]} />
            </li>
          ))}
        </ol>
      </nav>
      <section aria-labelledby={STEP_ID} data-without-scripts className="rounded-card border border-line bg-surface p-4 sm:p-6">
        <StepTitle key={step} id={STEP_ID}>
          {t(`${step}.title`)}
        </StepTitle>
        <div className="space-y-4">{children}</div>
        <div className="mt-6 flex justify-end border-t border-line pt-4">
          <LinkButton href={next ? pathOf(next) : '/admin'} prefetch={false} look={isOver ? 'primary' : 'secondary'}>
            {next ? t(isOver ? 'next' : 'skip') : t('finish')}
          </LinkButton>
        </div>
      </section>
    </>
  )
}

interface StepProps {
  step: FirstStep
  number: number
  isCurrent: boolean
  isDone: boolean
}

function StepLink({ step, number, isCurrent, isDone }: StepProps) {
  const t = useTranslations('setup')
  return (
    <Link
      href={pathOf(step)}
      prefetch={false}
      aria-current={isCurrent ? 'step' : undefined}
      className={
        'flex h-full items-center gap-2 rounded-card sm:gap-3 border border-line p-3 hover:border-line-strong ' +
        'aria-[current=step]:border-accent aria-[current=step]:bg-surface'
      }
    >
      <span
        aria-hidden="true"
        className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-semibold ${isDone ? 'bg-ok-soft text-ok' : 'bg-accent-soft text-accent'}`}
      >
        {isDone ? <Check className="size-4" strokeWidth={2.5} /> : number}
      </span>
      <span className="min-w-0">
        <span className="block text-sm font-medium text-anywhere">{t(`step.${step}`)}</span>
        {isDone && <span className="block text-[13px] text-muted">{t('done')}</span>}
      </span>
    </Link>
  )
}

const pathOf = (step: Step) => `/admin/setup?step=${step}#${STEP_ID}`
