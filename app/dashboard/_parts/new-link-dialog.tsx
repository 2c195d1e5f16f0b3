'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { toast } from '@/app/_ui/base/toast'
import { dropDraft } from '@/app/_ui/data/drafts'
import { useNewLinkNote } from '@/app/_ui/data/new-links'
import { useDraftedForm } from '@/app/_ui/links/draft-notice'
import { LinkQr } from '@/app/_ui/links/link-qr'
import { ResultCard } from '@/app/_ui/links/result-card'
import { ShortenForm } from '@/app/_ui/links/shorten-form'
import type { ShortHost } from '@/lib/domains/short-host'
import type { Given } from '@/lib/forms/given'
import type { SentForm } from '@/lib/forms/sent'
import type { LinkView, SpokenView } from '@/lib/links/schemas'

const loadSpoken = () => import('@/app/_parts/spoken')
const SpokenForm = dynamic(() => loadSpoken().then((module) => module.SpokenForm))
const SpokenCard = dynamic(() => loadSpoken().then((module) => module.SpokenCard))

interface Props {
  hosts: readonly ShortHost[]
  /** A number to be read aloud is wanted, rather than a link. */
  spoken: boolean
  /** What the form is filled in with. */
  given?: Given | undefined
  onCreated: () => void
  onClose: () => void
  /** Opens it again. */
  onContinue: () => void
}

type Stage =
  | { at: 'form' }
  | { at: 'created'; link: LinkView }
  /** `url`: what was typed already. */
  | { at: 'speaking'; url: string }
  | { at: 'spoken'; code: SpokenView }

const DRAFT = 'new link'

/** Creates links, and numbers to be read aloud, without leaving the list. */
export function NewLinkDialog({ hosts, spoken, given, onCreated, onClose, onContinue }: Props) {
  const t = useTranslations('dashboard.create')
  const words = useTranslations('spoken')
  const forms = useTranslations('forms')
  const [stage, setStage] = useState<Stage>(spoken ? { at: 'speaking', url: '' } : { at: 'form' })
  const { close } = useDraftedForm({ draft: DRAFT, link: null, onClose, onContinue })
  const note = useNewLinkNote()
  const isSpoken = stage.at === 'speaking' || stage.at === 'spoken'
  const description = isSpoken ? words('text') : note && stage.at === 'form' && t(`clipboard.${note}`)
  const speak = (url: string) =>
    void loadSpoken().then(
      () => setStage({ at: 'speaking', url }),
      () => toast(forms('offline')),
    )
  const toForm = () => setStage({ at: 'form' })
  return (
    <Dialog title={isSpoken ? words('title') : t('title')} description={description} onClose={close}>
      {stage.at === 'speaking' ? (
        <SpokenForm
          url={stage.url}
          sent={null}
          inDialog
          onCreated={(code) => {
            // What was typed for a link has become the number's.
            dropDraft(DRAFT)
            setStage({ at: 'spoken', code })
            onCreated()
          }}
          onCancel={toForm}
        />
      ) : stage.at === 'spoken' ? (
        <SpokenCard code={stage.code} onAgain={() => setStage({ at: 'speaking', url: '' })} />
      ) : stage.at === 'created' ? (
        <ResultCard link={stage.link} owned beside={<LinkQr url={stage.link.shortUrl} />} onAgain={toForm} />
      ) : (
        <ShortenForm
          hosts={hosts}
          focus="always"
          owned
          beside={(url) => <LinkQr url={url} />}
          {...(given && Object.keys(given).length > 0 ? { sent: filledIn(given) } : { draft: DRAFT })}
          onCreated={(link) => {
            setStage({ at: 'created', link })
            onCreated()
          }}
          onSpeak={speak}
        />
      )}
    </Dialog>
  )
}

/** As if it had been typed, and not yet sent. It is no draft: one that was left before stays as it is. */
const filledIn = (values: Given): SentForm => ({ form: 'shorten', values, errors: {}, failure: null, result: undefined })
