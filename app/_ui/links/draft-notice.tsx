import { useEffect } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { toast } from '@/app/_ui/base/toast'
import { hasDraft } from '@/app/_ui/data/drafts'

/** Takes away what was said of the last one. */
let dismiss = () => {}

/** Says that a form holds what was typed into it before. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const t = useTranslations('links.draft')
  useEffect(() => dismiss(), [])
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-control bg-accent-soft py-1 pr-1 pl-3 text-sm">
      <p role="status">{t('restored')}</p>
      <Button look="quiet" size="small" onClick={onDiscard}>
        {t('discard')}
      </Button>
    </div>
  )
}

/**
 * Closes what holds a form, as by a click beside it; what is not saved is kept, and a toast says so.
 * @param link that it is about; null: a new one
 */
export function useKeptClose(draft: string, link: string | null, onClose: () => void): () => void {
  const t = useTranslations('links.draft')
  return () => {
    if (hasDraft(draft)) {
      dismiss()
      dismiss = toast(link === null ? t('keptNew') : t('kept', { link }), { description: t('keptHint') })
    }
    onClose()
  }
}
