import { Field, inputClass } from '@/app/_ui/base/field'
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
