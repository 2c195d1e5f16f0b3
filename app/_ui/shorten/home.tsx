'use client'

import { useState } from 'react'
import { rememberLink, sameLink, useRecents } from '@/app/_ui/data/recents'
import { RecentLinks } from '@/app/_ui/links/recent-links'
import type { LinkView } from '@/lib/links/schemas'
import { ResultCard } from './result-card'
import { ShortenForm } from './shorten-form'

type Stage = { created: LinkView } | { created: null; again: boolean }

export function Home({ host }: { host: string }) {
  const recents = useRecents()
  const [stage, setStage] = useState<Stage>({ created: null, again: false })
  const created = (link: LinkView) => {
    const { manageToken } = link
    if (manageToken) rememberLink({ ...link, manageToken })
    setStage({ created: link })
  }

  const made = stage.created
  const listed = made && recents?.find((link) => sameLink(link, made))
  // Changed or deleted in the list below, it is so up here as well. One without a key was never listed.
  const result = made?.manageToken ? listed : made
  const focus = made ? 'never' : stage.again ? 'always' : 'with a mouse'
  return (
    <>
      {result ? (
        <ResultCard link={result} onAgain={() => setStage({ created: null, again: true })} />
      ) : (
        <ShortenForm host={host} focus={focus} onCreated={created} />
      )}
      <RecentLinks />
    </>
  )
}
