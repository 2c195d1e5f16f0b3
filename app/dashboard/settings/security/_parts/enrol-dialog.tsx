import { useState } from 'react'
import { useTranslations } from '#i18n'
import { CodeField } from '@/app/_ui/account/code-field'
import { PasswordForm } from '@/app/_ui/account/password-form'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { FailureMessage } from '@/app/_ui/base/failure'
import { QrImage, useQr } from '@/app/_ui/base/qr-image'
import { type Enrolment, enableTotp, verifyTotp } from '@/app/_ui/data/auth-client'
import { useForm } from '@/app/_ui/data/use-form'
import { invalid } from '@/lib/forms/failure'
import { textOf } from '@/lib/forms/fields'
import { BackupCodes } from './backup-codes'

type Step = { at: 'password' } | { at: 'app'; enrolment: Enrolment } | { at: 'codes'; codes: string[] }

interface Props {
  /** What the app calls the account. */
  name: string
  onEnabled: () => void
  onClose: () => void
}

/** Sets the second factor up: password, app, backup codes. */
export function EnrolDialog({ name, onEnabled, onClose }: Props) {
  const t = useTranslations('settings.twoFactor')
  const [step, setStep] = useState<Step>({ at: 'password' })
  // The same dialog through all steps: one that closed would take the cursor back to the page.
  return (
    <Dialog
      title={step.at === 'codes' ? t('codes.title') : t(`enrol.${step.at}.title`)}
      description={step.at === 'codes' ? t('codes.text') : t(`enrol.${step.at}.text`, { account: name })}
      onClose={step.at === 'codes' ? null : onClose}
    >
      {step.at === 'password' && (
        <PasswordForm
          action={t('enrol.continue')}
          send={enableTotp}
          onDone={(enrolment) => setStep({ at: 'app', enrolment })}
          onClose={onClose}
        />
      )}
      {step.at === 'app' && (
        <AppForm
          uri={step.enrolment.totpURI}
          onEnabled={() => {
            onEnabled()
            setStep({ at: 'codes', codes: step.enrolment.backupCodes })
          }}
          onClose={onClose}
        />
      )}
      {step.at === 'codes' && <BackupCodes codes={step.codes} onClose={onClose} />}
    </Dialog>
  )
}

/** @param uri what the app reads, with the secret in it */
function AppForm({ uri, onEnabled, onClose }: { uri: string; onEnabled: () => void; onClose: () => void }) {
  const t = useTranslations('settings.twoFactor')
  const qr = useQr(uri)
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const form = useForm(async (data) => {
    const code = textOf(data, 'code').replace(/\s/g, '')
    if (code === '') return invalid({ code: t('enrol.missing') })
    const result = await verifyTotp(code)
    if (!result.ok) return result.failure
    onEnabled()
    return null
  })
  return (
    <DialogForm label={t('enrol.form')} form={form} action={t('enrol.turnOn')} onClose={onClose}>
      {qr.status === 'failed' ? (
        <FailureMessage>{t('enrol.noQr')}</FailureMessage>
      ) : (
        <div className="mx-auto aspect-square w-full max-w-52 overflow-hidden rounded-control border border-line bg-white">
          {qr.status === 'ready' ? <QrImage shape={qr.shape} label={t('enrol.qr')} /> : <div className="skeleton size-full" />}
        </div>
      )}
      <div>
        <p className="text-[13px] text-muted">{t('enrol.key')}</p>
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 font-mono text-[13px] text-anywhere">{secret}</code>
          <CopyIconButton text={secret} name={t('enrol.copy')} />
        </div>
      </div>
      <CodeField {...form.field('code')} />
    </DialogForm>
  )
}
