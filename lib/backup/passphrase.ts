import { readBackupPassphrase } from '@/lib/config'
import { askHidden } from '@/lib/tools/ask'

const SHORTEST = 12

/**
 * The passphrase of BACKUP_PASSPHRASE, or else what is typed on the terminal, which does not show it.
 * @param isNew it is asked for twice, and a short one is refused
 * @throws Error where there is neither
 */
export async function readPassphrase(isNew: boolean): Promise<string> {
  const given = readBackupPassphrase()
  if (given !== undefined) return given
  if (!process.stdin.isTTY) throw new Error('set BACKUP_PASSPHRASE, or run this on a terminal')
  const typed = await askHidden('Passphrase of the backup: ')
  if (!isNew) return typed
  if (typed.length < SHORTEST) throw new Error(`use at least ${SHORTEST} characters`)
  if ((await askHidden('Repeat the passphrase: ')) !== typed) throw new Error('the passphrases differ. Try again')
  return typed
}
