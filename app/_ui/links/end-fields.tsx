import { useTranslations } from '#i18n'
import { TextField } from '@/app/_ui/base/field'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkField, LinkTexts } from '@/lib/forms/link'
import { parseUrl } from '@/lib/tools/url'
import { destinationInput } from './destination-input'
import { FoldedFields } from './folded-fields'
import { TimeField } from './time-field'

const FIELDS = ['startsAt', 'maxClicks', 'expiredUrl'] as const satisfies readonly LinkField[]

interface Props {
  form: FormState
  typed: Typed
  texts: LinkTexts
  /** Times are typed in UTC until the scripts have come. */
  inUtc: boolean
}

/** When a link starts, after how many clicks it ends, and where it leads then. */
export function EndFields({ form, typed, texts, inUtc }: Props) {
  const t = useTranslations('links.field')
  const format = useFormat()
  const field = (name: LinkField) => form.field(name, texts[name])
  const [start = '', limit = '', after = ''] = FIELDS.map((name) => (typed.get(name) ?? texts[name]).trim())
  const said = [
    Number.isNaN(Date.parse(start)) ? start : format.time(start),
    /^\d+$/.test(limit) ? t('clicks', { count: Number(limit) }) : limit,
    parseUrl(after) ? readableUrl(after) : after,
  ]
  return (
    <FoldedFields label={t('ends')} said={said} none={t('noEnds')} isWrong={FIELDS.some((name) => form.errors[name])}>
      <TimeField label={t('startsAt')} hint={t('startsAtHint')} field={field('startsAt')} inUtc={inUtc} />
      <TextField
        label={t('maxClicks')}
        {...field('maxClicks')}
        inputMode="numeric"
        autoComplete="off"
        hint={t('maxClicksHint')}
      />
      <div className="sm:col-span-2">
        <TextField
          label={t('expiredUrl')}
          {...field('expiredUrl')}
          {...destinationInput}
          placeholder="https://"
          hint={t('expiredUrlHint')}
        />
      </div>
    </FoldedFields>
  )
}
