import { Lock } from 'lucide-react'
import Link from 'next/link'
import { buttonClass } from '@/app/_ui/base/button'

/** In place of the statistics of an account's link, to those it is not open to. */
export function SignInOffer({ signedIn }: { signedIn: boolean }) {
  const here = location.pathname + location.search
  return (
    <section
      aria-labelledby="sign-in-title"
      className="mx-auto mt-10 max-w-lg rounded-card border border-line bg-surface px-5 py-10 text-center sm:px-8"
    >
      <Lock aria-hidden="true" className="mx-auto size-6 text-muted" />
      <h2 id="sign-in-title" className="mt-3 text-lg font-semibold">
        {signedIn ? 'This link belongs to another account' : 'Sign in to see these statistics'}
      </h2>
      <p className="mt-2 text-sm text-muted text-pretty">
        {signedIn
          ? 'Only the account that owns a link can see its statistics.'
          : 'This link belongs to an account. Sign in to that account to see who clicked.'}
      </p>
      <Link
        href={signedIn ? '/dashboard' : `/sign-in?next=${encodeURIComponent(here)}`}
        className={buttonClass('primary', 'mt-6')}
      >
        {signedIn ? 'Go to your links' : 'Sign in'}
      </Link>
    </section>
  )
}
