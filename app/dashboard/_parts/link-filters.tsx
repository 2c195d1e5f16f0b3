import { useTranslations } from '#i18n'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { SearchField } from '@/app/_ui/base/search-field'
import { FavoritesFilter, RangeFilters, StateFilter } from '@/app/_ui/links/link-filters'
import { EMPTY_VIEW, isNarrowed, type LinksControl } from '@/app/_ui/links/links-view'

/** Search and filters over the account's links. */
export function LinkFilters({ control }: { control: LinksControl }) {
  const { view, change } = control
  const t = useTranslations('dashboard.links')
  return (
    <FilterBar label={t('filters')} onClear={isNarrowed(view) ? () => change({ ...EMPTY_VIEW, sort: view.sort }) : null}>
      <SearchField
        label={t('search')}
        placeholder={t('searchPlaceholder')}
        value={view.q}
        onChange={(q) => change({ q })}
        className="w-full sm:w-auto sm:grow sm:basis-64"
      />
      <StateFilter control={control} className="grow basis-32 sm:grow-0 sm:basis-44" />
      <FavoritesFilter control={control} />
      <RangeFilters control={control} isOwn />
    </FilterBar>
  )
}
