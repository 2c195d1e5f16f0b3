import Link from 'next/link'
import { useTranslations } from '#i18n'
import { openPath } from './use-open-row'

/** An account by its name, leading to what is known of it; of what no account did, words that say so. */
export function AccountLink({ id, name }: { id: string; name: string }) {
  const t = useTranslations('admin.audit')
  if (id === '') return t('byItself')
  return (
    <Link href={openPath('accounts', id)} prefetch={false} className="underline underline-offset-4 hover:text-accent">
      <bdi>{name}</bdi>
    </Link>
  )
}
