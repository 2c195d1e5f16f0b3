'use client'

import { useTranslations } from '#i18n'
import { EmptyState } from '@/app/_ui/base/empty-state'
import { FilterBar } from '@/app/_ui/base/filter-bar'
import { PageHead } from '@/app/_ui/base/page-head'
import { Segments } from '@/app/_ui/base/segments'
import { Select } from '@/app/_ui/base/select'
import { listReports } from '@/app/_ui/data/admin'
import { useCursorPage } from '@/app/_ui/data/cursor-page'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { filtersOf, oneOf, useFilters } from '@/app/admin/_parts/filters'
import { useOpenRow } from '@/app/admin/_parts/use-open-row'
import { REPORT_REASONS, REPORT_STATES } from '@/lib/reports/values'
import { useReportColumns } from './report-columns'
import { ReportDrawer } from './report-drawer'

/** Those that wait come first: `all` is asked for. */
const SHOWN = [...REPORT_STATES, 'all'] as const
const filters = filtersOf({ state: oneOf(SHOWN), reason: oneOf(REPORT_REASONS) })

/** What people found wrong with links. */
export function ReportsPage() {
  const t = useTranslations('reports')
  const reasonName = useTranslations('report.reason')
  const admin = useTranslations('admin')
  const { control, field } = useFilters(filters)
  const { view, change } = control
  const state = SHOWN.find((known) => known === view.state) ?? 'open'
  const page = useCursorPage('reports', filters.query({ ...view, state: state === 'all' ? '' : state }), listReports)
  const inside = useOpenRow()
  const columns = useReportColumns(inside.open)
  const segments = SHOWN.map((value) => ({ value, label: value === 'all' ? t('filter.all') : admin(`reportState.${value}`) }))
  const reasons = REPORT_REASONS.map((value) => ({ value: value as string, label: reasonName(`${value}.title`) }))
  const narrowed = view.reason !== '' || state !== 'open'
  return (
    <>
      <PageHead title={t('title')} />
      <FilterBar label={t('title')} onClear={view.reason === '' ? null : () => change({ reason: '' })}>
        <Segments
          label={t('filter.state')}
          value={state}
          options={segments}
          onChange={(wanted) => change({ state: wanted === 'open' ? '' : wanted })}
          className="w-full sm:w-auto"
        />
        <Select
          label={t('filter.reason')}
          {...field('reason')}
          options={[{ value: '', label: t('filter.anyReason') }, ...reasons]}
          className="flex-1 sm:w-44 sm:flex-none"
        />
      </FilterBar>
      <AdminList
        caption={t('title')}
        control={control}
        page={page}
        columns={columns}
        nameOf={({ reference }) => reference}
        onShowAll={narrowed ? () => change({ state: 'all', reason: '' }) : null}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
      {inside.id !== null && <ReportDrawer id={inside.id} onChanged={page.reload} onClose={inside.close} />}
    </>
  )
}
