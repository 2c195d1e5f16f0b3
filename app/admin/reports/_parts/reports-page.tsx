'use client'

import { EmptyState } from '@/app/_ui/base/empty-state'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { PageHead } from '@/app/_ui/base/page-head'
import { Segments } from '@/app/_ui/base/segments'
import { Select } from '@/app/_ui/base/select'
import { listReports } from '@/app/_ui/data/admin'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { filtersOf, oneOf, useFilters } from '@/app/admin/_parts/filters'
import { REASONS, STATES } from '@/app/admin/_parts/report-names'
import { useOpenRow } from '@/app/admin/_parts/use-open-row'
import { REPORT_REASONS, REPORT_STATES } from '@/lib/reports/schemas'
import { reportColumns } from './report-columns'
import { ReportDrawer } from './report-drawer'

/** Those that wait come first: `all` is asked for. */
const SHOWN = [...REPORT_STATES, 'all'] as const
const filters = filtersOf({ state: oneOf(SHOWN), reason: oneOf(REPORT_REASONS) })

const SEGMENTS = SHOWN.map((value) => ({ value, label: value === 'all' ? 'All' : STATES[value] }))
const REASON_OPTIONS = [
  { value: '', label: 'Any reason' },
  ...REPORT_REASONS.map((value) => ({ value, label: REASONS[value] })),
] as const

/** What people found wrong with links. */
export function ReportsPage() {
  const { control, field } = useFilters(filters)
  const { view, change } = control
  const state = SHOWN.find((known) => known === view.state) ?? 'open'
  const page = useCursorPage('reports', filters.query({ ...view, state: state === 'all' ? '' : state }), listReports)
  const inside = useOpenRow()
  const narrowed = view.reason !== '' || state !== 'open'
  return (
    <>
      <PageHead title="Reports" />
      <FilterBar label="Reports" onClear={view.reason === '' ? null : () => change({ reason: '' })}>
        <Segments
          label="State"
          value={state}
          options={SEGMENTS}
          onChange={(wanted) => change({ state: wanted === 'open' ? '' : wanted })}
          className="w-full sm:w-auto"
        />
        <Select label="Reason" {...field('reason')} options={REASON_OPTIONS} className="flex-1 sm:w-44 sm:flex-none" />
      </FilterBar>
      <AdminList
        caption="Reports"
        control={control}
        page={page}
        columns={reportColumns(inside.open)}
        nameOf={({ reference }) => reference}
        onShowAll={narrowed ? () => change({ state: 'all', reason: '' }) : null}
        empty={<EmptyState title="Nothing to do" text="No report is open. New ones wait here until somebody looks at them." />}
      />
      {inside.id !== null && <ReportDrawer id={inside.id} onChanged={page.reload} onClose={inside.close} />}
    </>
  )
}
