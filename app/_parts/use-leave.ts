import { useTranslations } from '#i18n'
import { toast } from '@/app/_ui/base/toast'
import { signOut } from '@/app/_ui/data/account'

/** Signs out. @returns false where that failed, which it says */
export function useLeave(): () => Promise<boolean> {
  const t = useTranslations('base.menu')
  return async () => {
    const result = await signOut()
    // A page of its own, so that nothing of the account stays behind in this one.
    if (result.ok) location.assign('/')
    else toast(t('stillSignedIn'), { description: result.failure.message })
    return result.ok
  }
}
