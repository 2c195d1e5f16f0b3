'use client'

import Link from 'next/link'
import { Chip } from '@/app/_ui/base/chip'
import type { Column } from '@/app/_ui/base/data-table'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { QuietMoment } from '@/app/_ui/base/moment'
import { PageHead } from '@/app/_ui/base/page-head'
import { SearchField } from '@/app/_ui/base/search-field'
import { Select } from '@/app/_ui/base/select'
import { listAudit } from '@/app/_ui/data/admin'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { ACTIONS, actionName } from '@/app/admin/_parts/action-names'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { atMost, filtersOf, useFilters } from '@/app/admin/_parts/filters'
import { openPath } from '@/app/admin/_parts/use-open-row'
import type { AuditView } from '@/lib/audit/schemas'
import { Details } from './details'

const filters = filtersOf({ action: atMost(64), target: atMost(400), actor: atMost(36) })

const COLUMNS: Column<AuditView>[] = [
  {
    key: 'what',
    title: 'What',
    narrow: 'line',
    cell: ({ action, target, details }) => (
      <div className="min-w-0">
        <p className="font-medium">{actionName(action)}</p>
        {target && (
          <p className="text-[13px] text-muted text-anywhere">
            <bdi>{target}</bdi>
          </p>
        )}
        <Details details={details} />
      </div>
    ),
  },
  {
    key: 'who',
    title: 'Who',
    narrow: 'bare',
    width: 'md:w-64',
    cell: ({ actor, actorId }) => (
      <Link
        href={openPath('accounts', actorId)}
        prefetch={false}
        className="text-[13px] underline-offset-4 text-anywhere hover:text-accent hover:underline"
      >
        <bdi>{actor}</bdi>
      </Link>
    ),
  },
  {
    key: 'where',
    title: 'From',
    narrow: 'bare',
    width: 'md:w-40',
    cell: ({ address }) => <span className="font-mono text-[13px] text-muted text-anywhere">{address || 'by itself'}</span>,
  },
  { key: 'when', title: 'When', narrow: 'bare', width: 'md:w-44', cell: ({ at }) => <QuietMoment iso={at} exact /> },
]

/** All that admins have done. */
export function AuditPage() {
  const { control, query, field, clear } = useFilters(filters)
  const { view, change } = control
  const page = useCursorPage('audit', query, listAudit)
  const who = page.rows?.find(({ actorId }) => actorId === view.actor)?.actor ?? 'one account'
  const known = ACTIONS.includes(view.action) || view.action === '' ? ACTIONS : [...ACTIONS, view.action]
  return (
    <>
      <PageHead title="Audit log" />
      <FilterBar label="Audit log" onClear={clear}>
        <SearchField label="To what it was done" placeholder="Exact short link, host or account" {...field('target')} />
        <Select
          label="Action"
          {...field('action')}
          options={[{ value: '', label: 'Any action' }, ...known.map((value) => ({ value, label: actionName(value) }))]}
          className="flex-1 sm:w-56 sm:flex-none"
        />
        {view.actor !== '' && (
          <Chip label={`Done by ${who}`} onRemove={() => change({ actor: '' })}>
            Done by <bdi>{who}</bdi>
          </Chip>
        )}
      </FilterBar>
      <AdminList
        caption="What admins did"
        control={control}
        page={page}
        columns={COLUMNS}
        nameOf={({ action, target }) => `${actionName(action)} ${target}`}
        onShowAll={clear}
        empty={<EmptyState title="Nothing yet" text="Whatever an admin changes is written down here, and stays." />}
      />
    </>
  )
}
