import { useState } from 'react'
import { toast } from 'sonner'
import { PasswordForm } from '@/app/_ui/account/password-form'
import { Badge } from '@/app/_ui/base/badge'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { Dialog } from '@/app/_ui/base/dialog'
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
  const [on, setOn] = useState(enabled)
  const [open, setOpen] = useState<'enrol' | 'renew' | 'disable' | null>(null)
  const close = () => setOpen(null)
  return (
    <Card title="Second factor" action={<Badge>{on ? 'On' : 'Off'}</Badge>}>
      <p className="text-sm text-muted text-pretty">
        {hasPassword
          ? 'After the password, signing in asks for a code that an app on your phone shows. So a stolen password is not enough.'
          : 'Set a password first.'}
      </p>
      {hasPassword && (
        <div className="mt-4 flex flex-wrap gap-3">
          {on ? (
            <>
              <Button onClick={() => setOpen('renew')}>New backup codes</Button>
              <Button look="danger" onClick={() => setOpen('disable')}>
                Turn off
              </Button>
            </>
          ) : (
            <Button onClick={() => setOpen('enrol')}>Set up</Button>
          )}
        </div>
      )}
      {open === 'enrol' && <EnrolDialog name={name} onEnabled={() => setOn(true)} onClose={close} />}
      {open === 'renew' && <RenewCodesDialog onClose={close} />}
      {open === 'disable' && (
        <Dialog title="Turn the second factor off" description="Your password alone will sign in then." onClose={close}>
          <PasswordForm
            action="Turn off"
            danger
            send={disableTotp}
            onDone={() => {
              setOn(false)
              close()
              toast('The second factor is off')
            }}
            onClose={close}
          />
        </Dialog>
      )}
    </Card>
  )
}
