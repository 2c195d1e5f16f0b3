import { type ReactNode, useEffect } from 'react'
import { useTranslations } from '#i18n'
import { dropDraft, hasDraft, putDraft } from '@/app/_ui/data/drafts'
import { dismissDraftToast, draftToast } from './draft-toast'

/** Says that a form holds what was typed into it before. */
export function DraftNotice({ children }: { children?: ReactNode }) {
  const t = useTranslations('links.draft')
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 rounded-control bg-accent-soft py-1 pr-1 pl-3 text-sm sm:min-h-10">
      <p role="status">{t('restored')}</p>
      {children}
    </div>
  )
}

interface DraftedForm {
  draft: string
  /** That it is about; null: a new one. */
  link: string | null
  onClose: () => void
  /** Opens the form again. */
  onContinue: () => void
}

/**
 * The two ways out of what holds a form. `close` keeps what is not saved, however one leaves; `discard` throws it away. Each says
 * so, with the way back.
 */
export function useDraftedForm({ draft, link, onClose, onContinue }: DraftedForm) {
  const t = useTranslations('links.draft')
  // It was about the form before this one, or about this one.
  useEffect(() => dismissDraftToast(), [])
  const close = () => {
    if (hasDraft(draft)) {
      const title = link === null ? t('keptNew') : t('kept', { link })
      draftToast(title, { action: { label: t('continue'), onClick: onContinue } })
    }
    onClose()
  }
  const discard = () => {
    const dropped = dropDraft(draft)
    if (dropped) {
      const undo = () => {
        putDraft(draft, dropped)
        onContinue()
      }
      draftToast(t('discarded', { link: link ?? '' }), { action: { label: t('undo'), onClick: undo } })
    }
    onClose()
  }
  return { close, discard }
}
