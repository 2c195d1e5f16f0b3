import { KeyRound, LogOut, ShieldBan, ShieldCheck, Trash2, UserCog } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { setRole, signOutEverywhere, unbanAccount } from '@/app/_ui/data/admin'
import { act, confirmed } from '@/app/admin/_parts/act'
import type { AdminAccountView } from '@/lib/accounts/schemas'
import { BanDialog } from './ban-dialog'
import { RemoveDialog } from './remove-dialog'
import { ResetDialog } from './reset-dialog'

interface Props {
  account: AdminAccountView
  onChanged: () => void
  onRemoved: () => void
}

type Asking = 'ban' | 'role' | 'sign-out' | 'reset' | 'remove'

export function AccountActions({ account, onChanged, onRemoved }: Props) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const name = account.name || account.handle
  const close = () => setAsking(null)
  const unban = async () => {
    await act(unbanAccount(account.id), { done: `${name} may sign in again`, failed: `${name} is still banned` })
    onChanged()
  }
  return (
    <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <Button size="small" onClick={() => setAsking('role')}>
        <UserCog aria-hidden="true" className="size-4 max-sm:hidden" />
        {account.role === 'admin' ? 'Make a user' : 'Make an admin'}
      </Button>
      <Button size="small" onClick={() => setAsking('sign-out')}>
        <LogOut aria-hidden="true" className="size-4 max-sm:hidden" />
        Sign out everywhere
      </Button>
      <Button size="small" onClick={() => setAsking('reset')}>
        <KeyRound aria-hidden="true" className="size-4 max-sm:hidden" />
        Reset password…
      </Button>
      {account.banned ? (
        <Button size="small" onClick={unban}>
          <ShieldCheck aria-hidden="true" className="size-4 max-sm:hidden" />
          Unban
        </Button>
      ) : (
        <Button size="small" look="danger" onClick={() => setAsking('ban')}>
          <ShieldBan aria-hidden="true" className="size-4 max-sm:hidden" />
          Ban…
        </Button>
      )}
      <Button size="small" look="danger" onClick={() => setAsking('remove')}>
        <Trash2 aria-hidden="true" className="size-4 max-sm:hidden" />
        Delete…
      </Button>
      {asking === 'role' && <RoleDialog account={account} name={name} onDone={onChanged} onClose={close} />}
      {asking === 'sign-out' && (
        <ConfirmDialog
          title={`Sign ${name} out everywhere?`}
          action="Sign out everywhere"
          onConfirm={() => confirmed(signOutEverywhere(account.id), `${name} is signed out everywhere`, { onDone: onChanged })}
          onClose={close}
        >
          <p>All devices ask for the password again. API keys go on working.</p>
        </ConfirmDialog>
      )}
      {asking === 'ban' && <BanDialog account={account} name={name} onDone={onChanged} onClose={close} />}
      {asking === 'reset' && <ResetDialog account={account} name={name} onClose={close} />}
      {asking === 'remove' && <RemoveDialog account={account} name={name} onRemoved={onRemoved} onClose={close} />}
    </div>
  )
}

export interface AccountDialogProps {
  account: AdminAccountView
  name: string
  /** It has been done. */
  onDone: () => void
  onClose: () => void
}

function RoleDialog({ account, name, onDone, onClose }: AccountDialogProps) {
  const role = account.role === 'admin' ? 'user' : 'admin'
  const toAdmin = role === 'admin'
  return (
    <ConfirmDialog
      title={toAdmin ? `Make ${name} an admin?` : `Make ${name} a user again?`}
      action={toAdmin ? 'Make an admin' : 'Make a user'}
      danger={!toAdmin}
      onConfirm={() => confirmed(setRole(account.id, role), `${name} is ${toAdmin ? 'an admin' : 'a user'} now`, { onDone })}
      onClose={onClose}
    >
      <p>
        {toAdmin
          ? 'Admins see and change all links and accounts, and can make others admins.'
          : 'These pages are closed to this account at once. Its own links stay its own.'}
      </p>
    </ConfirmDialog>
  )
}
