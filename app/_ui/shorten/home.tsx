'use client'

import { useState } from 'react'
import { rememberLink } from '@/app/_ui/data/recents'
import { RecentLinks } from '@/app/_ui/links/recent-links'
import type { LinkView } from '@/lib/links/schemas'
import { ResultCard } from './result-card'
import { ShortenForm } from './shorten-form'

type Stage = { created: LinkView } | { created: null; again: boolean }

export function Home({ host }: { host: string }) {
  const [stage, setStage] = useState<Stage>({ created: null, again: false })
  const created = (link: LinkView) => {
    const { manageToken } = link
    if (manageToken) rememberLink({ ...link, manageToken })
    setStage({ created: link })
  }
  return (
    <>
      {stage.created ? (
        <ResultCard link={stage.created} onAgain={() => setStage({ created: null, again: true })} />
      ) : (
        <ShortenForm host={host} focus={stage.again} onCreated={created} />
      )}
      <RecentLinks />
    </>
  )
}
