import { useTranslations } from '#i18n'
import { TextField } from '@/app/_ui/base/field'
import type { FormState } from '@/app/_ui/data/use-form'
import type { LinkField, LinkTexts } from '@/lib/forms/link'
import { destinationInput } from './destination-input'
import { TimeField } from './time-field'

interface Props {
  form: FormState
  texts: LinkTexts
  /** Times are typed in UTC until the scripts have come. */
  inUtc: boolean
}

/** When a link starts, after how many clicks it ends, and where it leads then. Strangers have these fields as they are. */
export function EndFields({ form, texts, inUtc }: Props) {
  const t = useTranslations('links.field')
  const field = (name: LinkField) => form.field(name, texts[name])
  return (
    <>
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
    </>
  )
}
