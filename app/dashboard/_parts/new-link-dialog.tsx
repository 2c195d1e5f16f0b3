'use client'

import { useState } from 'react'
import { Dialog } from '@/app/_ui/base/dialog'
import { ResultCard } from '@/app/_ui/links/result-card'
import { ShortenForm } from '@/app/_ui/links/shorten-form'
import type { LinkView } from '@/lib/links/schemas'

interface Props {
  host: string
  onCreated: () => void
  onClose: () => void
}

/** Makes links without leaving the list. */
export function NewLinkDialog({ host, onCreated, onClose }: Props) {
  const [made, setMade] = useState<LinkView | null>(null)
  return (
    <Dialog title="New link" onClose={onClose}>
      {made ? (
        <ResultCard link={made} owned onAgain={() => setMade(null)} />
      ) : (
        <ShortenForm
          host={host}
          focus="always"
          onCreated={(link) => {
            setMade(link)
            onCreated()
          }}
        />
      )}
    </Dialog>
  )
}
