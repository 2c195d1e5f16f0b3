'use client'

import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { Drawer } from '@/app/_ui/base/dialog'
import { DialogFailure } from '@/app/_ui/base/dialog-failure'
import { getLink } from '@/app/_ui/data/api'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useServerData } from '@/app/_ui/data/server-data'
import { useDraftedForm } from '@/app/_ui/links/draft-notice'
import { EditForm, editDraft } from '@/app/_ui/links/edit-form'
import { EditSkeleton } from '@/app/_ui/links/edit-skeleton'
import type { LinkView } from '@/lib/links/schemas'
import { keyOfOwn } from './use-link-actions'

interface Props {
  link: LinkView
  onSaved: (link: LinkView) => void
  onClose: () => void
  /** Opens it again. */
  onContinue: () => void
}

/** Edits a link beside the list. The link is read again: another device may have changed it. */
export function EditDrawer({ link, onSaved, onClose, onContinue }: Props) {
  const t = useTranslations('dashboard')
  const base = useTranslations('base')
  const current = useServerData(['own link', link.id], (signal) => getLink(keyOfOwn(link), signal))
  const { close, discard } = useDraftedForm({
    draft: editDraft(link),
    link: readableUrl(link.shortUrl),
    onClose,
    onContinue,
  })
  return (
    <Drawer title={t('edit.title')} description={current.value ? null : readableUrl(link.shortUrl)} onClose={close}>
      {current.failure ? (
        <DialogFailure message={current.failure.message} onClose={onClose}>
          {current.failure.kind !== 'gone' && <Button onClick={current.reload}>{base('failure.again')}</Button>}
        </DialogFailure>
      ) : current.value ? (
        <EditForm
          view={current.value}
          token={null}
          onClose={onClose}
          onDiscard={discard}
          onSaved={(saved) => {
            onSaved(saved)
            onClose()
          }}
        />
      ) : (
        <EditSkeleton />
      )}
    </Drawer>
  )
}
