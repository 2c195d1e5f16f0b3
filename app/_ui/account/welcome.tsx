'use client'

import { LinkButton } from '@/app/_ui/base/button'
import { ClaimCard } from './claim-card'
import { HandleCard } from './handle-card'
import { NarrowPage } from './narrow-page'

interface Props {
  title: string
  handle: string
}

/** Where a new account begins: its handle, this browser's links, and the way on. */
export function Welcome({ title, handle }: Props) {
  return (
    <NarrowPage title={title} intro="Your account is ready.">
      <HandleCard handle={handle} />
      <ClaimCard className="mt-4" />
      <LinkButton href="/dashboard" look="primary" className="mt-6 w-full sm:w-auto">
        Go to your links
      </LinkButton>
    </NarrowPage>
  )
}
