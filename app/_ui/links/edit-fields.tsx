import { Switch } from 'radix-ui'
import { useId } from 'react'
import { Field, inputClass } from '@/app/_ui/base/field'
import { REDIRECT_STATUSES, type RedirectStatus } from '@/lib/links/schemas'

const MEANINGS: Record<RedirectStatus, string> = {
  301: '301, permanent',
  302: '302, temporary (usual)',
  307: '307, temporary, method kept',
  308: '308, permanent, method kept',
}

export function RedirectStatusField({ status, error }: { status: number; error: string | undefined }) {
  return (
    <Field label="Redirect" error={error} hint="Browsers remember permanent ones for a short while.">
      {(control) => (
        <select {...control} name="redirectStatus" defaultValue={status} className={inputClass}>
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

interface SwitchProps {
  name: string
  label: string
  hint: string
  on: boolean
}

function SwitchField({ name, label, hint, on }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      </div>
      <Switch.Root
        id={id}
        name={name}
        defaultChecked={on}
        aria-describedby={`${id}-hint`}
        className="relative h-7 w-12 shrink-0 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-5 translate-x-1 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-6" />
      </Switch.Root>
    </div>
  )
}
