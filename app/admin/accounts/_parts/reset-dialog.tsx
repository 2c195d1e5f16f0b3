import { useState } from 'react'
import type { z } from 'zod'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FailureMessage } from '@/app/_ui/base/failure'
import { ShownOnce } from '@/app/_ui/base/secret'
import { makeResetLink } from '@/app/_ui/data/admin'
import { formatTime } from '@/app/_ui/data/time'
import { reasonOf } from '@/app/admin/_parts/act'
import type { ResetLink } from '@/lib/accounts/schemas'
import type { AccountDialogProps } from './account-actions'

/** Makes a link by which the account's owner chooses a new password. */
export function ResetDialog({ account, name, onClose }: Omit<AccountDialogProps, 'onDone'>) {
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
    return (
      <Dialog
        title="Reset link"
        description={`${
          reset.sent ? `It was also sent to ${account.email}.` : `Hand it to ${name} yourself, and to nobody else.`
        } It works once, until ${formatTime(reset.expiresAt)}.`}
        onClose={null}
      >
        <ShownOnce text={reset.url} name="the reset link" onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title={`Reset the password of ${name}?`} onClose={onClose}>
      <p className="text-[15px] text-muted">
        This makes a link by which a new password is chosen. The present one works until that is done.
      </p>
      {failure && (
        <div className="mt-4">
          <FailureMessage>{failure}</FailureMessage>
        </div>
      )}
      <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={busy} onClick={make}>
          Make the link
        </Button>
      </div>
    </Dialog>
  )
}
