import { Field, inputClass } from '@/app/_ui/base/field'
import { SwitchField } from '@/app/_ui/base/switch-field'
import type { FieldState } from '@/app/_ui/data/use-form'
import { REDIRECT_STATUSES, type RedirectStatus } from '@/lib/links/schemas'

const MEANINGS: Record<RedirectStatus, string> = {
  301: '301, permanent',
  302: '302, temporary (usual)',
  307: '307, temporary, method kept',
  308: '308, permanent, method kept',
}

export function RedirectStatusField({ field: { error, ...field } }: { field: FieldState }) {
  return (
    <Field label="Redirect" error={error} hint="Browsers remember permanent ones for a short while.">
      {(control) => (
        <select {...control} {...field} className={inputClass}>
          {REDIRECT_STATUSES.map((value) => (
            <option key={value} value={value}>
              {MEANINGS[value]}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function EnabledField({ enabled }: { enabled: boolean }) {
  return <SwitchField name="enabled" label="Enabled" hint="When off, visitors see that the link is not available." on={enabled} />
}

export function ListedField({ listed }: { listed: boolean }) {
  return (
    <SwitchField name="listed" label="Show on my public page" hint="Anyone can then see its title and destination." on={listed} />
  )
}
