import { useTranslations } from '#i18n'
import { Field, inputClass } from '@/app/_ui/base/field'
import type { SelectOption } from '@/app/_ui/base/select'
import type { ShortHost } from '@/lib/domains/short-host'

interface Props {
  label: string
  labelHidden?: boolean
  name: string
  chosen: string
  options: readonly SelectOption<string>[]
}

/** A choice of one in a form that the browser sends itself. */
export function PlainSelect({ label, labelHidden = false, name, chosen, options }: Props) {
  return (
    <Field label={label} labelHidden={labelHidden}>
      {(control) => (
        <select {...control} name={name} defaultValue={chosen} className={inputClass}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** The domain that links are put on, where there is a choice. */
export function DomainSelect({ hosts, chosen }: { hosts: readonly ShortHost[]; chosen: string | undefined }) {
  const t = useTranslations('dashboard.import')
  if (hosts.length < 2) return null
  const options = [{ value: '', label: t('ownDomain') }, ...hosts.map(({ domain, shown }) => ({ value: domain, label: shown }))]
  return <PlainSelect label={t('domain')} name="domain" chosen={chosen ?? ''} options={options} />
}
