import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { startRebuild } from '@/app/_ui/data/admin'
import { useAct } from '@/app/admin/_parts/use-act'

/** Rebuilds the filter of known links. */
export function Rebuild() {
  const t = useTranslations('system.rebuild')
  const { confirmed } = useAct()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button size="small" aria-label={t('name')} onClick={() => setAsking(true)}>
        {t('action')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('title')}
          action={t('action')}
          onConfirm={() => confirmed(startRebuild(), t('started'))}
          onClose={() => setAsking(false)}
        >
          <p>{t('text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
