'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { ResultCard } from '@/app/_ui/links/result-card'
import { ShortenForm } from '@/app/_ui/links/shorten-form'
import type { LinkView } from '@/lib/links/schemas'

interface Props {
  host: string
  onCreated: () => void
  onClose: () => void
}

/** Creates links without leaving the list. */
export function NewLinkDialog({ host, onCreated, onClose }: Props) {
  const t = useTranslations('dashboard.create')
  const [created, setCreated] = useState<LinkView | null>(null)
  return (
    <Dialog title={t('title')} onClose={onClose}>
      {created ? (
        <ResultCard link={created} owned onAgain={() => setCreated(null)} />
      ) : (
        <ShortenForm
          host={host}
          focus="always"
          onCreated={(link) => {
            setCreated(link)
            onCreated()
          }}
        />
      )}
    </Dialog>
  )
}
