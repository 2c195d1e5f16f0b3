import { useState } from 'react'
import { useTranslations } from '#i18n'
import { PasswordForm } from '@/app/_ui/account/password-form'
import { Dialog } from '@/app/_ui/base/dialog'
import { newBackupCodes } from '@/app/_ui/data/auth-client'
import { BackupCodes } from './backup-codes'

/** Makes new backup codes in place of the old. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('settings.twoFactor')
  const [codes, setCodes] = useState<string[] | null>(null)
  // The same dialog for both: one that closed would take the cursor back to the page.
  return codes === null ? (
    <Dialog title={t('renew.title')} description={t('renew.text')} onClose={onClose}>
      <PasswordForm action={t('renew.create')} send={newBackupCodes} onDone={setCodes} onClose={onClose} />
    </Dialog>
  ) : (
    <Dialog title={t('codes.title')} description={t('codes.text')} onClose={null}>
      <BackupCodes codes={codes} onClose={onClose} />
    </Dialog>
  )
}
