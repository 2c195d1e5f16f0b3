'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { toast } from '@/app/_ui/base/toast'
import { fetchPreview, getPreview, type Preview } from '@/app/_ui/data/preview'
import type { LinkView } from '@/lib/links/schemas'
import { CardPictures } from './card-pictures'

/** What the destination of a link says of itself, once it was read. @param view null for a new link */
export function DestinationCard({ view }: { view: LinkView | null }) {
  const t = useTranslations('links.preview')
  const [found, setFound] = useState<Preview | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isSaved = view?.preview?.source === 'destination'
  const key = view && { code: view.code, domain: view.domain, manageToken: null }
  const [code, domain] = [view?.code, view?.domain]
  useEffect(() => {
    if (!isSaved || code === undefined || domain === undefined) return
    const abort = new AbortController()
    void getPreview({ code, domain, manageToken: null }, abort.signal).then((result) => {
      if (abort.signal.aborted) return
      if (result.ok) setFound(result.value)
      else setFailure(result.failure.message)
    })
    return () => abort.abort()
  }, [isSaved, code, domain])
  if (!isSaved || !key || !view) return <p className="text-[13px] text-muted">{t('waiting')}</p>
  const again = async () => {
    setBusy(true)
    const result = await fetchPreview(key)
    setBusy(false)
    if (!result.ok) return setFailure(result.failure.message)
    setFailure(null)
    toast(t('asked'))
  }
  return (
    <div className="space-y-4">
      {failure && <FailureMessage>{failure}</FailureMessage>}
      {!found && !failure && <div aria-hidden="true" className="skeleton h-24" />}
      {found?.card && <CardPictures card={found.card} host={view.domain} />}
      {found && !found.card && <p className="text-[13px] text-muted">{t(found.state === 'failed' ? 'failed' : 'waiting')}</p>}
      {found && (
        <Button size="small" busy={busy} onClick={again}>
          {t('again')}
        </Button>
      )}
    </div>
  )
}
