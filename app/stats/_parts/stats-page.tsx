'use client'

import { ArrowLeft } from 'lucide-react'
import Link from 'next/link'
import { Suspense } from 'react'
import { useTranslations } from '#i18n'
import { NeedsScripts } from '@/app/_ui/base/without-scripts'
import { useAccess } from '@/app/_ui/data/access'
import { sameLink, useRecents } from '@/app/_ui/data/recents'
import { ServerDataProvider } from '@/app/_ui/data/server-data'
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
      <NeedsScripts api className="my-4" />
      {/* The address's query is known to the browser only. */}
      <Suspense>
        <Gate {...props} />
      </Suspense>
    </div>
  )
}

/** Everything, once something opens it. */
function Gate({ code, domain, signedIn, ofAccount, world }: Props) {
  const access = useAccess({ code, domain }, signedIn)
  const known = useRecents()?.find((link) => sameLink(link, { code, domain }))
  if (access.status === 'open')
    return (
      <ServerDataProvider>
        <LinkStats access={access.access} known={known} world={world} />
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
