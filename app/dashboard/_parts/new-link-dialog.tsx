'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { useNewLinkNote } from '@/app/_ui/data/new-links'
import { useDraftedForm } from '@/app/_ui/links/draft-notice'
import { LinkQr } from '@/app/_ui/links/link-qr'
import { ResultCard } from '@/app/_ui/links/result-card'
import { ShortenForm } from '@/app/_ui/links/shorten-form'
import type { ShortHost } from '@/lib/domains/short-host'
import type { LinkView } from '@/lib/links/schemas'

interface Props {
  hosts: readonly ShortHost[]
  onCreated: () => void
  onClose: () => void
  /** Opens it again. */
  onContinue: () => void
}

const DRAFT = 'new link'

/** Creates links without leaving the list. */
export function NewLinkDialog({ hosts, onCreated, onClose, onContinue }: Props) {
  const t = useTranslations('dashboard.create')
  const [created, setCreated] = useState<LinkView | null>(null)
  const { close } = useDraftedForm({ draft: DRAFT, link: null, onClose, onContinue })
  const note = useNewLinkNote()
  return (
    <Dialog title={t('title')} description={note && !created && t(`clipboard.${note}`)} onClose={close}>
      {created ? (
        <ResultCard link={created} owned beside={<LinkQr url={created.shortUrl} />} onAgain={() => setCreated(null)} />
      ) : (
        <ShortenForm
          hosts={hosts}
          focus="always"
          owned
          beside={(url) => <LinkQr url={url} />}
          draft={DRAFT}
          onCreated={(link) => {
            setCreated(link)
            onCreated()
          }}
        />
      )}
    </Dialog>
  )
}
