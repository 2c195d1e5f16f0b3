import { useTranslations } from '#i18n'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { SearchField } from '@/app/_ui/base/search-field'
import { Select } from '@/app/_ui/base/select'
import { listAccounts } from '@/app/_ui/data/admin'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { atMost, filtersOf, oneOf, useFilters } from '@/app/admin/_parts/filters'
import { useOpenRow } from '@/app/admin/_parts/use-open-row'
import { useAccountColumns } from './account-columns'
import { AccountDrawer } from './account-drawer'

const filters = filtersOf({ q: atMost(200), role: oneOf(['user', 'admin']), banned: oneOf(['true', 'false']) })

export function AccountsTab() {
  const t = useTranslations('admin.accounts')
  const { control, query, field, clear } = useFilters(filters)
  const page = useCursorPage('accounts', query, listAccounts)
  const inside = useOpenRow()
  const columns = useAccountColumns(inside.open)
  const roles = [
    { value: '', label: t('filter.anyRole') },
    { value: 'user', label: t('filter.user') },
    { value: 'admin', label: t('filter.admin') },
  ]
  const banned = [
    { value: '', label: t('filter.anyState') },
    { value: 'true', label: t('filter.banned') },
    { value: 'false', label: t('filter.notBanned') },
  ]
  return (
    <>
      <FilterBar label={t('tab.accounts')} onClear={clear}>
        <SearchField label={t('filter.search')} placeholder={t('filter.hint')} {...field('q')} />
        <Select
          label={t('filter.role')}
          {...field('role')}
          options={roles}
          className="flex-1 basis-32 sm:w-32 sm:flex-none sm:basis-auto"
        />
        <Select
          label={t('filter.banned')}
          {...field('banned')}
          options={banned}
          className="flex-1 basis-32 sm:w-48 sm:flex-none sm:basis-auto"
        />
      </FilterBar>
      <AdminList
        caption={t('tab.accounts')}
        control={control}
        page={page}
        columns={columns}
        nameOf={({ name, handle }) => name || handle}
        onShowAll={clear}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
      {inside.id !== null && <AccountDrawer id={inside.id} onChanged={page.reload} onClose={inside.close} />}
    </>
  )
}
