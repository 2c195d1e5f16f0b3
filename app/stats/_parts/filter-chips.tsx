import { X } from 'lucide-react'
import { useTranslations } from '#i18n'
import { FACETS } from '@/lib/stats/values'
import { Flag } from './flag'
import { useValueName } from './labels'
import type { ViewControl } from './use-view'

/** The filters that are on, each with a way to take it off. */
export function FilterChips({ control: { view, change, toggle } }: { control: ViewControl }) {
  const t = useTranslations('stats')
  const base = useTranslations('base')
  const valueName = useValueName()
  const on = FACETS.flatMap((facet) => {
    const value = view.filters[facet]
    return value === undefined ? [] : [{ facet, value, label: t(`facet.${facet}`), name: valueName(facet, value) }]
  })
  if (on.length === 0) return null
  return (
    <ul aria-label={t('filters.label')} className="mt-4 flex flex-wrap items-center gap-2">
      {on.map(({ facet, value, label, name }) => (
        <li key={facet} className="max-w-full min-w-0">
          <button
            type="button"
            onClick={() => toggle(facet, value)}
            title={value === name ? value : t('filters.exact', { name, value })}
            aria-label={base('filters.remove', { filter: t('filters.chip', { facet: label, value: name }) })}
            className="inline-flex h-11 max-w-full items-center gap-2 rounded-full bg-accent-soft pr-2.5 pl-3.5 text-sm text-accent hover:text-accent-hover sm:h-8"
          >
            <span className="shrink-0">{t('filters.facet', { facet: label })}</span>
            {facet === 'country' && <Flag code={value} />}
            <span className="max-w-56 min-w-0 truncate font-semibold">
              <bdi>{name}</bdi>
            </span>
            <X aria-hidden="true" className="size-4 shrink-0" />
          </button>
        </li>
      ))}
      {on.length > 1 && (
        <li>
          <button
            type="button"
            onClick={() => change({ filters: {} })}
            className="h-11 rounded-control px-2 text-sm font-medium text-muted hover:text-fg sm:h-8"
          >
            {base('filters.clear')}
          </button>
        </li>
      )}
    </ul>
  )
}
