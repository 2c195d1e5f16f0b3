import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from '#i18n'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { changeCodeCase } from '@/app/_ui/data/admin'
import { Fact, FactAction } from '@/app/admin/_parts/facts'
import type { DomainView } from '@/lib/domains/schemas'
import type { JobView } from '@/lib/jobs/schemas'

interface Props {
  domain: DomainView
  name: string
  /** This page shows the job that changes it. */
  isRunning: boolean
  onStarted: (job: JobView) => void
  onChanged: () => void
}

/** How often a domain that is changed from elsewhere is looked at again, in ms. */
const POLL_MS = 3_000

/** Whether capitals make a difference in the short links of a domain. */
export function CodeCase({ domain, name, isRunning, onStarted, onChanged }: Props) {
  const t = useTranslations('admin.domains')
  const [asking, setAsking] = useState(false)
  const { codeCase } = domain
  const look = useEffectEvent(onChanged)
  useEffect(() => {
    if (codeCase !== 'changing') return
    const timer = setInterval(look, POLL_MS)
    return () => clearInterval(timer)
  }, [codeCase])
  const turnOn = codeCase !== 'ignored'
  const way = turnOn ? 'on' : 'off'
  const confirm = async () => {
    const result = await changeCodeCase(domain.id, turnOn ? 'ignored' : 'sensitive')
    if (!result.ok) return result.failure.said ?? result.failure.message
    onStarted(result.value)
    return null
  }
  return (
    <Fact name={t('fact.case')}>
      <span className="flex flex-wrap items-center gap-x-6">
        <span aria-live="polite">{t(`case.now.${isRunning ? 'changing' : codeCase}`)}</span>
        {!isRunning && (
          <FactAction label={t('case.changeName', { name })} onClick={() => setAsking(true)}>
            {t('case.change')}
          </FactAction>
        )}
      </span>
      {asking && (
        <ConfirmDialog
          title={t(`case.${way}.title`, { name })}
          action={t(`case.${way}.action`)}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>{t(`case.${way}.text`)}</p>
        </ConfirmDialog>
      )}
    </Fact>
  )
}
