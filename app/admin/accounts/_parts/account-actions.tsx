import { AtSign, KeyRound, LogOut, ShieldBan, ShieldCheck, Trash2, UserCog } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { banUsername, setRole, signOutEverywhere, unbanAccount } from '@/app/_ui/data/admin'
import { useAct } from '@/app/admin/_parts/use-act'
import type { AdminAccountView } from '@/lib/accounts/schemas'
import { BanDialog } from './ban-dialog'
import { RemoveDialog } from './remove-dialog'
import { ResetDialog } from './reset-dialog'

interface Props {
  account: AdminAccountView
  onChanged: () => void
  onRemoved: () => void
}

type Asking = 'ban' | 'role' | 'sign-out' | 'reset' | 'username' | 'remove'

export function AccountActions({ account, onChanged, onRemoved }: Props) {
  const t = useTranslations('admin.accounts')
  const { act, confirmed } = useAct()
  const [asking, setAsking] = useState<Asking | null>(null)
  const name = account.name || account.handle
  const close = () => setAsking(null)
  const unban = async () => {
    await act(unbanAccount(account.id), { done: t('unbanned', { name }), failed: t('notUnbanned', { name }) })
    onChanged()
  }
  return (
    <div className="flex flex-wrap gap-2 max-sm:*:grow">
      <Button size="small" onClick={() => setAsking('role')}>
        <UserCog aria-hidden="true" className="size-4 max-sm:hidden" />
        {account.role === 'admin' ? t('action.makeUser') : t('action.makeAdmin')}
      </Button>
      <Button size="small" onClick={() => setAsking('sign-out')}>
        <LogOut aria-hidden="true" className="size-4 max-sm:hidden" />
        {t('action.signOut')}
      </Button>
      <Button size="small" onClick={() => setAsking('reset')}>
        <KeyRound aria-hidden="true" className="size-4 max-sm:hidden" />
        {t('action.reset')}
      </Button>
      {account.username !== null && (
        <Button size="small" look="danger" onClick={() => setAsking('username')}>
          <AtSign aria-hidden="true" className="size-4 max-sm:hidden" />
          {t('action.banUsername')}
        </Button>
      )}
      {account.banned ? (
        <Button size="small" onClick={unban}>
          <ShieldCheck aria-hidden="true" className="size-4 max-sm:hidden" />
          {t('action.unban')}
        </Button>
      ) : (
        <Button size="small" look="danger" onClick={() => setAsking('ban')}>
          <ShieldBan aria-hidden="true" className="size-4 max-sm:hidden" />
          {t('action.ban')}
        </Button>
      )}
      <Button size="small" look="danger" onClick={() => setAsking('remove')}>
        <Trash2 aria-hidden="true" className="size-4 max-sm:hidden" />
        {t('action.delete')}
      </Button>
      {asking === 'role' && <RoleDialog account={account} name={name} onDone={onChanged} onClose={close} />}
      {asking === 'sign-out' && (
        <ConfirmDialog
          title={t('signOut.title', { name })}
          action={t('action.signOut')}
          onConfirm={() => confirmed(signOutEverywhere(account.id), t('signOut.done', { name }), { onDone: onChanged })}
          onClose={close}
        >
          <p>{t('signOut.text')}</p>
        </ConfirmDialog>
      )}
      {asking === 'ban' && <BanDialog account={account} name={name} onDone={onChanged} onClose={close} />}
      {asking === 'username' && <UsernameDialog account={account} name={name} onDone={onChanged} onClose={close} />}
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
  const t = useTranslations('admin.accounts')
  const { confirmed } = useAct()
  const [role, words] = account.role === 'admin' ? (['user', 'demote'] as const) : (['admin', 'promote'] as const)
  return (
    <ConfirmDialog
      title={t(`${words}.title`, { name })}
      action={role === 'admin' ? t('action.makeAdmin') : t('action.makeUser')}
      danger={role === 'user'}
      onConfirm={() => confirmed(setRole(account.id, role), t(`${words}.done`, { name }), { onDone })}
      onClose={onClose}
    >
      <p>{t(`${words}.text`)}</p>
    </ConfirmDialog>
  )
}

function UsernameDialog({ account, name, onDone, onClose }: AccountDialogProps) {
  const t = useTranslations('admin.accounts.username.ban')
  const label = useTranslations('admin')('reason')
  const { confirmed } = useAct()
  // As it was when the dialog opened: the name is gone before the dialog is.
  const [username] = useState(account.username ?? '')
  return (
    <ConfirmDialog
      title={t('title', { username })}
      action={t('submit')}
      danger
      reason={{ label, hint: t('reasonHint') }}
      onConfirm={(reason) => confirmed(banUsername(username, reason), t('done', { username }), { onDone })}
      onClose={onClose}
    >
      <p>{t('text', { username, handle: account.handle, name })}</p>
    </ConfirmDialog>
  )
}
