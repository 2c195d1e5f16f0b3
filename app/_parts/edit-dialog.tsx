'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogFailure } from '@/app/_ui/base/dialog-failure'
import { getLink } from '@/app/_ui/data/api'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { forgetLink, markLost, type RecentLink, refreshRecent } from '@/app/_ui/data/recents'
import { useDraftedForm } from '@/app/_ui/links/draft-notice'
import { EditForm, editDraft } from '@/app/_ui/links/edit-form'
import { EditSkeleton } from '@/app/_ui/links/edit-skeleton'
import type { Failure } from '@/lib/forms/failure'
import type { LinkView } from '@/lib/links/schemas'

type State = { status: 'loading' } | { status: 'failed'; failure: Failure } | { status: 'ready'; view: LinkView }

/** The link as the server has it now; another device may have changed it. */
function useCurrent(link: RecentLink): State {
  const [state, setState] = useState<State>({ status: 'loading' })
  useEffect(() => {
    const abort = new AbortController()
    void getLink(link, abort.signal).then((result) => {
      if (abort.signal.aborted) return
      if (result.ok) return setState({ status: 'ready', view: result.value })
      const { failure } = result
      if (failure.kind === 'gone' || failure.kind === 'refused') markLost(link, failure.kind)
      setState({ status: 'failed', failure })
    })
    return () => abort.abort()
  }, [link])
  return state
}

interface Props {
  link: RecentLink
  onClose: () => void
  /** Opens it again. */
  onContinue: () => void
}

export function EditDialog({ link, onClose, onContinue }: Props) {
  const t = useTranslations('front.recent')
  const state = useCurrent(link)
  const { close, discard } = useDraftedForm({
    draft: editDraft(link),
    link: readableUrl(link.shortUrl),
    onClose,
    onContinue,
  })
  return (
    <Dialog title={t('edit.title')} description={state.status === 'ready' ? null : readableUrl(link.shortUrl)} onClose={close}>
      {state.status === 'loading' && <EditSkeleton />}
      {state.status === 'failed' && <Failed failure={state.failure} link={link} onClose={onClose} />}
      {state.status === 'ready' && (
        <EditForm
          view={state.view}
          token={link.manageToken}
          onClose={onClose}
          onDiscard={discard}
          onSaved={(view) => {
            refreshRecent(view)
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

function Failed({ failure, link, onClose }: { failure: Failure; link: RecentLink; onClose: () => void }) {
  const t = useTranslations('front.recent')
  const lost = failure.kind === 'gone' || failure.kind === 'refused'
  const remove = () => {
    forgetLink(link)
    onClose()
  }
  return (
    <DialogFailure message={failure.message} onClose={onClose}>
      {lost && <Button onClick={remove}>{t('forget.action')}</Button>}
    </DialogFailure>
  )
}
