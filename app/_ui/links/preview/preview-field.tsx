'use client'

import { useTranslations } from '#i18n'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import { previewIn, previewText } from '@/lib/forms/preview'
import type { LinkView } from '@/lib/links/schemas'
import { FoldedEditor } from '../folded-editor'

interface Props {
  form: FormState
  typed: Typed
  /** What the field says before anything is changed. */
  text: string
  /** null for a new link. */
  view: LinkView | null
}

/** What apps show of a link. */
export function PreviewField({ form, typed, text, view }: Props) {
  const t = useTranslations('links.preview')
  const setting = previewIn(typed.get('preview') ?? text)
  const summaryOf = (preview: typeof setting) => {
    if (preview?.source !== 'custom') return t(preview ? 'destination' : 'none')
    return preview.title === '' ? t('customUntitled') : t('custom', { title: preview.title })
  }
  return (
    <FoldedEditor
      name="preview"
      form={form}
      text={text}
      label={t('label')}
      summary={summaryOf(setting)}
      wrong={t('wrong')}
      action={(isOpen) => t(isOpen ? 'close' : 'edit')}
      load={() => import('./preview-editor').then(({ PreviewEditor }) => PreviewEditor)}
      own={{ setting, view }}
      textOf={previewText}
    />
  )
}
