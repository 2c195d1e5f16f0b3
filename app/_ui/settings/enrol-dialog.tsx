import { useState } from 'react'
import { CodeField } from '@/app/_ui/account/code-field'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { QrImage, useQr } from '@/app/_ui/base/qr-image'
import { type Enrolment, enableTotp, verifyTotp } from '@/app/_ui/data/auth-client'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrong } from '@/app/_ui/data/use-form'
import { BackupCodesDialog } from './backup-codes'
import { PasswordDialog } from './password-dialog'

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
  if (step.at === 'password') {
    return (
      <PasswordDialog
        title="Set up the second factor"
        text="You need an authenticator app on your phone."
        action="Continue"
        send={enableTotp}
        onDone={(enrolment) => setStep({ at: 'app', enrolment })}
        onClose={onClose}
      />
    )
  }
  if (step.at === 'codes') return <BackupCodesDialog codes={step.codes} onClose={onClose} />
  const { totpURI, backupCodes } = step.enrolment
  return (
    <AppDialog
      name={name}
      uri={totpURI}
      onEnabled={() => {
        onEnabled()
        setStep({ at: 'codes', codes: backupCodes })
      }}
      onClose={onClose}
    />
  )
}

function AppDialog({ name, uri, onEnabled, onClose }: Props & { uri: string }) {
  const qr = useQr(uri)
  const secret = new URL(uri).searchParams.get('secret') ?? ''
  const form = useForm(async (data) => {
    const code = textOf(data, 'code').replace(/\s/g, '')
    if (code === '') return wrong({ code: 'Enter the code that the app shows.' })
    const result = await verifyTotp(code)
    if (!result.ok) return result.failure
    onEnabled()
    return null
  })
  return (
    <FormDialog
      title="Scan this with your app"
      description={`Then enter the code that it shows for ${name}.`}
      form={form}
      action="Turn on"
      onClose={onClose}
    >
      <div className="mx-auto aspect-square w-full max-w-52 overflow-hidden rounded-control border border-line bg-white">
        {qr.status === 'ready' ? (
          <QrImage shape={qr.shape} label="QR code of the secret" />
        ) : (
          qr.status === 'loading' && <div className="skeleton size-full" />
        )}
      </div>
      <div>
        <p className="text-[13px] text-muted">Or type this secret into it:</p>
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 font-mono text-[13px] text-anywhere">{secret}</code>
          <CopyIconButton text={secret} name="the secret" />
        </div>
      </div>
      <CodeField error={form.errors.code} onChange={() => form.clear('code')} />
    </FormDialog>
  )
}
