import { useState } from 'react'
import type { z } from 'zod'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { ShownOnce } from '@/app/_ui/base/secret'
import { makeResetLink } from '@/app/_ui/data/admin'
import { useFormat } from '@/app/_ui/data/format'
import { reasonOf } from '@/app/admin/_parts/reason-of'
import type { ResetLink } from '@/lib/accounts/schemas'
import type { AccountDialogProps } from './account-actions'

/** Creates a link by which the account's owner sets a new password. */
export function ResetDialog({ account, name, onClose }: Omit<AccountDialogProps, 'onDone'>) {
  const t = useTranslations('admin.accounts.reset')
  const base = useTranslations('base.action')
  const format = useFormat()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [reset, setReset] = useState<z.infer<typeof ResetLink> | null>(null)
  const make = async () => {
    setBusy(true)
    setFailure(null)
    const result = await makeResetLink(account.id)
    setBusy(false)
    if (result.ok) setReset(result.value)
    else setFailure(reasonOf(result.failure))
  }
  if (reset) {
    const time = format.time(reset.expiresAt)
    return (
      <Dialog
        title={t('link.title')}
        description={reset.sent ? t('link.sent', { email: account.email, time }) : t('link.unsent', { name, time })}
        onClose={null}
      >
        <ShownOnce text={reset.url} name={t('link.name')} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title={t('title', { name })} onClose={onClose}>
      <p className="text-[15px] text-muted">{t('text')}</p>
      {failure && (
        <div className="mt-4">
          <FailureMessage>{failure}</FailureMessage>
        </div>
      )}
      <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{base('cancel')}</Button>
        <Button look="primary" busy={busy} onClick={make}>
          {t('submit')}
        </Button>
      </div>
    </Dialog>
  )
}
