'use client'

import { useTranslations } from '#i18n'
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
import { useActionName } from '@/app/admin/_parts/action-names'
import { AdminList } from '@/app/admin/_parts/admin-list'
import { atMost, filtersOf, useFilters } from '@/app/admin/_parts/filters'
import type { AuditView } from '@/lib/audit/schemas'
import { AUDIT_ACTIONS } from '@/lib/audit/values'
import { Details } from './details'
import { Sentence } from './sentence'

const filters = filtersOf({ action: atMost(64), target: atMost(400), actor: atMost(36) })

function useColumns(): Column<AuditView>[] {
  const t = useTranslations('admin.audit')
  return [
    {
      key: 'what',
      title: t('column.what'),
      narrow: 'line',
      cell: (entry) => (
        <div className="min-w-0">
          <p>
            <Sentence entry={entry} />
          </p>
          {entry.action.startsWith('link.') && entry.targetName && (
            <p className="text-[13px] text-muted text-anywhere">
              <bdi>{entry.targetName}</bdi>
            </p>
          )}
          <Details entry={entry} />
        </div>
      ),
    },
    {
      key: 'where',
      title: t('column.where'),
      narrow: 'bare',
      width: 'md:w-40',
      cell: ({ address }) => <span className="font-mono text-[13px] text-muted text-anywhere">{address || t('byItself')}</span>,
    },
    {
      key: 'when',
      title: t('column.when'),
      narrow: 'bare',
      width: 'md:w-44',
      cell: ({ at }) => <QuietMoment iso={at} exact />,
    },
  ]
}

/** All that admins have done. */
export function AuditPage() {
  const t = useTranslations('admin.audit')
  const page = useTranslations('admin.page')
  const actionName = useActionName()
  const columns = useColumns()
  const { control, query, field, clear } = useFilters(filters)
  const { view, change } = control
  const log = useCursorPage('audit', query, listAudit)
  const who = log.rows?.find(({ actorId }) => actorId === view.actor)?.actorName ?? t('filter.oneAccount')
  const actions: string[] = [...new Set(['', ...AUDIT_ACTIONS, view.action])]
  return (
    <>
      <PageHead title={page('audit')} />
      <FilterBar label={page('audit')} onClear={clear}>
        <SearchField label={t('filter.target')} placeholder={t('filter.targetHint')} {...field('target')} />
        <Select
          label={t('filter.action')}
          {...field('action')}
          options={actions.map((value) => ({ value, label: value === '' ? t('filter.anyAction') : actionName(value) }))}
          className="flex-1 sm:w-56 sm:flex-none"
        />
        {view.actor !== '' && (
          <Chip label={t('filter.by', { name: who })} onRemove={() => change({ actor: '' })}>
            {t('filter.by', { name: who })}
          </Chip>
        )}
      </FilterBar>
      <AdminList
        caption={t('caption')}
        control={control}
        page={log}
        columns={columns}
        nameOf={({ action, target }) => `${actionName(action)} ${target}`}
        onShowAll={clear}
        empty={<EmptyState title={t('empty.title')} text={t('empty.text')} />}
      />
    </>
  )
}
