import { ChevronRight } from 'lucide-react'
import { useTranslations } from '#i18n'
import { TextAreaField, TextField } from '@/app/_ui/base/field'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkField, LinkTexts } from '@/lib/forms/link'
import { MOST_COMMENT } from '@/lib/labels/values'

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
  const said = FIELDS.map((name) => (typed.get(name) ?? texts[name]).trim()).filter((text) => text !== '')
  return (
    <details open={FIELDS.some((name) => form.errors[name])} className="group/filing rounded-control border border-line">
      <summary className="flex min-h-11 list-none items-center gap-2 rounded-control px-3 text-sm hover:bg-bg [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 text-muted transition-transform group-open/filing:rotate-90"
        />
        <span className="shrink-0 font-medium">{t('filing')}</span>
        <span className="ml-auto min-w-0 truncate pl-3 text-muted">
          <bdi>{said.length > 0 ? said.join(' · ') : t('notFiled')}</bdi>
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 border-t border-line p-3 sm:grid-cols-2">
        <TextField label={t('tags')} {...field('tags')} autoComplete="off" hint={t('tagsHint')} />
        <TextField label={t('folder')} {...field('folder')} autoComplete="off" hint={t('folderHint')} />
        <TextAreaField
          label={t('comment')}
          {...field('comment')}
          maxLength={MOST_COMMENT}
          hint={t('commentHint')}
          className="sm:col-span-2"
        />
      </div>
    </details>
  )
}
