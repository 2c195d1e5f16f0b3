'use client'

import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from '#i18n'
import { NeedsScripts, WithoutScripts } from '@/app/_ui/base/without-scripts'
import { useAccess } from '@/app/_ui/data/access'
import { sameLink, useRecents } from '@/app/_ui/data/recents'
import { ServerDataProvider } from '@/app/_ui/data/server-data'
import type { FirstStats } from './first'
import { LinkStats } from './link-stats'
import { LinkTitle } from './link-title'
import { SignInOffer } from './sign-in-offer'
import { DashboardSkeleton } from './skeleton'
import { TokenForm } from './token-form'
import type { World } from './world'

interface Props {
  code: string
  domain: string
  /** There is an account, whose links open without a key. */
  signedIn: boolean
  /** The link is an account's: only that account opens it. */
  ofAccount: boolean
  /** What is shown of it before a script asks for more; null where the server cannot tell whether it may be. */
  first: FirstStats | null
  world: World
}

export function StatsPage(props: Props) {
  const t = useTranslations('stats')
  return (
    <div className="pt-2 sm:pt-4">
      <Link
        href={props.signedIn ? '/dashboard' : '/'}
        className="-ml-2 inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 text-sm font-medium text-muted hover:text-fg sm:min-h-9"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('page.back')}
      </Link>
      {props.first ? (
        <WithoutScripts>
          <p className="my-4 text-sm text-muted">{t('page.withoutScripts')}</p>
        </WithoutScripts>
      ) : (
        <NeedsScripts api className="my-4" />
      )}
      {/* In no Suspense: React would send what is large after the page, and only a script would put it in. */}
      <Gate {...props} />
    </div>
  )
}

/** Everything, once something opens it. */
function Gate({ code, domain, signedIn, ofAccount, first, world }: Props) {
  const access = useAccess({ code, domain }, signedIn, first !== null)
  const known = useRecents()?.find((link) => sameLink(link, { code, domain }))
  if (access.status === 'open')
    return (
      <ServerDataProvider>
        <LinkStats access={access.access} known={known} world={world} first={first} />
      </ServerDataProvider>
    )
  return (
    <>
      <LinkTitle code={code} domain={domain} link={known} />
      {access.status === 'unknown' ? (
        <DashboardSkeleton />
      ) : ofAccount ? (
        <SignInOffer signedIn={signedIn} />
      ) : (
        <TokenForm code={code} domain={domain} refused={access.refused} />
      )}
    </>
  )
}
