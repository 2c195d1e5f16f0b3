import { X } from 'lucide-react'
import { FACETS } from '@/lib/stats/schemas'
import { Flag } from './flag'
import { FACET_NAMES, valueName } from './labels'
import type { ViewControl } from './use-view'

/** The filters that are on, each with a way to take it off. */
export function FilterChips({ control: { view, change, toggle } }: { control: ViewControl }) {
  const on = FACETS.flatMap((facet) => {
    const value = view.filters[facet]
    return value === undefined ? [] : [{ facet, value, name: valueName(facet, value) }]
  })
  if (on.length === 0) return null
  return (
    <ul aria-label="Filters" className="mt-4 flex flex-wrap items-center gap-2">
      {on.map(({ facet, value, name }) => (
        <li key={facet} className="max-w-full min-w-0">
          <button
            type="button"
            onClick={() => toggle(facet, value)}
            title={value === name ? value : `${name} (${value})`}
            aria-label={`Remove the filter ${FACET_NAMES[facet]}: ${name}`}
            className="inline-flex h-11 max-w-full items-center gap-2 rounded-full bg-accent-soft pr-2.5 pl-3.5 text-sm text-accent hover:text-accent-hover sm:h-8"
          >
            <span className="shrink-0">{FACET_NAMES[facet]}:</span>
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
            Clear all
          </button>
        </li>
      )}
    </ul>
  )
}
