import { useTranslations } from '#i18n'
import { useColumnChoices } from '@/app/_ui/links/moving/column-choices'
import { columnFields } from '@/lib/forms/import'
import type { GuessedColumn } from '@/lib/movers/columns'
import { PlainSelect } from './plain-select'

/** What each column of a file is, to be corrected. */
export function ColumnFields({ columns }: { columns: readonly GuessedColumn[] }) {
  const t = useTranslations('dashboard.import')
  const options = useColumnChoices()
  return (
    <fieldset>
      <legend className="mb-2 text-[15px] font-medium">{t('columns.title')}</legend>
      <ul className="divide-y divide-line border-y border-line">
        {columns.map(({ name, property, examples }, index) => {
          const fields = columnFields(index)
          return (
            <li key={name} className="flex flex-col gap-2 py-3 sm:flex-row sm:items-center sm:gap-4">
              <span className="min-w-0 flex-1">
                <span className="block text-sm font-medium text-anywhere">{name}</span>
                <span className="line-clamp-2 text-[13px] text-muted text-anywhere">{examples.join(' · ')}</span>
              </span>
              <input type="hidden" name={fields.name} value={name} />
              <div className="sm:w-48">
                <PlainSelect label={name} labelHidden name={fields.property} chosen={property ?? ''} options={options} />
              </div>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
