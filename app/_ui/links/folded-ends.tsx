import type { ReactNode } from 'react'
import { useTranslations } from '#i18n'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkField, LinkTexts } from '@/lib/forms/link'
import { parseUrl } from '@/lib/tools/url'
import { FoldedFields } from './folded-fields'

const FIELDS = ['startsAt', 'maxClicks', 'expiredUrl'] as const satisfies readonly LinkField[]

interface Props {
  form: FormState
  typed: Typed
  texts: LinkTexts
  /** Its fields. */
  children: ReactNode
}

/** The fields of a link's start and end, one step away. */
export function FoldedEnds({ form, typed, texts, children }: Props) {
  const t = useTranslations('links.field')
  const format = useFormat()
  const [start = '', limit = '', after = ''] = FIELDS.map((name) => (typed.get(name) ?? texts[name]).trim())
  const said = [
    Number.isNaN(Date.parse(start)) ? start : format.time(start),
    /^\d+$/.test(limit) ? t('clicks', { count: Number(limit) }) : limit,
    parseUrl(after) ? readableUrl(after) : after,
  ]
  return (
    <FoldedFields label={t('ends')} said={said} none={t('noEnds')} isWrong={FIELDS.some((name) => form.errors[name])}>
      {children}
    </FoldedFields>
  )
}
