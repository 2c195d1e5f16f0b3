'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { LinkButton } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { FailureMessage } from '@/app/_ui/base/failure'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { toast } from '@/app/_ui/base/toast'
import { SCRIPTS_ONLY } from '@/app/_ui/base/without-scripts'
import { getHealthSetting, type Health, setHealthSetting } from '@/app/_ui/data/health'

/** Whether destinations are checked, and what was found. */
export function HealthCard() {
  const t = useTranslations('settings.health')
  const [health, setHealth] = useState<Health | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    void getHealthSetting(abort.signal).then((result) => {
      if (abort.signal.aborted) return
      if (result.ok) setHealth(result.value)
      else setFailure(result.failure.message)
    })
    return () => abort.abort()
  }, [])
  const turn = async (wanted: boolean) => {
    const before = health
    setHealth((now) => now && { ...now, enabled: wanted })
    const result = await setHealthSetting(wanted)
    if (result.ok) {
      setHealth(result.value)
      return void toast(t(wanted ? 'on' : 'off'))
    }
    setHealth(before)
    toast(t('failed'), { description: result.failure.message })
  }
  return (
    <Card title={t('title')} className={SCRIPTS_ONLY}>
      {failure && <FailureMessage>{failure}</FailureMessage>}
      {!health && !failure && <div aria-hidden="true" className="skeleton h-16" />}
      {health && (
        <>
          <SwitchField label={t('switch')} hint={t('hint')} on={health.enabled} onChange={(wanted) => void turn(wanted)} />
          {health.enabled && (
            <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3 text-sm">
              <p className="text-muted">{t('unwell', { count: health.unwell })}</p>
              {health.unwell > 0 && (
                <LinkButton size="small" href="/dashboard?health=any">
                  {t('show')}
                </LinkButton>
              )}
            </div>
          )}
        </>
      )}
    </Card>
  )
}
