'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { useNewLinkNote } from '@/app/_ui/data/new-links'
import { useKeptClose } from '@/app/_ui/links/draft-notice'
import { LinkQr } from '@/app/_ui/links/link-qr'
import { ResultCard } from '@/app/_ui/links/result-card'
import { ShortenForm } from '@/app/_ui/links/shorten-form'
import type { ShortHost } from '@/lib/domains/short-host'
import type { LinkView } from '@/lib/links/schemas'

interface Props {
  hosts: readonly ShortHost[]
  onCreated: () => void
  onClose: () => void
}

const DRAFT = 'new link'

/** Creates links without leaving the list. */
export function NewLinkDialog({ hosts, onCreated, onClose }: Props) {
  const t = useTranslations('dashboard.create')
  const [created, setCreated] = useState<LinkView | null>(null)
  const close = useKeptClose(DRAFT, null, onClose)
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
