import { useTranslations } from '#i18n'
import { Chip } from '@/app/_ui/base/chip'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { SearchField } from '@/app/_ui/base/search-field'
import { Select } from '@/app/_ui/base/select'
import { listDomains } from '@/app/_ui/data/admin'
import { useServerData } from '@/app/_ui/data/server-data'
import { RangeFilters, StateFilter } from '@/app/_ui/links/link-filters'
import { unicodeHost } from '@/lib/net/shown-host'
import { type AllLinksControl, EMPTY_VIEW, isNarrowed } from './view'

interface Props {
  control: AllLinksControl
  /** Name of the account whose links are shown, as far as it is known. */
  ownerName: string
}

/** Search and filters over everyone's links. */
export function LinkFilters({ control, ownerName }: Props) {
  const t = useTranslations('admin.links')
  const { view, change } = control
  const ofAccount = view.owner !== null && view.owner !== 'none'
  return (
    <FilterBar label={t('filter.label')} onClear={isNarrowed(view) ? () => change({ ...EMPTY_VIEW, sort: view.sort }) : null}>
      <SearchField
        label={t('filter.search')}
        placeholder={t('filter.hint')}
        value={view.q}
        onChange={(q) => change({ q })}
        className="w-full lg:w-auto lg:flex-1"
      />
      <StateFilter control={control} className="flex-1 basis-32 sm:w-44 sm:flex-none sm:basis-auto" />
      {!ofAccount && (
        <Select
          label={t('filter.owner')}
          value={view.owner === 'none' ? 'none' : ''}
          options={[
            { value: '', label: t('filter.anyOwner') },
            { value: 'none', label: t('noAccount') },
          ]}
          onChange={(owner) => change({ owner: owner || null })}
          className="flex-1 basis-32 sm:w-44 sm:flex-none sm:basis-auto"
        />
      )}
      <DomainSelect domain={view.domain} onChange={(domain) => change({ domain })} />
      <RangeFilters control={control} />
      {ofAccount && (
        <Chip label={t('filter.ofAccount', { name: ownerName })} onRemove={() => change({ owner: null })}>
          {t('filter.ofAccount', { name: ownerName })}
        </Chip>
      )}
    </FilterBar>
  )
}

/** Nothing where there is but one. */
function DomainSelect({ domain, onChange }: { domain: string | null; onChange: (domain: string | null) => void }) {
  const t = useTranslations('admin.links.filter')
  const { value } = useServerData(['domains'], listDomains)
  const hosts = new Set(value?.domains.map(({ host }) => host))
  if (domain !== null) hosts.add(domain)
  if (hosts.size < 2) return null
  const options = [{ value: '', label: t('anyDomain') }, ...[...hosts].map((host) => ({ value: host, label: unicodeHost(host) }))]
  return (
    <Select
      label={t('domain')}
      value={domain ?? ''}
      options={options}
      onChange={(chosen) => onChange(chosen || null)}
      className="flex-1 basis-32 sm:w-44 sm:flex-none sm:basis-auto"
    />
  )
}
