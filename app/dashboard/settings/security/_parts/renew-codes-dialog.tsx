import { useState } from 'react'
import { PasswordForm } from '@/app/_ui/account/password-form'
import { Dialog } from '@/app/_ui/base/dialog'
import { newBackupCodes } from '@/app/_ui/data/auth-client'
import { BACKUP_CODES_TEXT, BACKUP_CODES_TITLE, BackupCodes } from './backup-codes'

/** Makes new backup codes in place of the old. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null)
  // The same dialog for both: one that closed would take the cursor back to the page.
  return codes === null ? (
    <Dialog title="New backup codes" description="Your old codes stop working." onClose={onClose}>
      <PasswordForm action="Make new codes" send={newBackupCodes} onDone={setCodes} onClose={onClose} />
    </Dialog>
  ) : (
    <Dialog title={BACKUP_CODES_TITLE} description={BACKUP_CODES_TEXT} onClose={null}>
      <BackupCodes codes={codes} onClose={onClose} />
    </Dialog>
  )
}
