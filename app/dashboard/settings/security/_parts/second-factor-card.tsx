import { useState } from 'react'
import { useTranslations } from '#i18n'
import { PasswordForm } from '@/app/_ui/account/password-form'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { Dialog } from '@/app/_ui/base/dialog'
import { toast } from '@/app/_ui/base/toast'
import { disableTotp } from '@/app/_ui/data/auth-client'
import { EnrolDialog } from './enrol-dialog'
import { RenewCodesDialog } from './renew-codes-dialog'

interface Props {
  enabled: boolean
  hasPassword: boolean
  /** What an authenticator app calls the account. */
  name: string
}

/** A code of an app, asked for after the password. */
export function SecondFactorCard({ enabled, hasPassword, name }: Props) {
  const t = useTranslations('settings.twoFactor')
  const [on, setOn] = useState(enabled)
  const [open, setOpen] = useState<'enrol' | 'renew' | 'disable' | null>(null)
  const close = () => setOpen(null)
  return (
    <Card title={t('title')} action={<Badge>{on ? t('on') : t('off')}</Badge>}>
      <p className="text-sm text-muted text-pretty">{hasPassword ? t('text') : t('needsPassword')}</p>
      {hasPassword && (
        <div className="mt-4 flex flex-wrap gap-3">
          {on ? (
            <>
              <Button onClick={() => setOpen('renew')}>{t('newCodes')}</Button>
              <Button look="danger" onClick={() => setOpen('disable')}>
                {t('turnOff')}
              </Button>
            </>
          ) : (
            <Button onClick={() => setOpen('enrol')}>{t('setUp')}</Button>
          )}
        </div>
      )}
      {open === 'enrol' && <EnrolDialog name={name} onEnabled={() => setOn(true)} onClose={close} />}
      {open === 'renew' && <RenewCodesDialog onClose={close} />}
      {open === 'disable' && (
        <Dialog title={t('turnOffTitle')} description={t('turnOffText')} onClose={close}>
          <PasswordForm
            action={t('turnOff')}
            danger
            send={disableTotp}
            onDone={() => {
              setOn(false)
              close()
              toast(t('turnedOff'))
            }}
            onClose={close}
          />
        </Dialog>
      )}
    </Card>
  )
}
