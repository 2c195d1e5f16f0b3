import { Lock } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from '#i18n'
import { buttonClass } from '@/app/_ui/base/button'

/** In place of the statistics of an account's link, to those it is not open to. */
export function SignInOffer({ signedIn }: { signedIn: boolean }) {
  const t = useTranslations('stats')
  const why = signedIn ? 'otherAccount' : 'signIn'
  const here = location.pathname + location.search
  return (
    <section
      aria-labelledby="sign-in-title"
      className="mx-auto mt-10 max-w-lg rounded-card border border-line bg-surface px-5 py-10 text-center sm:px-8"
    >
      <Lock aria-hidden="true" className="mx-auto size-6 text-muted" />
      <h2 id="sign-in-title" className="mt-3 text-lg font-semibold">
        {t(`closed.${why}.title`)}
      </h2>
      <p className="mt-2 text-sm text-muted text-pretty">{t(`closed.${why}.text`)}</p>
      <Link
        href={signedIn ? '/dashboard' : `/sign-in?next=${encodeURIComponent(here)}`}
        className={buttonClass('primary', 'mt-6')}
      >
        {t(`closed.${why}.action`)}
      </Link>
    </section>
  )
}
