'use client'

import Link from 'next/link'
import { useState } from 'react'
import { rememberLink, sameLink, useRecents } from '@/app/_ui/data/recents'
import { RecentLinks } from '@/app/_ui/links/recent-links'
import { SpokenCard } from '@/app/_ui/spoken/spoken-card'
import { SpokenForm } from '@/app/_ui/spoken/spoken-form'
import type { LinkView, SpokenView } from '@/lib/links/schemas'
import { ResultCard } from './result-card'
import { ShortenForm } from './shorten-form'

type Stage =
  | { at: 'form'; again: boolean; url: string }
  | { at: 'created'; link: LinkView }
  | { at: 'speaking'; url: string }
  | { at: 'spoken'; code: SpokenView }

interface Props {
  host: string
  /** Links made here belong to an account. */
  signedIn: boolean
}

export function Home({ host, signedIn }: Props) {
  const recents = useRecents()
  const [stage, setStage] = useState<Stage>({ at: 'form', again: false, url: '' })
  const created = (link: LinkView) => {
    const { manageToken } = link
    if (manageToken) rememberLink({ ...link, manageToken })
    setStage({ at: 'created', link })
  }

  const made = stage.at === 'created' ? stage.link : null
  const listed = made && recents?.find((link) => sameLink(link, made))
  // Changed or deleted in the list below, it is so up here as well. One without a key was never listed.
  const result = made?.manageToken ? listed : made
  const again = () => setStage({ at: 'form', again: true, url: '' })
  return (
    <>
      {stage.at === 'speaking' ? (
        <SpokenForm
          url={stage.url}
          onCreated={(code) => setStage({ at: 'spoken', code })}
          onCancel={() => setStage({ at: 'form', again: true, url: stage.url })}
        />
      ) : stage.at === 'spoken' ? (
        <SpokenCard code={stage.code} onAgain={() => setStage({ at: 'speaking', url: '' })} />
      ) : result ? (
        <ResultCard link={result} owned={signedIn} onAgain={again} />
      ) : (
        <ShortenForm
          host={host}
          url={stage.at === 'form' ? stage.url : ''}
          focus={made ? 'never' : stage.at === 'form' && stage.again ? 'always' : 'with a mouse'}
          onCreated={created}
          onSpeak={(url) => setStage({ at: 'speaking', url })}
        />
      )}
      {stage.at === 'spoken' && (
        <p className="mt-4 text-center text-sm">
          <button type="button" onClick={again} className="min-h-11 rounded-control px-3 font-medium text-accent hover:underline">
            Make a lasting link
          </button>
        </p>
      )}
      {signedIn && recents?.length === 0 ? (
        <p className="mt-14 text-center text-sm text-muted">
          Links made here are in{' '}
          <Link href="/dashboard" className="font-medium text-accent underline underline-offset-4">
            your dashboard
          </Link>
          .
        </p>
      ) : (
        <RecentLinks signedIn={signedIn} />
      )}
    </>
  )
}
