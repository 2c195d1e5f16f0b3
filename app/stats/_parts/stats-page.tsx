'use client'

import { useAccess } from '@/app/_ui/data/access'
import { sameLink, useRecents } from '@/app/_ui/data/recents'
import { ServerDataProvider } from '@/app/_ui/data/server-data'
import type { FirstStats } from './first'
import { LinkStats } from './link-stats'
import { LinkTitle } from './link-title'
import { SignInOffer } from './sign-in-offer'
import { DashboardSkeleton } from './skeleton'
import { StatsFrame } from './stats-frame'
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
  return (
    <StatsFrame back={props.signedIn ? '/dashboard' : '/'} ready={props.first !== null}>
      {/* In no Suspense: React would send what is large after the page, and only a script would put it in. */}
      <Gate {...props} />
    </StatsFrame>
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
