'use client'

import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { toast } from '@/app/_ui/base/toast'
import { ButtonOrLink } from '@/app/_ui/base/without-scripts'
import { rememberLink, sameLink, useRecents } from '@/app/_ui/data/recents'
import { ResultCard } from '@/app/_ui/links/result-card'
import { ShortenForm } from '@/app/_ui/links/shorten-form'
import type { ShortHost } from '@/lib/domains/short-host'
import { resultOf, type SentForm, sentOf } from '@/lib/forms/sent'
import type { LinkView, SpokenView } from '@/lib/links/schemas'
import { keepOffline, useWaiting } from './offline'
import { RecentLinks } from './recent-links'
import { keepForLater } from './waiting'

// Most come for a link. The server writes them too, for where no scripts run.
const loadSpoken = () => import('./spoken')
const SpokenForm = dynamic(() => loadSpoken().then((module) => module.SpokenForm))
const SpokenCard = dynamic(() => loadSpoken().then((module) => module.SpokenCard))

type Stage =
  | { at: 'form'; again: boolean; url: string }
  /** `kept`: this browser has its key. */
  | { at: 'created'; link: LinkView; kept: boolean }
  | { at: 'speaking'; url: string }
  | { at: 'spoken'; code: SpokenView; kept: boolean }

interface Props {
  hosts: readonly ShortHost[]
  /** Links made here belong to an account. */
  signedIn: boolean
  /** A name of its own for what this page may send before its scripts have come. */
  attempt: string
  sent: SentForm | null
  /** What another app, or a bookmark, wants shortened. */
  shared: string
  /** Address of the worker that keeps the page for when there is no network; null: none. */
  worker: string | null
}

export function Home({ hosts, signedIn, attempt, sent, shared, worker }: Props) {
  const t = useTranslations('front')
  const spokenWords = useTranslations('spoken')
  const forms = useTranslations('forms')
  const recents = useRecents()
  const [stage, setStage] = useState(() => firstStage(sent, shared))
  const created = (link: LinkView) => {
    remember(link)
    setStage({ at: 'created', link, kept: true })
  }
  const spoken = (code: SpokenView) => {
    remember(code)
    setStage({ at: 'spoken', code, kept: true })
  }
  const unkept = stage.at === 'created' && !stage.kept ? stage.link : null
  const unkeptCode = stage.at === 'spoken' && !stage.kept ? stage.code : null
  // Made before the scripts had come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it sets the stage itself
  useEffect(() => {
    if (unkept) created(unkept)
    if (unkeptCode) spoken(unkeptCode)
  }, [unkept, unkeptCode])

  useEffect(() => keepOffline(worker), [worker])
  const Waiting = useWaiting()

  const made = stage.at === 'created' ? stage.link : null
  const listed = made && recents?.find((link) => sameLink(link, made))
  // Changed or deleted in the list below, it is so up here as well. One without a key was never listed.
  const result = made?.manageToken && !unkept ? listed : made
  const speak = (url: string) =>
    loadSpoken().then(
      () => setStage({ at: 'speaking', url }),
      () => toast(forms('offline')),
    )
  const again = () => setStage({ at: 'form', again: true, url: '' })
  return (
    <>
      {stage.at === 'speaking' ? (
        <SpokenForm
          url={stage.url}
          sent={sentOf(sent, 'spoken')}
          onCreated={spoken}
          onCancel={() => setStage({ at: 'form', again: true, url: stage.url })}
        />
      ) : stage.at === 'spoken' ? (
        <SpokenCard code={stage.code} onAgain={() => setStage({ at: 'speaking', url: '' })} />
      ) : result ? (
        <ResultCard link={result} owned={signedIn} onAgain={again} />
      ) : (
        <ShortenForm
          hosts={hosts}
          owned={signedIn}
          url={stage.at === 'form' ? stage.url : ''}
          attempt={attempt}
          sent={sentOf(sent, 'shorten')}
          focus={made || sent ? 'never' : stage.at === 'form' && stage.again ? 'always' : 'with a mouse'}
          keep={keepForLater}
          onCreated={created}
          onSpeak={(url) => void speak(url)}
        />
      )}
      {stage.at === 'spoken' && (
        <p className="mt-4 text-center text-sm">
          <ButtonOrLink href="/" look="quiet" onClick={again}>
            {spokenWords('linkInstead')}
          </ButtonOrLink>
        </p>
      )}
      {Waiting && <Waiting onCreated={created} />}
      {signedIn && recents?.length === 0 ? (
        <p className="mt-14 text-center text-sm text-muted">
          {t.rich('inDashboard', {
            link: (text) => (
              <Link href="/dashboard" className="font-medium text-accent underline underline-offset-4">
                {text}
              </Link>
            ),
          })}
        </p>
      ) : (
        <RecentLinks signedIn={signedIn} />
      )}
    </>
  )
}

/** Keeps the key of a link without an account. */
function remember({ manageToken, ...link }: LinkView): void {
  if (manageToken) rememberLink({ ...link, manageToken })
}

/** Where the page begins: with what came of a form that was sent before the scripts had come. */
function firstStage(sent: SentForm | null, shared: string): Stage {
  const [link, code] = [resultOf(sent, 'shorten'), resultOf(sent, 'spoken')]
  if (link) return { at: 'created', link, kept: false }
  if (code) return { at: 'spoken', code, kept: false }
  const { url = shared } = sent?.values ?? {}
  return sentOf(sent, 'spoken') ? { at: 'speaking', url } : { at: 'form', again: false, url }
}
