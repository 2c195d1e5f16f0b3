import { useState } from 'react'
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
import { BACKUP_CODES_TEXT, BACKUP_CODES_TITLE, BackupCodes } from './backup-codes'

type Step = { at: 'password' } | { at: 'app'; enrolment: Enrolment } | { at: 'codes'; codes: string[] }

interface Props {
  /** What the app calls the account. */
  name: string
  onEnabled: () => void
  onClose: () => void
}

/** Sets the second factor up: password, app, backup codes. */
export function EnrolDialog({ name, onEnabled, onClose }: Props) {
  const [step, setStep] = useState<Step>({ at: 'password' })
  // The same dialog through all steps: one that closed would take the cursor back to the page.
  const { title, description } = headOf(step, name)
  return (
    <Dialog title={title} description={description} onClose={step.at === 'codes' ? null : onClose}>
      {step.at === 'password' && (
        <PasswordForm
          action="Continue"
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

function headOf({ at }: Step, name: string): { title: string; description: string } {
  switch (at) {
    case 'password':
      return { title: 'Set up the second factor', description: 'You need an authenticator app on your phone.' }
    case 'app':
      return { title: 'Scan this with your app', description: `Then enter the code that it shows for ${name}.` }
    case 'codes':
      return { title: BACKUP_CODES_TITLE, description: BACKUP_CODES_TEXT }
  }
}

/** @param uri what the app reads, with the secret in it */
function AppForm({ uri, onEnabled, onClose }: { uri: string; onEnabled: () => void; onClose: () => void }) {
  const qr = useQr(uri)
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const form = useForm(async (data) => {
    const code = textOf(data, 'code').replace(/\s/g, '')
    if (code === '') return invalid({ code: 'Enter the code that the app shows.' })
    const result = await verifyTotp(code)
    if (!result.ok) return result.failure
    onEnabled()
    return null
  })
  return (
    <DialogForm label="Code of the app" form={form} action="Turn on" onClose={onClose}>
      {qr.status === 'failed' ? (
        <FailureMessage>The QR code could not be drawn. Type the secret into the app instead.</FailureMessage>
      ) : (
        <div className="mx-auto aspect-square w-full max-w-52 overflow-hidden rounded-control border border-line bg-white">
          {qr.status === 'ready' ? (
            <QrImage shape={qr.shape} label="QR code of the secret" />
          ) : (
            <div className="skeleton size-full" />
          )}
        </div>
      )}
      <div>
        <p className="text-[13px] text-muted">Cannot scan? Enter this key:</p>
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 font-mono text-[13px] text-anywhere">{secret}</code>
          <CopyIconButton text={secret} name="the secret" />
        </div>
      </div>
      <CodeField {...form.field('code')} />
    </DialogForm>
  )
}
