import { useTranslations } from '#i18n'
import { TextAreaField, TextField } from '@/app/_ui/base/field'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkField, LinkTexts } from '@/lib/forms/link'
import { MOST_COMMENT } from '@/lib/labels/values'
import { FoldedFields } from './folded-fields'

const FIELDS = ['tags', 'folder', 'comment'] as const satisfies readonly LinkField[]

interface Props {
  form: FormState
  typed: Typed
  texts: LinkTexts
}

/** How the owner files a link: one step away, with what it is set to in a line. */
export function FilingFields({ form, typed, texts }: Props) {
  const t = useTranslations('links.field')
  const field = (name: LinkField) => form.field(name, texts[name])
  const said = FIELDS.map((name) => (typed.get(name) ?? texts[name]).trim())
  return (
    <FoldedFields label={t('filing')} said={said} none={t('notFiled')} isWrong={FIELDS.some((name) => form.errors[name])}>
      <TextField label={t('tags')} {...field('tags')} autoComplete="off" hint={t('tagsHint')} />
      <TextField label={t('folder')} {...field('folder')} autoComplete="off" hint={t('folderHint')} />
      <TextAreaField label={t('comment')} {...field('comment')} maxLength={MOST_COMMENT} hint={t('commentHint')} />
    </FoldedFields>
  )
}
