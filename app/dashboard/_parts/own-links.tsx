'use client'

import { useState } from 'react'
import { ClaimCard } from '@/app/_ui/account/claim-card'
import { LinksPage, type LinksPageProps } from './links-page'

/** All links of the account, below those of this browser that could be among them. */
export function OwnLinks(props: LinksPageProps) {
  const [claims, setClaims] = useState(0)
  return (
    <>
      <ClaimCard className="mb-6" onClaimed={() => setClaims(claims + 1)} />
      <LinksPage key={claims} {...props} />
    </>
  )
}
