import { EmptyState } from '@/app/_ui/base/empty-state'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { SearchField } from '@/app/_ui/base/search-field'
import { Select } from '@/app/_ui/base/select'
import { listAccounts } from '@/app/_ui/data/admin'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { atMost, filtersOf, oneOf, useFilters } from '@/app/admin/_parts/filters'
import { useOpenRow } from '@/app/admin/_parts/use-open-row'
import { accountColumns } from './account-columns'
import { AccountDrawer } from './account-drawer'

const filters = filtersOf({ q: atMost(200), role: oneOf(['user', 'admin']), banned: oneOf(['true', 'false']) })

const ROLES = [
  { value: '', label: 'Any role' },
  { value: 'user', label: 'Users' },
  { value: 'admin', label: 'Admins' },
] as const
const BANNED = [
  { value: '', label: 'Banned or not' },
  { value: 'true', label: 'Banned' },
  { value: 'false', label: 'Not banned' },
] as const

export function AccountsTab() {
  const { control, query, field, clear } = useFilters(filters)
  const page = useCursorPage('accounts', query, listAccounts)
  const inside = useOpenRow()
  return (
    <>
      <FilterBar label="Accounts" onClear={clear}>
        <SearchField label="Search accounts" placeholder="Name, e-mail address or handle" {...field('q')} />
        <Select label="Role" {...field('role')} options={ROLES} className="flex-1 sm:w-32 sm:flex-none" />
        <Select label="Banned" {...field('banned')} options={BANNED} className="flex-1 sm:w-40 sm:flex-none" />
      </FilterBar>
      <AdminList
        caption="Accounts"
        control={control}
        page={page}
        columns={accountColumns(inside.open)}
        nameOf={({ name, handle }) => name || handle}
        onShowAll={clear}
        empty={<EmptyState title="No accounts" text="Accounts appear here as people sign up." />}
      />
      {inside.id !== null && <AccountDrawer id={inside.id} onChanged={page.reload} onClose={inside.close} />}
    </>
  )
}
