import { useTranslations } from '#i18n'
import type { FieldErrors } from '@/lib/forms/fields'
import { ownerField } from '@/lib/forms/import'
import type { NamedOwner } from '@/lib/jobs/schemas'
import { TextField } from './field'

/** Owners that are listed at most: as many as are counted. */
const MOST = 200

interface Props {
  owners: readonly NamedOwner[]
  /** What was typed before, by field. */
  typed?: Readonly<Record<string, string>>
  errors: FieldErrors
  onType?: (name: string) => void
}

/** Which account here becomes the owner of whose links. */
export function OwnerFields({ owners, typed = {}, errors, onType }: Props) {
  const t = useTranslations('base.job.owners')
  return (
    <div>
      <h3 className="text-[15px] font-medium">{t('title')}</h3>
      <p className="mt-1 text-sm text-muted text-pretty">{owners.length < MOST ? t('text') : t('many', { count: MOST })}</p>
      <ul className="mt-3 max-h-96 divide-y divide-line overflow-y-auto border-y border-line">
        {owners.map(({ name, links, account }) => {
          const field = ownerField(name)
          return (
            <li key={name} className="flex flex-col gap-2 py-2.5 sm:flex-row sm:items-center sm:gap-4">
              <span className="min-w-0 flex-1 text-sm">
                <bdi className="block font-medium text-anywhere">{name}</bdi>
                <span className="text-[13px] text-muted tabular-nums">{t('links', { count: links })}</span>
              </span>
              <div className="sm:w-56">
                <TextField
                  label={t('label', { name })}
                  labelHidden
                  name={field}
                  defaultValue={typed[field] ?? account ?? ''}
                  error={errors[field]}
                  {...(onType && { onChange: () => onType(field) })}
                  placeholder={t('you')}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              </div>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
