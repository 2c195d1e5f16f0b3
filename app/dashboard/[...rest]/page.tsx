import Link from 'next/link'
import { Missing } from '@/app/_server/missing'
import { buttonClass } from '@/app/_ui/base/button'

export { generateMetadata } from '@/app/not-found'

/** Every address here that is no page's. */
export default function Nothing() {
  const action = (
    <Link href="/dashboard" className={buttonClass('primary')}>
      Go to your links
    </Link>
  )
  return <Missing action={action} />
}
