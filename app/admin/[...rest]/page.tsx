import Link from 'next/link'
import { getTranslations } from '@/app/_server/locale'
import { Missing } from '@/app/_server/missing'
import { buttonClass } from '@/app/_ui/base/button'

export { generateMetadata } from '@/app/not-found'

/** Every address here that is no page's. */
export default async function Nothing() {
  const t = await getTranslations('admin')
  const action = (
    <Link href="/admin" className={buttonClass('primary')}>
      {t('backToOverview')}
    </Link>
  )
  return <Missing action={action} />
}
